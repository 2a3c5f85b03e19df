// Small cases for the CPU references, as TOML: what the tests of references build theirs from.
#ifndef FLAGSTONE_TESTS_UNIT_WORKLOADS_REFERENCE_CASE_H_
#define FLAGSTONE_TESTS_UNIT_WORKLOADS_REFERENCE_CASE_H_

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/launch/workload.h"
#include "workloads/reference.h"

namespace flagstone {

// A workload with one launch; `buffers` is TOML, `args` the launch's arguments.
inline Workload Demo(const std::string& buffers, const std::string& args) {
  return Workload::Parse("name = 'demo'\n" + buffers +
                             "[[launch]]\nptx='k'\nentry='k'\ngrid=[1]\nblock=[1]\nargs=[" + args +
                             "]\n",
                         "w.toml", "test");
}

// The function of the table's reference of this name.
inline auto Named(std::string_view name) {
  const auto table = References();
  return std::find_if(table.begin(), table.end(),
                      [&](const Reference& r) { return r.name == name; })
      ->compute;
}

// A buffer of `count` elements: start, start + step, ...
inline std::string Iota(const std::string& name, int count, double start, double step = 1,
                        const std::string& type = "f32") {
  return fmt::format("[buffer.{}]\ntype='{}'\ncount={}\nfill='iota'\nstart={}\nstep={}\n", name,
                     type, count, start, step);
}

// What the reference leaves in a buffer of elements T.
template <class T = float>
std::vector<T> Result(const Workload& workload, void (*compute)(ReferenceData&),
                      const std::string& buffer) {
  ReferenceData data(workload);
  compute(data);
  const auto bytes = data.Bytes(buffer);
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_WORKLOADS_REFERENCE_CASE_H_
