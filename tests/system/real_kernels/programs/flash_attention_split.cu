// FlashAttention-3's forward kernel with the keys split between thread blocks, and the kernel that
// combines the parts.
#include "attention.h"
#include "flash_fwd_combine_launch_template.h"
#include "flash_fwd_launch_template.h"

int main() {
  using namespace real_kernels;  // NOLINT
  using Element = cutlass::half_t;
  constexpr int kSplits = 3;
  AttentionShape s;
  s.queries = 70;
  s.keys = 700;
  const size_t rows = size_t(s.heads) * s.queries, of_keys = size_t(s.keys) * s.heads * s.width;
  std::vector<float> wide_q, wide_k, wide_v;
  Buffer<Element> q(Narrowed<Element>(rows * s.width, 1, &wide_q));
  Buffer<Element> k(Narrowed<Element>(of_keys, 2, &wide_k));
  Buffer<Element> v(Narrowed<Element>(of_keys, 3, &wide_v));
  Buffer<Element> out(rows * s.width);
  Buffer<float> lse(rows), parts(kSplits * rows * s.width), part_lse(kSplits * rows);
  Buffer<int> count(1);

  Flash_fwd_params p = {};
  p.q_ptr = q.get();
  p.k_ptr = k.get();
  p.v_ptr = v.get();
  p.o_ptr = out.get();
  p.softmax_lse_ptr = lse.get();
  p.oaccum_ptr = parts.get();
  p.softmax_lseaccum_ptr = part_lse.get();
  p.q_row_stride = p.o_row_stride = p.k_row_stride = p.v_row_stride = s.heads * s.width;
  p.q_head_stride = p.o_head_stride = p.k_head_stride = p.v_head_stride = s.width;
  p.q_batch_stride = p.o_batch_stride = rows * s.width;
  p.k_batch_stride = p.v_batch_stride = of_keys;
  p.oaccum_row_stride = s.width;
  p.oaccum_head_stride = s.queries * s.width;
  p.oaccum_batch_stride = p.oaccum_split_stride = rows * s.width;
  p.lseaccum_head_stride = s.queries;
  p.lseaccum_batch_stride = p.lseaccum_split_stride = rows;
  p.v_dim_stride = 1;
  p.h = p.h_k = s.heads;
  p.b = p.b_k = 1;
  p.seqlen_q = p.total_q = s.queries;
  p.seqlen_k = p.total_k = s.keys;
  p.d = p.dv = p.d_rounded = p.dv_rounded = s.width;
  p.scale_softmax = s.scale;
  p.window_size_left = s.keys - 1;
  p.window_size_right = s.queries - 1;
  p.num_splits = kSplits;
  p.tile_count_semaphore = count.get();
  p.arch = 90;
  p.num_sm = 132;
  run_flash_fwd<90, 64, 64, 1, Element, Element, false, false, false, /*Varlen=*/false, false,
                false, false, /*PackGQA=*/false, /*Split=*/true, false>(p, nullptr);
  run_flash_fwd_combine<90, 16, 64, 4, true, /*Varlen=*/false, Element, float>(p, nullptr, false);
  return Compare(out.Host(), Attention(s, wide_q, wide_k, wide_v), 0.02F, 0.003F);
}
