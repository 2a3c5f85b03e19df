// The registers of gpu_dispatch_top, for its model.
// Written by rtl/make_registers from rtl/dispatch_top/registers.toml.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_REGISTER_MAP_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_REGISTER_MAP_H_

#include <cstdint>
#include <string_view>

namespace flagstone {

// A register's number; its offset is four times as much.
enum DispatchRegister : uint8_t {
  kIdentity,
  kControl,
  kStatus,
  kInterrupts,
  kGridX,
  kGridY,
  kGridZ,
  kTbLimit,
  kEntryLo,
  kEntryHi,
  kParametersLo,
  kParametersHi,
  kQueueBaseLo,
  kQueueBaseHi,
  kQueueCount,
  kStealRule,
  kTbWarps,
  kTbRegisters,
  kTbShared,
  kTbsIssued,
  kSteals,
  kWaits,
  kDispatchRegisters
};

enum class RegisterAccess : uint8_t { kSays, kKeeps, kEvents };
enum class RegisterOnly : uint8_t { kAlways, kQueue, kResources };

struct RegisterRow {
  std::string_view name;
  RegisterAccess access;
  uint32_t bits;  // 0: of a number of TBs
  bool launch;    // a part of a launch's description
  RegisterOnly only;
};

// clang-format off
inline constexpr RegisterRow kRegisterRows[kDispatchRegisters] = {
    {"identity", RegisterAccess::kSays, 32, false, RegisterOnly::kAlways},
    {"control", RegisterAccess::kEvents, 2, false, RegisterOnly::kAlways},
    {"status", RegisterAccess::kEvents, 11, false, RegisterOnly::kAlways},
    {"interrupts", RegisterAccess::kKeeps, 3, false, RegisterOnly::kAlways},
    {"grid_x", RegisterAccess::kKeeps, 0, true, RegisterOnly::kAlways},
    {"grid_y", RegisterAccess::kKeeps, 0, true, RegisterOnly::kAlways},
    {"grid_z", RegisterAccess::kKeeps, 0, true, RegisterOnly::kAlways},
    {"tb_limit", RegisterAccess::kKeeps, 8, true, RegisterOnly::kAlways},
    {"entry_lo", RegisterAccess::kKeeps, 32, true, RegisterOnly::kAlways},
    {"entry_hi", RegisterAccess::kKeeps, 32, true, RegisterOnly::kAlways},
    {"parameters_lo", RegisterAccess::kKeeps, 32, true, RegisterOnly::kAlways},
    {"parameters_hi", RegisterAccess::kKeeps, 32, true, RegisterOnly::kAlways},
    {"queue_base_lo", RegisterAccess::kKeeps, 32, true, RegisterOnly::kQueue},
    {"queue_base_hi", RegisterAccess::kKeeps, 32, true, RegisterOnly::kQueue},
    {"queue_count", RegisterAccess::kKeeps, 32, true, RegisterOnly::kQueue},
    {"steal_rule", RegisterAccess::kKeeps, 2, true, RegisterOnly::kQueue},
    {"tb_warps", RegisterAccess::kKeeps, 8, true, RegisterOnly::kResources},
    {"tb_registers", RegisterAccess::kKeeps, 20, true, RegisterOnly::kResources},
    {"tb_shared", RegisterAccess::kKeeps, 20, true, RegisterOnly::kResources},
    {"tbs_issued", RegisterAccess::kSays, 0, false, RegisterOnly::kAlways},
    {"steals", RegisterAccess::kSays, 32, false, RegisterOnly::kQueue},
    {"waits", RegisterAccess::kSays, 32, false, RegisterOnly::kAlways},
};
// clang-format on

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_DISPATCH_TOP_REGISTER_MAP_H_
