// Blocks behind the C interface: the rows of systemc/cosim/block_registry.h, their ports by index.
#include <deque>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "app/library/status.h"
#include "gpu_model/blocks/common/masks.h"
#include "systemc/cosim/block_registry.h"

namespace {

using flagstone::AnyPort;

// The ports of one direction as C sees them.
struct Ports {
  Ports(const std::vector<AnyPort>& ports, const char* suffix) {
    for (const AnyPort& port : ports) {
      names.push_back(std::string(port.name) + suffix);
      list.push_back({names.back().c_str(), port.width, port.lanes});
    }
  }

  bool Has(int port) const { return static_cast<size_t>(port) < list.size(); }
  int Find(const char* name) const {
    for (size_t i = 0; i < list.size(); ++i) {
      if (names[i] == name) return static_cast<int>(i);
    }
    return -1;
  }

  std::deque<std::string> names;
  std::vector<flagstone_port> list;
};

}  // namespace

struct flagstone_block {
  explicit flagstone_block(std::unique_ptr<flagstone::AnyBlock> made)
      : body(std::move(made)), inputs(body->inputs(), "_i"), outputs(body->outputs(), "_o") {}

  std::unique_ptr<flagstone::AnyBlock> body;
  Ports inputs, outputs;
  // Makes such a body again: an RTL whose assertion has failed says so for ever.
  std::function<std::unique_ptr<flagstone::AnyBlock>()> make;
  bool failed = false;
};

namespace flagstone {
namespace {

// The registry's rows as C sees them, which refer to it.
struct Kinds {
  Kinds() {
    for (const BlockRow& row : BlockRows()) {
      auto& parameters = all_parameters.emplace_back();
      for (const BlockParameter& p : row.parameters) {
        parameters.push_back({p.name.data(), p.standard, p.low, p.high,
                              p.only.empty() ? nullptr : p.only.data(), p.only.size()});
      }
      list.push_back({row.name.data(), row.summary.data(), parameters.data(), parameters.size()});
    }
  }

  std::deque<std::vector<flagstone_parameter>> all_parameters;
  std::vector<flagstone_kind> list;
};

Engine EngineOf(flagstone_body body) {
  switch (body) {
    case FLAGSTONE_MODEL:
      return Engine::kModel;
    case FLAGSTONE_RTL:
      return Engine::kRtl;
    case FLAGSTONE_LOCKSTEP:
      return Engine::kLockstep;
  }
  ThrowBadInput("body {}: expected FLAGSTONE_MODEL, FLAGSTONE_RTL or FLAGSTONE_LOCKSTEP",
                static_cast<int>(body));
}

std::unique_ptr<AnyBlock> Make(const char* name, const char* parameters, flagstone_body body) {
  Require(name, "the name of a block");
  const BlockRow& row = FindBlock(name);
  std::vector<std::string> values;
  std::istringstream words(parameters == nullptr ? "" : parameters);
  for (std::string word; words >> word;) values.push_back(word);
  BodyOptions options;
  options.rtl.path = std::string(row.name);
  return row.make(ChooseParameters(row, values), EngineOf(body), options);
}

flagstone_status NoPort(const Ports& ports, int port, uint32_t lane) {
  return Guarded([&] {
    if (!ports.Has(port)) {
      ThrowBadInput("port {}: expected 0 to {}, as flagstone_input and flagstone_output find them",
                    port, ports.list.size() - 1);
    }
    const flagstone_port& known = ports.list[static_cast<size_t>(port)];
    ThrowBadInput("lane {} of {}: expected 0 to {}", lane, known.name, known.lanes - 1);
  });
}

int Find(const Ports& ports, const char* name) {
  const int found = ports.Find(name);
  if (found < 0) {
    Guarded([&] {
      std::string known;
      for (const flagstone_port& port : ports.list) known += fmt::format(" {}", port.name);
      ThrowBadInput("no port '{}': expected one of{}", name, known);
    });
  }
  return found;
}

}  // namespace
}  // namespace flagstone

const flagstone_kind* flagstone_kinds(size_t* count) {
  *count = 0;
  const flagstone_kind* list = nullptr;
  flagstone::Guarded([&] {
    static const flagstone::Kinds kinds;
    *count = kinds.list.size();
    list = kinds.list.data();
  });
  return list;
}

flagstone_status flagstone_create(const char* name, const char* parameters, flagstone_body body,
                                  flagstone_block** block) {
  return flagstone::Guarded([&] {
    auto made = std::make_unique<flagstone_block>(flagstone::Make(name, parameters, body));
    made->make = [kind = std::string(name),
                  values = std::string(parameters == nullptr ? "" : parameters),
                  body] { return flagstone::Make(kind.c_str(), values.c_str(), body); };
    *block = made.release();
  });
}

void flagstone_destroy(flagstone_block* block) { delete block; }

const flagstone_port* flagstone_inputs(const flagstone_block* block, size_t* count) {
  *count = block->inputs.list.size();
  return block->inputs.list.data();
}

const flagstone_port* flagstone_outputs(const flagstone_block* block, size_t* count) {
  *count = block->outputs.list.size();
  return block->outputs.list.data();
}

int flagstone_input(const flagstone_block* block, const char* name) {
  return flagstone::Find(block->inputs, name);
}

int flagstone_output(const flagstone_block* block, const char* name) {
  return flagstone::Find(block->outputs, name);
}

flagstone_status flagstone_set(flagstone_block* block, int input, const uint64_t* words) {
  if (!block->inputs.Has(input)) return flagstone::NoPort(block->inputs, input, 0);
  block->body->SetInputWords(static_cast<uint32_t>(input), words);
  return FLAGSTONE_OK;
}

flagstone_status flagstone_get(const flagstone_block* block, int output, uint64_t* words) {
  if (!block->outputs.Has(output)) return flagstone::NoPort(block->outputs, output, 0);
  block->body->OutputWords(static_cast<uint32_t>(output), words);
  return FLAGSTONE_OK;
}

flagstone_status flagstone_set_lane(flagstone_block* block, int input, uint32_t lane,
                                    uint64_t value) {
  const auto port = static_cast<uint32_t>(input);
  if (!block->inputs.Has(input) || lane >= block->inputs.list[port].lanes) {
    return flagstone::NoPort(block->inputs, input, lane);
  }
  const uint32_t width = block->inputs.list[port].width;
  if (width <= 64) {
    block->body->SetInputLane(port, lane, value & flagstone::MaskOf(width));
  } else {
    block->body->SetInput(port, lane, {value, 0});
  }
  return FLAGSTONE_OK;
}

uint64_t flagstone_lane(const flagstone_block* block, int output, uint32_t lane) {
  const auto port = static_cast<uint32_t>(output);
  if (!block->outputs.Has(output) || lane >= block->outputs.list[port].lanes) {
    flagstone::NoPort(block->outputs, output, lane);
    return 0;
  }
  return block->body->OutputLane(port, lane);
}

flagstone_status flagstone_tick(flagstone_block* block) {
  const flagstone_status status = flagstone::Guarded([&] { block->body->Tick(); });
  block->failed |= status != FLAGSTONE_OK;
  return status;
}

int flagstone_idle(const flagstone_block* block) { return block->body->Idle() ? 1 : 0; }

flagstone_status flagstone_settle(flagstone_block* block) {
  return flagstone::Guarded([&] { block->body->Settle(); });
}

flagstone_status flagstone_reset(flagstone_block* block) {
  return flagstone::Guarded([&] {
    if (block->failed) block->body = block->make();
    block->failed = false;
    block->body->ClearInputs();
    block->body->Reset();
  });
}
