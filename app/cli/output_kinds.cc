#include "app/cli/output_kinds.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

namespace flagstone {
namespace {

// Names of files that all of us read the same way. The endings of one kind stand together.
constexpr std::string_view kEndings[] = {
    ".html .htm",
    ".json",
    ".csv",
    ".fst",
    ".svg",
    ".v .sv",
    ".ptx",
    ".cu .cuh .h .hpp",
    ".py",
    ".toml",
    ".db .sqlite .sqlite3",
    // Nothing here writes these.
    ".vcd",
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".pdf",
    ".xlsx",
    ".xls",
    ".ods",
    ".tsv",
    ".gz",
    ".xz",
    ".zst",
    ".bz2",
    ".zip",
};

// The kind of an ending; -1: nobody knows it.
int KindOf(const std::string& ending) {
  const auto found =
      std::find_if(std::begin(kEndings), std::end(kEndings), [&](std::string_view endings) {
        return (" " + std::string(endings) + " ").find(" " + ending + " ") != std::string::npos;
      });
  return found == std::end(kEndings) ? -1 : static_cast<int>(found - std::begin(kEndings));
}

struct Output {
  const char* verbs;  // empty: all that have the option
  const char* option;
  const char* is;
  const char* ending;
};
constexpr Output kOutputs[] = {
    {"", "--json", "JSON", ".json"},
    {"", "--timeline", "JSON", ".json"},
    {"", "--csv", "CSV", ".csv"},
    {"", "--response", "CSV", ".csv"},
    {"", "--wave", "an FST", ".fst"},
    {"", "--report", "a page", ".html"},
    {"report", "--output", "a page", ".html"},
    {"sweep", "--output", "a page", ".html"},
    {"", "--treemap", "SVG", ".svg"},
    {"", "--netlist", "Verilog", ".v"},
    {"", "--sqlite", "a database", ".db"},
};

void RefuseOtherKind(const Given& given, const Output& output) {
  const std::string file = given.Value(output.option);
  const int kind = KindOf(std::filesystem::path(file).extension().string());
  if (kind < 0 || kind == KindOf(output.ending)) return;
  ThrowBadInput("{} {}: what it writes is {}: expected a name that ends in {}", output.option, file,
                output.is, output.ending);
}

}  // namespace

void RefuseOtherKinds(const Given& given) {
  for (const Output& output : kOutputs) {
    if (*output.verbs == '\0' || output.verbs == given.Verb()) RefuseOtherKind(given, output);
  }
  if (given.Verb() != "order") return;
  const std::string form = given.Value("--emit");
  if (form == "ptx") RefuseOtherKind(given, {"", "--output", "PTX", ".ptx"});
  if (form == "cuda") RefuseOtherKind(given, {"", "--output", "CUDA C++", ".cu"});
  if (form == "triton") RefuseOtherKind(given, {"", "--output", "Python", ".py"});
}

}  // namespace flagstone
