// A chip: SMs, interconnect, L2 slices and DRAM channels, bound to each other. A GPU may have
// several.
#ifndef FLAGSTONE_SYSTEMC_CHIP_H_
#define FLAGSTONE_SYSTEMC_CHIP_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "gpu_model/memory/address_map.h"
#include "gpu_model/memory/numa_l2_slice.h"
#include "gpu_model/memory/router.h"
#include "systemc/chip_parts.h"
#include "systemc/dram_body.h"

namespace flagstone {

// No module: its parts are children of the module in whose constructor it is made, which gives them
// their place in the hierarchy ("gpu.sm3" where the GPU is one chip). Who owns it also gives its
// cores their clocks.
class Chip {
 public:
  // The map must outlive it. The machine says what one chip has.
  Chip(const MachineConfig& machine, const AddressMap& map);

  // A launch begins, with new cores; the setup must outlive them. Then whoever takes packets beside
  // the chip's own parts begins, and ConnectSinks follows.
  void Begin(const SmSetup& setup);
  void ConnectSinks() { noc->ConnectSinks(); }
  // No core is left.
  void End();

  // Binds who fetches beside the SMs. Every chip has one TB scheduler.
  void BindTbScheduler(PlugPort<PacketPort>* requests, PlugExport<PacketSink>* replies);
  // Puts the line in the L2.
  void Warm(LineNumber line);

  std::vector<std::unique_ptr<SmModule>> sms;
  std::unique_ptr<NocModule> noc;
  std::vector<std::unique_ptr<L2Module>> l2;
  std::vector<NumaL2Slice*> numa_l2;  // the cores of these, in a launch on several nodes
  std::vector<std::unique_ptr<DramBody>> dram;

 private:
  std::unique_ptr<L2Slice> MakeSlice(const SmSetup& setup, uint32_t index);
  void Bind();

  const AddressMap* map_;
  const Router router_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_CHIP_H_
