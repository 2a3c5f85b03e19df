#include "app/order/emit_ptx.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "app/order/ctaid_reads.h"
#include "app/order/order_ptx.h"
#include "base/error.h"

namespace flagstone {
namespace {

bool Same(const OrderCode& a, const OrderCode& b) {
  return a.name == b.name && a.operations.size() == b.operations.size() && a.table == b.table &&
         std::equal(a.operations.begin(), a.operations.end(), b.operations.begin(),
                    [](const OrderOperation& x, const OrderOperation& y) {
                      return x.op == y.op && x.a == y.a && x.b == y.b;
                    });
}

// The functions, by index, that a body calls, and those that they call.
std::set<size_t> CalledBy(const std::vector<PtxBody>& bodies, size_t caller) {
  std::set<size_t> called;
  std::vector<size_t> left = {caller};
  while (!left.empty()) {
    const PtxBody& body = bodies[left.back()];
    left.pop_back();
    for (size_t i = 0; i < bodies.size(); ++i) {
      const bool calls = !bodies[i].is_entry && body.names.contains(bodies[i].name);
      if (calls && called.insert(i).second) left.push_back(i);
    }
  }
  return called;
}

// By body, the entry whose order it takes; none: it stays as it is. A function that reads %ctaid is
// one for all entries that call it, so these have one order, those that are not named too.
std::vector<const std::string*> ChooseOrders(const std::vector<PtxBody>& bodies,
                                             const std::string& file,
                                             const std::map<std::string, OrderCode>& orders) {
  std::vector<const std::string*> chosen(bodies.size(), nullptr);
  for (size_t i = 0; i < bodies.size(); ++i) {
    const auto found = bodies[i].is_entry ? orders.find(bodies[i].name) : orders.end();
    if (found != orders.end()) chosen[i] = &found->first;
  }
  const auto take = [&](size_t body, const std::string* entry, const PtxBody& function) {
    if (chosen[body] == nullptr) {
      chosen[body] = entry;
      return true;
    }
    if (Same(orders.at(*chosen[body]), orders.at(*entry))) return false;
    ThrowBadInput(
        "{}:{}: the function '{}' reads %ctaid, and the kernels '{}' and '{}' that call it have "
        "different orders: expected one order for both",
        file, function.line, function.name, *chosen[body], *entry);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < bodies.size(); ++i) {
      if (!bodies[i].is_entry) continue;
      for (const size_t f : CalledBy(bodies, i)) {
        if (bodies[f].reads.empty()) continue;
        if (chosen[i] != nullptr) changed = take(f, chosen[i], bodies[f]) || changed;
        if (chosen[f] != nullptr) changed = take(i, chosen[f], bodies[f]) || changed;
      }
    }
  }
  return chosen;
}

}  // namespace

std::string ApplyOrder(std::string_view text, const std::string& file,
                       const std::map<std::string, OrderCode>& orders) {
  std::string result;
  size_t taken = 0;
  const auto take_until = [&](size_t end) {
    result += text.substr(taken, end - taken);
    taken = end;
  };
  bool tables_written = false;
  const std::vector<PtxBody> bodies = FindCtaidReads(text, file);
  const std::vector<const std::string*> chosen = ChooseOrders(bodies, file, orders);
  for (size_t i = 0; i < bodies.size(); ++i) {
    if (chosen[i] == nullptr || bodies[i].reads.empty()) continue;
    if (!tables_written) {
      take_until(bodies[i].declared);
      for (const auto& [entry, code] : orders) {
        if (!code.table.empty()) result += OrderTablePtx(code, OrderTableName(entry));
      }
      tables_written = true;
    }
    take_until(bodies[i].begin);
    result += OrderPrologue(orders.at(*chosen[i]), OrderTableName(*chosen[i]));
    for (const CtaidRead& read : bodies[i].reads) {
      take_until(read.begin);
      result += fmt::format("%flagstone_{}", static_cast<char>('x' + read.axis));
      taken = read.end;
    }
  }
  take_until(text.size());
  return result;
}

}  // namespace flagstone
