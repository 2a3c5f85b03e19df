// FlashAttention-3's forward kernel, one instantiation a program: -D options below choose it.
#include "attention.h"
#include "flash_fwd_launch_template.h"

#ifndef ELEMENT
#define ELEMENT cutlass::half_t
#endif
#ifndef HEAD
#define HEAD 64
#endif
#ifndef CLUSTER
#define CLUSTER 1
#endif
#ifndef CAUSAL
#define CAUSAL false
#endif
#ifndef LOCAL
#define LOCAL false
#endif
#ifndef SOFTCAP
#define SOFTCAP false
#endif
#ifndef PACK_GQA
#define PACK_GQA false
#endif

using namespace real_kernels;  // NOLINT

int main() {
  using Element = ELEMENT;
  constexpr bool kNarrow = sizeof(Element) == 1;
  using Out = std::conditional_t<kNarrow, cutlass::bfloat16_t, Element>;
  AttentionShape s;
  s.width = HEAD;
  s.queries = CLUSTER == 2 ? 250 : 200;
  s.keys = 260;
  s.causal = CAUSAL || LOCAL;
  s.left = LOCAL ? 70 : -1;
  s.softcap = SOFTCAP ? 2.0F : 0;
  s.heads = PACK_GQA ? 4 : 2;
  s.kv_heads = PACK_GQA ? 1 : 2;
  std::vector<float> wide_q, wide_k, wide_v;
  const size_t of_queries = size_t(s.queries) * s.heads * s.width;
  const size_t of_keys = size_t(s.keys) * s.kv_heads * s.width;
  Buffer<Element> q(Narrowed<Element>(of_queries, 1, &wide_q));
  Buffer<Element> k(Narrowed<Element>(of_keys, 2, &wide_k));
  Buffer<Element> v(Narrowed<Element>(of_keys, 3, &wide_v));
  Buffer<Out> out(of_queries);
  Buffer<float> lse(size_t(s.heads) * s.queries);
  Buffer<int> count(1);

  Flash_fwd_params p = {};
  p.q_ptr = q.get();
  p.k_ptr = k.get();
  p.v_ptr = v.get();
  p.o_ptr = out.get();
  p.softmax_lse_ptr = lse.get();
  p.q_row_stride = p.o_row_stride = s.heads * s.width;
  p.k_row_stride = p.v_row_stride = s.kv_heads * s.width;
  p.q_head_stride = p.o_head_stride = p.k_head_stride = p.v_head_stride = s.width;
  p.q_batch_stride = p.o_batch_stride = of_queries;
  p.k_batch_stride = p.v_batch_stride = of_keys;
  p.v_dim_stride = 1;
  p.h = s.heads;
  p.h_k = s.kv_heads;
  p.b = p.b_k = 1;
  p.seqlen_q = p.total_q = s.queries;
  p.seqlen_k = p.total_k = s.keys;
  p.d = p.dv = p.d_rounded = p.dv_rounded = s.width;
  // The kernel's own scale holds what turns e^x into 2^x; with a cap, the cap comes in between.
  p.scale_softmax = s.scale;
  p.softcap = s.softcap;
  p.window_size_left = LOCAL ? s.left : s.keys - 1;
  p.window_size_right = s.causal ? 0 : s.queries - 1;
  p.is_causal = CAUSAL;
  p.is_local = LOCAL;
  p.num_splits = 1;
  p.pack_gqa = PACK_GQA;
  p.tile_count_semaphore = count.get();
  p.arch = 90;
  p.num_sm = 132;
  run_flash_fwd<90, HEAD, HEAD, CLUSTER, Element, Out, CAUSAL, LOCAL, SOFTCAP, /*Varlen=*/false,
                /*PagedKVNonTMA=*/false, /*AppendKV=*/false, /*HasQv=*/false, PACK_GQA,
                /*Split=*/false, /*V_colmajor=*/false>(p, nullptr);
  // Weights of 8 bits have three of mantissa.
  const float absolute = kNarrow ? 0.03F : 0.003F;
  return Compare(out.Host(), Attention(s, wide_q, wide_k, wide_v), 0.02F, absolute);
}
