// What a block is given and has to answer in a four-state simulator, and the bench that plays it.
//
// A line of vectors is a cycle, `INPUTS OUTPUTS CARE` in binary, the first port lowest; the lowest
// input bit is rst_ni. An input that means nothing is x: a payload whose valid is low, a ready
// without a valid, bytes of memory that nobody asked for; in reset all inputs are. OUTPUTS are the
// golden model's, and CARE has a 1 where they mean something.
//
// The bench also sees that no register with a reset ever holds x after it.
//
// usage: four_state_vectors bench BLOCK REGISTERS NAME=VALUE...
//        REGISTERS: a file with a register with reset a line, by its path from the block on
//        four_state_vectors vectors BLOCK SEED CYCLES NAME=VALUE...
//        four_state_vectors sizes SMS          BLOCK NAME=VALUE...: each block for so many SMs, and
//                                              in each of its kinds
#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "systemc/cosim/block_registry.h"
#include "systemc/cosim/stimulus.h"
#include "tests/blocks/four_state/bench.h"
#include "tests/blocks/four_state/sizes.h"
#include "tests/blocks/stimuli/stimuli.h"

namespace flagstone {
namespace {

uint32_t Bits(const std::vector<AnyPort>& ports) {
  uint32_t bits = 0;
  for (const AnyPort& port : ports) bits += port.width * port.lanes;
  return bits;
}

uint32_t FindPort(const std::vector<AnyPort>& ports, std::string_view name) {
  uint32_t index = 0;
  while (index < ports.size() && ports[index].name != name) ++index;
  return index;
}

// A cycle's bits as text, the first port lowest.
class Line {
 public:
  explicit Line(uint32_t bits) : text_(bits, 'x') {}
  void Put(uint32_t offset, uint32_t width, const FieldValue& value) {
    for (uint32_t bit = 0; bit < width; ++bit) {
      text_[text_.size() - 1 - offset - bit] = (value[bit / 64] >> (bit % 64)) & 1 ? '1' : '0';
    }
  }
  void Fill(char c) { std::fill(text_.begin(), text_.end(), c); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// An input that means something only while an output says so.
struct Handshake {
  std::string_view input, output;
};
constexpr Handshake kHandshakes[] = {
    {"mem_req_ready", "mem_req_valid"},   {"probe_done", "probe_valid"},
    {"prefetch_ready", "prefetch_valid"}, {"s_axil_bready", "s_axil_bvalid"},
    {"s_axil_rready", "s_axil_rvalid"},   {"m_axi_arready", "m_axi_arvalid"}};

// How many bytes of a memory's answer were asked for: answers come in the order of the requests.
class AskedBytes {
 public:
  explicit AskedBytes(const AnyBlock& block)
      : valid_(FindPort(block.outputs(), "mem_req_valid")),
        size_(FindPort(block.outputs(), "mem_req_size")),
        ready_(FindPort(block.inputs(), "mem_req_ready")),
        answer_(FindPort(block.inputs(), "mem_rsp_valid")),
        data_(FindPort(block.inputs(), "mem_rsp_data")) {}
  uint32_t data_port() const { return data_; }
  uint32_t bytes() const { return asked_.empty() ? 0 : asked_.front(); }
  // What the cycle does, when its bytes have been looked at.
  void Tick(const AnyBlock& block) {
    if (data_ == block.inputs().size()) return;
    if (block.Input(answer_, 0)[0] != 0 && !asked_.empty()) asked_.pop_front();
    if (block.Output(valid_, 0)[0] == 0 || block.Input(ready_, 0)[0] == 0) return;
    asked_.push_back(static_cast<uint32_t>(block.Output(size_, 0)[0]));
  }

 private:
  uint32_t valid_, size_, ready_, answer_, data_;
  std::deque<uint32_t> asked_;
};

class Vectors {
 public:
  explicit Vectors(AnyBlock* block)
      : block_(block),
        asked_(*block),
        in_(1 + Bits(block->inputs())),
        out_(Bits(block->outputs())),
        care_(Bits(block->outputs())) {}

  void Reset() {
    block_->Reset();
    asked_ = AskedBytes(*block_);
    in_.Fill('x');
    in_.Put(0, 1, {0, 0});
    out_.Fill('0');
    care_.Fill('0');
    Print();
  }
  void Play(const Stimulus& stimulus, size_t row) {
    ApplyRow(stimulus, row, block_);
    block_->Settle();
    SetInputs();
    SetOutputs();
    Print();
    asked_.Tick(*block_);
    block_->Tick();
  }

 private:
  bool Waits(std::string_view input) const {
    for (const Handshake& pair : kHandshakes) {
      if (pair.input != input) continue;
      return block_->Output(FindPort(block_->outputs(), pair.output), 0)[0] == 0;
    }
    return false;
  }
  bool Means(uint32_t port, uint32_t lane) const {
    const std::string_view name = block_->inputs()[port].name;
    if (Waits(name)) return false;
    if (name == "probe_present" && Waits("probe_done")) return false;
    return block_->InputGoverned(port, lane);
  }
  void SetInputs() {
    in_.Fill('x');
    in_.Put(0, 1, {1, 0});
    uint32_t offset = 1;
    for (uint32_t p = 0; p < block_->inputs().size(); ++p) {
      const AnyPort& port = block_->inputs()[p];
      for (uint32_t lane = 0; lane < port.lanes; ++lane, offset += port.width) {
        if (!Means(p, lane)) continue;
        uint32_t width = port.width;
        if (p == asked_.data_port()) {
          const uint32_t before = std::min(8 * asked_.bytes(), lane * port.width);
          width = std::min(width, 8 * asked_.bytes() - before);
        }
        in_.Put(offset, width, block_->Input(p, lane));
      }
    }
  }
  void SetOutputs() {
    care_.Fill('0');
    out_.Fill('0');
    uint32_t offset = 0;
    for (uint32_t p = 0; p < block_->outputs().size(); ++p) {
      const AnyPort& port = block_->outputs()[p];
      for (uint32_t lane = 0; lane < port.lanes; ++lane, offset += port.width) {
        if (!block_->Governed(p, lane)) continue;
        out_.Put(offset, port.width, block_->Output(p, lane));
        care_.Put(offset, port.width, {~uint64_t{0}, ~uint64_t{0}});
      }
    }
  }
  void Print() const { fmt::print("{} {} {}\n", in_.text(), out_.text(), care_.text()); }

  AnyBlock* block_;
  AskedBytes asked_;
  Line in_, out_, care_;
};

// The reset that counts comes in the middle of something. Random stimuli come by the seed, so that
// many cycles need no room for all.
void PrintVectors(const BlockRow& row, const RtlParameters& parameters, uint64_t seed,
                  uint64_t cycles) {
  constexpr uint64_t kAtOnce = 20000;
  const auto block = row.make(parameters, Engine::kModel, {});
  Vectors vectors(block.get());
  for (uint64_t done = 0; done < cycles; ++seed) {
    const Stimulus stimulus =
        ParseStimulus(RandomStimulus(row, parameters, seed, std::min(cycles - done, kAtOnce)),
                      "stimulus", block->inputs());
    vectors.Reset();
    const size_t before = std::min<size_t>(stimulus.rows, 200);
    for (size_t t = 0; t < before; ++t) vectors.Play(stimulus, t);
    vectors.Reset();
    for (size_t t = 0; t < stimulus.rows; ++t) vectors.Play(stimulus, t);
    done += std::max<uint64_t>(stimulus.rows, 1);
  }
}

int Run(const std::vector<std::string>& words) {
  if (words.size() < 2) return 2;
  if (words[0] == "sizes") {
    PrintSizes(static_cast<uint32_t>(std::stoul(words[1])));
    return 0;
  }
  const BlockRow& row = FindBlock(words[1]);
  if (words[0] == "bench") {
    PrintBench(row, words.at(2), ChooseParameters(row, {words.begin() + 3, words.end()}));
    return 0;
  }
  if (words[0] != "vectors" || words.size() < 4) return 2;
  PrintVectors(row, ChooseParameters(row, {words.begin() + 4, words.end()}), std::stoull(words[2]),
               std::stoull(words[3]));
  return 0;
}

}  // namespace
}  // namespace flagstone

int main(int argc, char** argv) {
  try {
    return flagstone::Run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "four_state_vectors: {}\n", error.what());
    return 1;
  }
}
