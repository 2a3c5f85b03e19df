#include "tests/unit/conformance/tensor_run.h"

#include <fmt/ranges.h>

#include "tests/unit/conformance/coverage.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace {

// Copies the room to or from [%rd2] by words.
std::string Move(bool to_global) {
  const std::string step = to_global ? "ld.shared.u32 %r21, [%r20]; st.global.u32 [%rd3], %r21;\n"
                                     : "ld.global.u32 %r21, [%rd3]; st.shared.u32 [%r20], %r21;\n";
  return fmt::format(
      "mov.u32 %r20, %tid.x; shl.b32 %r20, %r20, 2; cvt.u64.u32 %rd3, %r20; add.s64 %rd3, %rd2, "
      "%rd3; mov.u32 %r22, box; add.u32 %r20, %r20, %r22; mov.u32 %r23, 0;\n"
      "{0}: {1}add.u32 %r20, %r20, 128; add.s64 %rd3, %rd3, 128; add.u32 %r23, %r23, 128;\n"
      "setp.lt.u32 %p1, %r23, {2}; @%p1 bra {0};\nbar.sync 0;\n",
      to_global ? "OUT" : "IN", step, kTensorRoom);
}

}  // namespace

TensorState RunTensorCopy(TensorMap map, const std::string& copy, uint64_t bytes,
                          const TensorState& before) {
  const std::string load = fmt::format(
      "mbarrier.init.shared.b64 [bar], 1;\nmbarrier.arrive.expect_tx.shared.b64 _, [bar], "
      "{};\n{}\n",
      bytes, copy);
  const std::string store = copy + "\ncp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\n";
  const std::string body =
      fmt::format(".shared .align 1024 .b8 box[{}]; .shared .align 8 .b64 bar;\n", kTensorRoom) +
      "ld.param.u64 %rd2, [room]; mov.u32 %r10, box; mov.u32 %r11, bar; mov.u16 %rs1, 1;\n" +
      Move(false) +
      "mov.u32 %r1, %tid.x; setp.ne.u32 %p2, %r1, 0; @%p2 bra WAIT;\n"
      "mov.b64 %rd4, map; cvta.param.u64 %rd4, %rd4; prefetch.tensormap [%rd4];\n" +
      (bytes == 0 ? store : load) + "WAIT:\n" +
      (bytes == 0 ? ""
                  : "bar.sync 0; TRY: mbarrier.try_wait.parity.shared.b64 %p3, [bar], 0;\n"
                    "@!%p3 bra TRY;\n") +
      Move(true) + "ret;";
  KernelRun run = KernelRun::FromText(
      KernelText(".param .u64 tensor, .param .u64 room, .param .align 64 .b8 map[128]", body));
  run.Buffer("tensor", before.tensor).Buffer("room", before.room);
  map.base = run.memory().Named("tensor").address;
  run.Scalar(MapParameter{map});
  CoverOpcodes(*run.launch().kernel, {ptx::Opcode::kCpAsync});
  run.Run();
  return {run.Contents<uint8_t>("tensor"), run.Contents<uint8_t>("room")};
}

uint64_t SwizzledByte(uint64_t byte, TensorSwizzle swizzle) {
  constexpr std::array<uint64_t, 4> kRows = {1, 2, 4, 8};
  const uint64_t row = byte / 128, unit = byte % 128 / 16;
  return row * 128 + (unit ^ (row % kRows[static_cast<size_t>(swizzle)])) * 16 + byte % 16;
}

Bytes RandomBytes(uint64_t count, uint32_t seed) {
  Bytes bytes(count);
  for (uint64_t i = 0; i < count; ++i) {
    seed = seed * 1664525 + 1013904223;
    bytes[i] = static_cast<uint8_t>(seed >> 24);
  }
  return bytes;
}

uint64_t TensorBytes(const TensorMap& map) {
  uint64_t end = map.ElementBytes();
  for (uint32_t d = 0; d < map.dimensions; ++d) end += (map.shape[d] - 1) * map.strides[d];
  return end;
}

std::string CoordinateList(const std::vector<int32_t>& at) {
  return fmt::format("{}", fmt::join(at, ", "));
}

}  // namespace flagstone::conformance
