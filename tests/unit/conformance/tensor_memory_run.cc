#include "tests/unit/conformance/tensor_memory_run.h"

#include <fmt/core.h>

#include "base/random.h"
#include "tests/unit/conformance/coverage.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace {

constexpr uint32_t kTensorThreads = kTensorLanes;

std::string MoveThreadWords(const char* buffer, bool store) {
  std::string text = fmt::format("ld.param.u64 %rd8, [{}]; mad.wide.u32 %rd8, %r9, {}, %rd8;\n",
                                 buffer, 4 * kThreadWords);
  for (uint32_t i = 0; i < kThreadWords; ++i) {
    text += store ? fmt::format("st.global.b32 [%rd8+{}], %w{};\n", 4 * i, i)
                  : fmt::format("ld.global.b32 %w{}, [%rd8+{}];\n", i, 4 * i);
  }
  return text;
}

// Eight columns at a time, each thread its lane.
std::string MoveCells(const char* label, bool store) {
  std::string moves;
  for (uint32_t i = 0; i < 8; ++i) {
    moves += store ? fmt::format("st.global.b32 [%rd8+{}], %v{};\n", 4 * i, i)
                   : fmt::format("ld.global.b32 %v{}, [%rd8+{}];\n", i, 4 * i);
  }
  constexpr const char* kList = "{%v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7}";
  const std::string access =
      store ? fmt::format(
                  "tcgen05.ld.sync.aligned.32x32b.x8.b32 {}, [%r10];\n"
                  "tcgen05.wait::ld.sync.aligned;\n{}",
                  kList, moves)
            : fmt::format("{}tcgen05.st.sync.aligned.32x32b.x8.b32 [%r10], {};\n", moves, kList);
  return fmt::format(
      "ld.param.u64 %rd8, [{}]; mad.wide.u32 %rd8, %r9, {}, %rd8;\nmov.u32 %r10, %own; "
      "mov.u32 %r11, 0;\n{}: {}add.u64 %rd8, %rd8, 32; add.u32 %r10, %r10, 8;\n"
      "add.u32 %r11, %r11, 8; setp.lt.u32 %p1, %r11, {}; @%p1 bra {};\n",
      store ? "after" : "before", 4 * kTensorColumns, label, access, kTensorColumns, label);
}

}  // namespace

TensorMemoryState RunTensorMemory(const std::string& body, const std::string& one,
                                  const TensorMemoryState& before,
                                  const std::vector<uint8_t>& shared, bool multicast) {
  std::vector<uint8_t> image = shared;
  image.resize((image.size() + 2047) / 2048 * 2048 + 2048);
  const std::string order =
      "tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;\n";
  const std::string by_one =
      "setp.eq.u32 %p2, %r9, 0; @!%p2 bra WAIT;\n" + one +
      (multicast
           ? "mov.u16 %rs1, 1; mov.u64 %rd14, bar; cvta.shared.u64 %rd14, %rd14;\n"
             "tcgen05.commit.cta_group::1.mbarrier::arrive::one.multicast::cluster.b64 [%rd14], "
             "%rs1;\n"
           : "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r12];\n") +
      "WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [bar], 0;\n@!%p3 bra WAIT;\n"
      "tcgen05.fence::after_thread_sync;\n";
  const std::string text =
      fmt::format(
          ".shared .align 1024 .b8 room[{}]; .shared .align 8 .b64 bar; .shared .b32 slot;\n"
          ".reg .b32 %w<128>, %v<8>, %taddr, %own;\n",
          image.size()) +
      "mov.u32 %r9, %tid.x; mov.u32 %r12, bar;\n" + MoveThreadWords("words", false) +
      "ld.param.u64 %rd3, [image]; mul.wide.u32 %rd4, %r9, 16; add.u64 %rd3, %rd3, %rd4;\n"
      "mov.u32 %r2, room; mad.lo.u32 %r2, %r9, 16, %r2; mov.u32 %r3, 0;\n"
      "COPY: ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd3];\n"
      "st.shared.v4.u32 [%r2], {%r4, %r5, %r6, %r7};\n"
      "add.u64 %rd3, %rd3, 2048; add.u32 %r2, %r2, 2048; add.u32 %r3, %r3, 2048;\n" +
      fmt::format("setp.lt.u32 %p1, %r3, {}; @%p1 bra COPY;\n", image.size()) +
      "setp.eq.u32 %p2, %r9, 0; @%p2 mbarrier.init.shared.b64 [bar], 1;\n"
      "setp.ge.u32 %p4, %r9, 32; @%p4 bra OTHERS;\n"
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 512;\n"
      "OTHERS: fence.proxy.async; bar.sync 0; ld.shared.u32 %taddr, [slot];\n"
      "shr.u32 %r8, %r9, 5; mad.lo.u32 %own, %r8, 2097152, %taddr;\n"
      "mov.u32 %r8, room; shr.u32 %r8, %r8, 4; cvt.u64.u32 %rd10, %r8;\n" +
      MoveCells("FILL", false) + "tcgen05.wait::st.sync.aligned;\n" + order + body +
      "\ntcgen05.wait::ld.sync.aligned; tcgen05.wait::st.sync.aligned;\n" + order +
      (one.empty() ? "" : by_one) + MoveThreadWords("results", true) + MoveCells("READ", true) +
      order +
      "@%p4 bra END;\ntcgen05.dealloc.cta_group::1.sync.aligned.b32 %taddr, 512;\n"
      "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\nEND: ret;";
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 before, .param .u64 after, .param .u64 words, .param .u64 results, "
                 ".param .u64 image",
                 text),
      {1, 1, 1}, {kTensorThreads, 1, 1});
  run.Buffer("before", before.cells)
      .Buffer("after", TensorCells(before.cells.size()))
      .Buffer("words", before.words)
      .Buffer("results", std::vector<uint32_t>(before.words.size()))
      .Buffer("image", image);
  CoverOpcodes(*run.launch().kernel, {ptx::Opcode::kTcgen05});
  run.Run();
  return {run.Contents<uint32_t>("after"), run.Contents<uint32_t>("results")};
}

TensorMemoryState RandomTensorMemory(uint32_t seed) {
  SplitMix64 random(seed);
  TensorMemoryState state;
  state.cells.resize(size_t{kTensorLanes} * kTensorColumns);
  state.words.resize(size_t{kTensorThreads} * kThreadWords);
  for (uint32_t& cell : state.cells) cell = static_cast<uint32_t>(random.Next());
  for (uint32_t& word : state.words) word = static_cast<uint32_t>(random.Next());
  return state;
}

std::string WordList(size_t count) {
  std::string text = "{";
  for (size_t i = 0; i < count; ++i) text += fmt::format("{}%w{}", i == 0 ? "" : ", ", i);
  return text + "}";
}

}  // namespace flagstone::conformance
