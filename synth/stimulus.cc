#include "synth/stimulus.h"

#include <map>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "base/random.h"
// Verilator's copy of GTKWave's reader.
#include "gtkwave/fstapi.h"

namespace flagstone {
namespace {

std::vector<std::string> InputNames(const Netlist& netlist) {
  std::vector<std::string> names;
  for (const NetlistPort& port : netlist.ports) {
    if (port.input && port.name != "clk_i") names.push_back(port.name);
  }
  return names;
}

// Follows the values of the signals of one scope.
struct Follower {
  std::map<fstHandle, size_t> signal_of;  // into `values`
  std::vector<std::string> values;        // as text, the highest bit first
  size_t clock = 0;
  uint64_t time = 0;
  bool clock_fell = false;
  NetStimulus* stimulus = nullptr;
  std::vector<std::pair<size_t, uint32_t>> source;  // of each input: signal, bit

  // All changes of a time have been seen.
  void EndOfTime() {
    if (!clock_fell) return;
    clock_fell = false;
    std::string row;
    for (const auto& [signal, bit] : source) {
      const std::string& value = values[signal];
      row += bit < value.size() && value[value.size() - 1 - bit] == '1' ? '1' : '0';
    }
    stimulus->rows.push_back(std::move(row));
  }

  static void Change(void* data, uint64_t now, fstHandle handle, const unsigned char* value) {
    auto* self = static_cast<Follower*>(data);
    if (now != self->time) self->EndOfTime();
    self->time = now;
    const auto found = self->signal_of.find(handle);
    if (found == self->signal_of.end()) return;
    self->values[found->second] = reinterpret_cast<const char*>(value);
    if (found->second == self->clock && value[0] == '0') self->clock_fell = true;
  }
};

}  // namespace

NetStimulus RandomStimulus(const Netlist& netlist, size_t cycles, uint64_t seed) {
  NetStimulus stimulus;
  stimulus.inputs = InputNames(netlist);
  SplitMix64 random(seed);
  std::vector<uint64_t> one_in(stimulus.inputs.size());
  for (uint64_t& rate : one_in) rate = uint64_t{2} << random.Below(3);
  for (size_t cycle = 0; cycle < cycles + 2; ++cycle) {
    std::string row;
    for (size_t i = 0; i < stimulus.inputs.size(); ++i) {
      const bool high =
          stimulus.inputs[i] == "rst_ni" ? cycle >= 2 : cycle >= 2 && random.Below(one_in[i]) == 0;
      row += high ? '1' : '0';
    }
    stimulus.rows.push_back(std::move(row));
  }
  return stimulus;
}

NetStimulus ReadWave(const std::string& file, const Netlist& netlist) {
  RequireRegularFile(file);
  const std::unique_ptr<void, void (*)(void*)> wave(fstReaderOpen(file.c_str()), fstReaderClose);
  if (!wave) ThrowBadInput("{}: expected a wave (FST) of 'flagstone run --wave'", file);
  NetStimulus stimulus;
  stimulus.inputs = InputNames(netlist);
  Follower follower;
  follower.stimulus = &stimulus;
  // The first signal of each name is the block's port: its parts come below.
  std::map<std::string, size_t> named;
  while (const fstHier* item = fstReaderIterateHier(wave.get())) {
    if (item->htyp != FST_HT_VAR) continue;
    std::string name = item->u.var.name;
    name = name.substr(0, name.find_first_of(" ["));
    const auto [found, added] = named.emplace(name, follower.values.size());
    if (!added) continue;
    follower.signal_of.emplace(item->u.var.handle, follower.values.size());
    follower.values.emplace_back();
  }
  const auto clock = named.find("clk_i");
  if (clock == named.end()) ThrowBadInput("{}: has no clk_i", file);
  follower.clock = clock->second;
  for (const NetlistPort& port : netlist.ports) {
    if (!port.input || port.name == "clk_i") continue;
    const auto found = named.find(port.base);
    if (found == named.end()) {
      ThrowBadInput("{}: has no signal '{}': is it of {}?", file, port.base, netlist.top);
    }
    follower.source.emplace_back(found->second, port.bit);
  }
  fstReaderSetFacProcessMaskAll(wave.get());
  fstReaderIterBlocks(wave.get(), Follower::Change, &follower, nullptr);
  follower.EndOfTime();
  if (stimulus.rows.empty()) ThrowBadInput("{}: holds no cycle", file);
  return stimulus;
}

}  // namespace flagstone
