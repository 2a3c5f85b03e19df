// A small case for a CPU reference with buffers of any literal values and several launches.
#ifndef FLAGSTONE_TESTS_UNIT_WORKLOADS_LITERAL_CASE_H_
#define FLAGSTONE_TESTS_UNIT_WORKLOADS_LITERAL_CASE_H_

#include <fmt/core.h>

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/unit/base/error_message.h"
#include "tests/unit/base/temporary_folder.h"
#include "tests/unit/workloads/reference_case.h"

namespace flagstone {

class LiteralCase {
 public:
  explicit LiteralCase(std::string reference) : reference_(std::move(reference)) {}

  template <class T>
  LiteralCase& Buffer(const std::string& name, const std::vector<T>& values) {
    return Table("buffer", name, values);
  }

  // What [symbol.NAME] gives a .const or .global variable.
  template <class T>
  LiteralCase& Symbol(const std::string& name, const std::vector<T>& values) {
    return Table("symbol", name, values);
  }

  // `arguments` as in workload.toml: "'x', 'y', { s32 = 3 }".
  LiteralCase& Launch(std::string_view arguments, std::string_view grid = "1",
                      std::string_view entry = "k") {
    toml_ += fmt::format("[[launch]]\nptx='k'\nentry='{}'\ngrid=[{}]\nblock=[1]\nargs=[{}]\n",
                         entry, grid, arguments);
    return *this;
  }

  // What the reference leaves in a buffer.
  template <class T>
  std::vector<T> Result(const std::string& buffer) const {
    return flagstone::Result<T>(Parse(), Named(reference_), buffer);
  }

  // Why the reference refuses the workload.
  std::string Refusal() const {
    const Workload workload = Parse();
    ReferenceData data(workload);
    return BadInputMessage([&] { Named(reference_)(data); });
  }

 private:
  template <class T>
  LiteralCase& Table(const char* table, const std::string& name, const std::vector<T>& values) {
    folder_->Write(name, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
    const char* kind = std::is_floating_point_v<T> ? "f" : std::is_signed_v<T> ? "s" : "u";
    toml_ += fmt::format("[{}.{}]\ntype='{}{}'\ncount={}\nfill='file'\nfile='{}'\n", table, name,
                         kind, 8 * sizeof(T), values.size(), name);
    return *this;
  }

  Workload Parse() const {
    return Workload::Parse("name='demo'\n" + toml_, folder_->path() / "w.toml", "test");
  }

  std::string reference_;
  std::string toml_;
  // On the heap, so that a function can return a case.
  std::unique_ptr<TemporaryFolder> folder_ = std::make_unique<TemporaryFolder>();
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_WORKLOADS_LITERAL_CASE_H_
