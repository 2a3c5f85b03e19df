#include "tests/blocks/stimuli/replay.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "systemc/cosim/block_abi.h"
#include "systemc/cosim/port_access.h"
#include "systemc/cosim/stimulus.h"

namespace flagstone {

std::vector<Replay::Placed> Replay::Place(const std::vector<AnyPort>& ports, const char* suffix,
                                          std::span<const BlockPort> netlist, size_t* bytes) {
  std::vector<Placed> placed;
  for (const AnyPort& port : ports) {
    const BlockPort& found = FindPort(netlist, port.name, suffix, port.width * port.lanes);
    placed.push_back({found, *bytes, StorageBytes(found.bits)});
    *bytes += (placed.back().bytes + 7) / 8 * 8;  // aligned as Verilator's own
  }
  return placed;
}

// Writes bits as the netlist's port would hold them.
void Replay::Put(const Placed& placed, uint32_t lane, uint32_t width, const FieldValue& value,
                 uint8_t* row) {
  BlockPort port = placed.port;
  port.data = row + placed.offset;
  StoreBits(port, lane * width, width, value);
}

Replay::Replay(const BlockRow& row, const RtlParameters& parameters, const BlockAbi& abi,
               uint64_t reset_seed)
    : row_(row),
      parameters_(parameters),
      abi_(abi),
      body_(abi_.create(std::string(row.name).c_str(), reset_seed), abi_.destroy) {
  uint32_t count = 0;
  const BlockPort* ports = abi_.ports(body_.get(), &count);
  const std::span<const BlockPort> netlist = {ports, count};
  const auto block = row.make(parameters, Engine::kModel, {});
  inputs_ = Place(block->inputs(), "_i", netlist, &in_bytes_);
  outputs_ = Place(block->outputs(), "_o", netlist, &out_bytes_);
  for (const BlockPort& port : netlist) {
    if (std::string_view(port.name) == "mut_sel") select_ = port;
    if (std::string_view(port.name) == "rst_ni") reset_ = port;
  }
}

GoldenRows Replay::Golden(uint64_t seed, uint64_t cycles, KernelSize size) const {
  const auto block = row_.make(parameters_, Engine::kModel, {});
  const Stimulus stimulus = ParseStimulus(RandomStimulus(row_, parameters_, seed, cycles, size),
                                          "stimulus", block->inputs());
  GoldenRows rows;
  rows.count = stimulus.rows;
  rows.before = std::min<size_t>(rows.count, 1 + seed * 3 % 40);
  rows.in.resize(rows.count * in_bytes_);
  rows.out.resize(rows.count * out_bytes_);
  rows.mask.resize(rows.count * out_bytes_);
  for (size_t t = 0; t < rows.count; ++t) {
    ApplyRow(stimulus, t, block.get());
    block->Settle();
    for (uint32_t p = 0; p < inputs_.size(); ++p) {
      const AnyPort& port = block->inputs()[p];
      for (uint32_t lane = 0; lane < port.lanes; ++lane) {
        Put(inputs_[p], lane, port.width, block->Input(p, lane), &rows.in[t * in_bytes_]);
      }
    }
    for (uint32_t p = 0; p < outputs_.size(); ++p) {
      const AnyPort& port = block->outputs()[p];
      for (uint32_t lane = 0; lane < port.lanes; ++lane) {
        if (!block->Governed(p, lane)) continue;
        Put(outputs_[p], lane, port.width, block->Output(p, lane), &rows.out[t * out_bytes_]);
        Put(outputs_[p], lane, port.width, {~uint64_t{0}, ~uint64_t{0}},
            &rows.mask[t * out_bytes_]);
      }
    }
    block->Tick();
  }
  return rows;
}

void Replay::Drive(const GoldenRows& rows, size_t t) {
  for (const Placed& input : inputs_) {
    std::memcpy(input.port.data, &rows.in[t * in_bytes_ + input.offset], input.bytes);
  }
  abi_.settle(body_.get());
}

void Replay::Reset() {
  if (reset_.data != nullptr) StorePort(reset_, 0);
  abi_.edge(body_.get());
  if (reset_.data != nullptr) StorePort(reset_, 1);
}

bool Replay::Differs(const GoldenRows& rows, uint32_t mutant) {
  for (const Placed& input : inputs_) std::memset(input.port.data, 0, input.bytes);
  if (select_.data != nullptr) StorePort(select_, mutant);
  Reset();
  // The reset that counts comes in the middle of something.
  for (size_t t = 0; t < rows.before; ++t) {
    Drive(rows, t);
    abi_.edge(body_.get());
  }
  Reset();
  for (size_t t = 0; t < rows.count; ++t) {
    Drive(rows, t);
    for (const Placed& output : outputs_) {
      const auto* actual = static_cast<const uint8_t*>(output.port.data);
      const uint8_t* expected = &rows.out[t * out_bytes_ + output.offset];
      const uint8_t* mask = &rows.mask[t * out_bytes_ + output.offset];
      for (size_t i = 0; i < output.bytes; ++i) {
        if (((actual[i] ^ expected[i]) & mask[i]) != 0) return true;
      }
    }
    abi_.edge(body_.get());
  }
  return false;
}

}  // namespace flagstone
