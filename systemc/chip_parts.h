// The parts of a chip as SystemC modules. Modules give names, typed ports and bindings, and last;
// the behaviour is in plain C++ cores, which each launch makes anew.
#ifndef FLAGSTONE_SYSTEMC_CHIP_PARTS_H_
#define FLAGSTONE_SYSTEMC_CHIP_PARTS_H_

#include <cstdint>
#include <memory>
#include <optional>
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
  explicit SmModule(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    replies.bind(plug_);
  }
  // The network has begun.
  void Begin(const SmSetup& setup, uint32_t in_chip);

  std::optional<Sm> core;
  PlugPort<PacketPort> requests{"requests"};
  PlugExport<PacketSink> replies{"replies"};

 private:
  Plug<PacketSink> plug_;
};

// Request and reply networks. What stands at which port is the router's to say.
class NocModule : public sc_core::sc_module {
 public:
  // The router must outlive it.
  NocModule(sc_core::sc_module_name name, const Router& router);
  // Before those who send.
  void Begin(const InterconnectConfig& config);
  // After those who take.
  void ConnectSinks();

  std::optional<Network> request, reply;
  std::vector<std::unique_ptr<PlugExport<PacketPort>>> asker_in, slice_in;
  std::vector<std::unique_ptr<PlugPort<PacketSink>>> asker_out, slice_out;

 private:
  const Router* router_;
  std::vector<std::unique_ptr<Plug<PacketPort>>> plugs_;  // of asker_in, then of slice_in
};

class L2Module : public sc_core::sc_module {
 public:
  explicit L2Module(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    requests.bind(request_plug_);
  }
  // The network has begun.
  void Begin(std::unique_ptr<L2Slice> slice);

  std::unique_ptr<L2Slice> core;
  PlugPort<PacketPort> replies{"replies"};
  PlugExport<PacketSink> requests{"requests"};
  DramSocket dram{"dram"};

 private:
  Plug<PacketSink> request_plug_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_CHIP_PARTS_H_
