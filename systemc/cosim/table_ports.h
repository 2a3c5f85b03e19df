// Between a block's plain structs and its RTL's ports, as its field tables say: the way that fits
// every block. A block that is ticked in every cycle of a simulation may have a faster one of its
// own with the same members (tb_scheduler_ports.h).
#ifndef FLAGSTONE_SYSTEMC_COSIM_TABLE_PORTS_H_
#define FLAGSTONE_SYSTEMC_COSIM_TABLE_PORTS_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gpu_model/blocks/block_type.h"
#include "gpu_model/blocks/field.h"
#include "systemc/cosim/port_access.h"

namespace flagstone {

template <class In, class Out>
class TablePorts {
 public:
  // Throws kInternal when the RTL's ports are not those of the tables.
  TablePorts(const BlockType<In, Out>& type, std::span<const BlockPort> ports) {
    uint32_t expected = Bind(type.inputs, "_i", ports, &inputs_);
    expected += Bind(type.outputs, "_o", ports, &outputs_);
    for (const BlockPort& port : ports) {
      const std::string_view name = port.name;
      if (name != "clk_i" && name != "rst_ni") continue;
      ++expected;
    }
    if (expected != ports.size()) {
      ThrowInternal("{}: the RTL has {} ports, its C++ description {}", type.name, ports.size(),
                    expected);
    }
  }

  void Drive(const In& in) {
    for (const auto& [field, port] : inputs_) {
      if (field.lanes == 1 && port.bits <= 64) {
        StorePort(port, field.get(in, 0)[0] & LowBits(field.width));
        continue;
      }
      for (uint32_t lane = 0; lane < field.lanes; ++lane) {
        StoreBits(port, lane * field.width, field.width, field.get(in, lane));
      }
    }
  }

  void Read(Out* out) {
    for (const auto& [field, port] : outputs_) {
      for (uint32_t lane = 0; lane < field.lanes; ++lane) {
        field.set(out, lane, LoadBits(port, lane * field.width, field.width));
      }
    }
  }

 private:
  template <class Ports>
  struct Bound {
    Field<Ports> field;
    BlockPort port;
  };

  template <class Ports>
  static uint32_t Bind(const FieldTable<Ports>& table, std::string_view suffix,
                       std::span<const BlockPort> ports, std::vector<Bound<Ports>>* bound) {
    for (const Field<Ports>& field : table) {
      bound->push_back({field, FindPort(ports, field.name, suffix, field.width * field.lanes)});
    }
    return static_cast<uint32_t>(table.size());
  }

  std::vector<Bound<In>> inputs_;
  std::vector<Bound<Out>> outputs_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_TABLE_PORTS_H_
