// The C interface between the GPU model and one Verilated TB scheduler, built in or loaded.
#ifndef FLAGSTONE_SYSTEMC_BODIES_TB_SCHEDULER_ABI_H_
#define FLAGSTONE_SYSTEMC_BODIES_TB_SCHEDULER_ABI_H_

#include <cstdint>

#include "gpu_model/blocks/tb_scheduler/ports.h"

namespace flagstone {

inline constexpr uint32_t kTbSchedulerAbiVersion = 1;

// The name of the one symbol that a loaded library exports: `const TbSchedulerAbi* symbol(void)`.
inline constexpr char kTbSchedulerAbiSymbol[] = "flagstone_tb_scheduler_abi";

// `body` is what create returned. tick and tick_traced return false when an assertion in the RTL
// has failed; open_wave when the file cannot be written. outputs stays valid for the body's life.
struct TbSchedulerAbi {
  uint32_t version;
  uint32_t in_bytes;   // sizeof(TbSchedulerIn) on the library's side
  uint32_t out_bytes;  // sizeof(TbSchedulerOut)
  uint32_t num_sms;
  uint32_t id_bits;
  void* (*create)(const char* scope, bool traced, uint64_t reset_seed);
  void (*destroy)(void* body);
  void (*reset)(void* body);
  bool (*tick)(void* body, const TbSchedulerIn* in);
  bool (*tick_traced)(void* body, const TbSchedulerIn* in, uint64_t cycle);
  const TbSchedulerOut* (*outputs)(void* body);
  bool (*open_wave)(void* body, const char* file);
  void (*close_wave)(void* body);
};

// The interface of a VerilatedTbScheduler.
template <class Body>
constexpr TbSchedulerAbi MakeTbSchedulerAbi(uint32_t num_sms, uint32_t id_bits) {
  return {
      kTbSchedulerAbiVersion,
      static_cast<uint32_t>(sizeof(TbSchedulerIn)),
      static_cast<uint32_t>(sizeof(TbSchedulerOut)),
      num_sms,
      id_bits,
      [](const char* scope, bool traced, uint64_t reset_seed) -> void* {
        return new Body(scope, traced, reset_seed);
      },
      [](void* body) { delete static_cast<Body*>(body); },
      [](void* body) { static_cast<Body*>(body)->Reset(); },
      [](void* body, const TbSchedulerIn* in) { return static_cast<Body*>(body)->Tick(*in); },
      [](void* body, const TbSchedulerIn* in, uint64_t cycle) {
        return static_cast<Body*>(body)->TickTraced(*in, cycle);
      },
      [](void* body) { return static_cast<const Body*>(body)->outputs(); },
      [](void* body, const char* file) { return static_cast<Body*>(body)->OpenWave(file); },
      [](void* body) { static_cast<Body*>(body)->CloseWave(); },
  };
}

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_BODIES_TB_SCHEDULER_ABI_H_
