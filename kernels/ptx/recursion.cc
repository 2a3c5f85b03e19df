// Tarjan 1972, without recursion of its own: chains of calls may be long.
#include "kernels/ptx/recursion.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "kernels/ptx/call_check.h"

namespace flagstone::ptx {
namespace {

constexpr uint32_t kUnseen = UINT32_MAX;

struct Node {
  const Function* function = nullptr;
  std::vector<uint32_t> callees;
  uint32_t number = kUnseen, lowest = 0;
  size_t next = 0;  // of callees
  bool open = false;
  bool calls_itself = false;
};

class CallGraph {
 public:
  CallGraph(const std::deque<Function>& functions, const std::vector<PointerTarget>& targets) {
    for (const Function& function : functions) {
      if (function.definition == &function) Add(&function);
    }
    for (const Function& function : functions) {
      if (function.definition != nullptr) Add(function.definition);
    }
    for (Node& node : nodes_) AddCallees(&node, targets);
  }

  std::unordered_set<const Function*> Cycles() {
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].number == kUnseen) Visit(i);
    }
    return std::move(in_cycles_);
  }

 private:
  void Add(const Function* function) {
    const auto index = static_cast<uint32_t>(nodes_.size());
    if (index_.try_emplace(function, index).second) nodes_.emplace_back().function = function;
  }

  void AddCallees(Node* node, const std::vector<PointerTarget>& targets) {
    for (const CallSite& call : node->function->body.calls) {
      if (call.callee != nullptr) {
        if (call.callee->definition != nullptr) AddEdge(node, call.callee->definition);
        continue;
      }
      if (targets.size() > kMaxPointerTargets) continue;  // the call is refused
      for (const PointerTarget& target : targets) {
        if (MismatchOf(call, *target.definition, node->function->code).empty()) {
          AddEdge(node, target.definition);
        }
      }
    }
  }

  void AddEdge(Node* node, const Function* callee) {
    node->callees.push_back(index_.at(callee));
    node->calls_itself |= callee == node->function;
  }

  void Visit(uint32_t root) {
    std::vector<uint32_t> path = {root};
    Open(root);
    while (!path.empty()) {
      const uint32_t at = path.back();
      Node& node = nodes_[at];
      if (node.next == node.callees.size()) {
        path.pop_back();
        if (node.lowest == node.number) Close(at);
        if (!path.empty()) {
          Node& caller = nodes_[path.back()];
          caller.lowest = std::min(caller.lowest, node.lowest);
        }
        continue;
      }
      const uint32_t callee = node.callees[node.next++];
      if (nodes_[callee].number == kUnseen) {
        Open(callee);
        path.push_back(callee);
      } else if (nodes_[callee].open) {
        node.lowest = std::min(node.lowest, nodes_[callee].number);
      }
    }
  }

  void Open(uint32_t at) {
    nodes_[at].number = nodes_[at].lowest = numbers_++;
    nodes_[at].open = true;
    open_.push_back(at);
  }

  // The component that ends with `at` is complete.
  void Close(uint32_t at) {
    const bool several = open_.back() != at;
    uint32_t member = 0;
    do {
      member = open_.back();
      open_.pop_back();
      nodes_[member].open = false;
      if (several || nodes_[member].calls_itself) in_cycles_.insert(nodes_[member].function);
    } while (member != at);
  }

  std::vector<Node> nodes_;
  std::unordered_map<const Function*, uint32_t> index_;
  std::vector<uint32_t> open_;
  uint32_t numbers_ = 0;
  std::unordered_set<const Function*> in_cycles_;
};

}  // namespace

std::unordered_set<const Function*> FindRecursive(const std::deque<Function>& functions,
                                                  const std::vector<PointerTarget>& targets) {
  return CallGraph(functions, targets).Cycles();
}

}  // namespace flagstone::ptx
