// The parts of a chip as SystemC modules. Modules give names, typed ports and bindings; the
// behaviour is in plain C++ cores.
#ifndef FLAGSTONE_SYSTEMC_CHIP_PARTS_H_
#define FLAGSTONE_SYSTEMC_CHIP_PARTS_H_

#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "gpu_model/memory/l2_slice.h"
#include "gpu_model/memory/network.h"
#include "gpu_model/memory/router.h"
#include "gpu_model/sm/sm.h"
#include "systemc/dram_socket.h"
#include "systemc/plug.h"

namespace flagstone {

class SmModule : public sc_core::sc_module {
 public:
  SmModule(sc_core::sc_module_name name, const SmSetup& setup, uint32_t in_chip);
  void end_of_elaboration() override { core.Connect(requests->core); }

  Sm core;
  PlugPort<PacketPort> requests{"requests"};
  PlugExport<PacketSink> replies{"replies"};

 private:
  Plug<PacketSink> plug_{&core};
};

// Request and reply networks. What stands at which port is the router's to say.
class NocModule : public sc_core::sc_module {
 public:
  NocModule(sc_core::sc_module_name name, const Router& router, const InterconnectConfig& config);
  void end_of_elaboration() override;

  Network request;
  Network reply;
  std::vector<std::unique_ptr<PlugExport<PacketPort>>> asker_in, slice_in;
  std::vector<std::unique_ptr<PlugPort<PacketSink>>> asker_out, slice_out;

 private:
  std::vector<std::unique_ptr<Plug<PacketPort>>> plugs_;
};

class L2Module : public sc_core::sc_module {
 public:
  L2Module(sc_core::sc_module_name name, std::unique_ptr<L2Slice> slice);
  void end_of_elaboration() override { core.Connect(replies->core, &dram); }

 private:
  const std::unique_ptr<L2Slice> slice_;

 public:
  L2Slice& core;
  PlugPort<PacketPort> replies{"replies"};
  PlugExport<PacketSink> requests{"requests"};
  DramSocket dram{"dram"};

 private:
  Plug<PacketSink> request_plug_{&core};
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_CHIP_PARTS_H_
