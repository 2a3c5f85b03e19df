#include "app/cli/given_launch.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "kernels/ptx/parser.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 10> kElements = {"u8",  "s8",  "u16", "s16", "u32",
                                                        "s32", "u64", "s64", "f32", "f64"};

bool IsPtx(const std::string& workload) { return fs::path(workload).extension() == ".ptx"; }

std::optional<uint64_t> NumberOf(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return number;
}

// "64", "64x32", "8x8x8" -> "64, 32".
std::string ExtentsOf(const std::string& text, const char* option) {
  std::string list;
  size_t axes = 0;
  for (size_t begin = 0; begin <= text.size(); ++axes) {
    const size_t end = std::min(text.find('x', begin), text.size());
    const std::optional<uint64_t> extent = NumberOf(text.substr(begin, end - begin));
    if (!extent || *extent == 0 || axes == 3) {
      ThrowBadInput("{} '{}': expected X, XxY or XxYxZ, numbers from 1", option, text);
    }
    list += fmt::format("{}{}", axes == 0 ? "" : ", ", *extent);
    begin = end + 1;
  }
  return list;
}

// A buffer, "a=f32[1048576]"; one that was given before, "a"; or a number.
struct Argument {
  std::string name;  // of a buffer
  std::string element;
  uint64_t count = 0;  // 0: given before
  std::string number;
};

Argument ParseArgument(const std::string& text) {
  const auto is_name = [](std::string_view name) {
    return !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) || name[0] == '_') &&
           std::all_of(name.begin(), name.end(), [](char c) {
             return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
           });
  };
  const std::string_view view = text;
  const size_t equals = view.find('=');
  if (equals == std::string_view::npos) {
    if (is_name(view)) return {text, "", 0, ""};
    double number = 0;
    const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), number);
    if (error == std::errc() && end == view.data() + view.size()) return {"", "", 0, text};
  } else {
    const size_t open = view.find('[', equals);
    const std::string element(view.substr(equals + 1, open - equals - 1));
    const bool is_known = std::find(kElements.begin(), kElements.end(), element) != kElements.end();
    if (is_name(view.substr(0, equals)) && is_known && open != std::string_view::npos &&
        view.ends_with(']')) {
      const auto count = NumberOf(view.substr(open + 1, view.size() - open - 2));
      if (count && *count > 0) return {text.substr(0, equals), element, *count, ""};
    }
  }
  ThrowBadInput(
      "--arg '{}': expected a buffer NAME=TYPE[COUNT] (types {}), the NAME of one given before, or "
      "a number",
      text, fmt::join(kElements, " "));
}

// A number's type in workload.toml, by the parameter.
std::string_view TypeOfNumber(const ptx::Variable& parameter, const std::string& number) {
  const bool is_whole = number.find_first_of(".eEnN") == std::string::npos;
  const bool is_negative = number.starts_with('-');
  switch (parameter.SizeInBytes()) {
    case 1:
      return is_negative ? "s8" : "u8";
    case 2:
      return is_negative ? "s16" : "u16";
    case 4:
      if (parameter.type == ptx::Type::kF32 || !is_whole) return "f32";
      return is_negative ? "s32" : "u32";
    default:
      if (parameter.type == ptx::Type::kF64 || !is_whole) return "f64";
      return is_negative ? "s64" : "u64";
  }
}

const ptx::Kernel& EntryOf(const ptx::Module& module, const std::string& entry) {
  if (!entry.empty() || module.kernels.size() != 1) {
    if (!entry.empty() || module.kernels.empty()) return module.FindKernel(entry);
    std::vector<std::string> names;
    for (const auto& kernel : module.kernels) names.push_back(kernel->name);
    ThrowBadInput("{}: several entries: --entry chooses one of {}", module.file,
                  fmt::join(names, ", "));
  }
  return *module.kernels[0];
}

std::string Described(const ptx::Kernel& kernel) {
  std::string text;
  for (const auto& parameter : kernel.parameters) {
    text += fmt::format("{}.{} {}", text.empty() ? "" : ", ", ptx::ToString(parameter->type),
                        parameter->name);
  }
  return text;
}

}  // namespace

void GivenLaunch::AddTo(Verb* verb) {
  verb->Add("--entry", &entry_, "Of a .ptx in the place of a workload: its entry").Type("NAME");
  verb->Add("--grid", &grid_, "... how many TBs").Type("X[xY[xZ]]");
  verb->Add("--block", &block_, "... threads of a TB").Type("X[xY[xZ]]");
  verb->Add("--shared", &shared_, "... dynamic shared memory of a TB").Type("BYTES");
  verb->Add(
          "--arg", &args_,
          "... one for each parameter, in order: a buffer\nNAME=TYPE[COUNT], one given before, or "
          "a number")
      .Type("ARG")
      .InOrder();
  verb->Add("--fill", &fill_, "... what buffers begin with (default: zero)")
      .Check([](const std::string& fill) -> std::string {
        if (fill == "zero" || fill == "iota" || fill == "uniform") return "";
        return fmt::format("unknown fill '{}': expected zero, iota or uniform", fill);
      })
      .Type("zero|iota|uniform");
  verb->AddFlag("--triton", &triton_,
                "The workload is a folder of Triton's cache: its .ptx\nand the .json beside it");
  verb->AddFlag("--dry-run", &dry_run_, "Print the workload.toml that these mean, and do no more");
}

bool GivenLaunch::IsGiven() const {
  return triton_ || dry_run_ || !args_.empty() || !entry_.empty() || !grid_.empty() ||
         !block_.empty() || !fill_.empty() || !shared_.empty();
}

// Triton keeps of each kernel NAME.ptx and NAME.json: {"name", "num_warps", "shared"}. Its entries
// end with pointers to scratch memory that no argument of the program stands for.
void GivenLaunch::ReadTritonEntry(RunOptions* run, GivenLaunch* filled) const {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& file : fs::directory_iterator(run->workload, error)) {
    const bool wanted = entry_.empty() || file.path().stem() == entry_;
    if (file.path().extension() == ".ptx" && wanted) found.push_back(file.path());
  }
  if (error) ThrowBadInput("--triton: cannot read the folder '{}'", run->workload);
  if (found.size() != 1) {
    ThrowBadInput("--triton: '{}' has {} .ptx files{}: {}", run->workload, found.size(),
                  entry_.empty() ? "" : fmt::format(" named '{}'", entry_),
                  found.empty() ? "expected a folder of Triton's cache" : "--entry chooses one");
  }
  fs::path json_file = found[0];
  json_file.replace_extension(".json");
  const auto json = nlohmann::json::parse(ReadFile(json_file), nullptr, false);
  const auto number = [&](const char* key) {
    if (!json.is_object() || !json.contains(key) || !json[key].is_number_unsigned()) {
      ThrowBadInput("{}: expected a number '{}', as Triton writes it", json_file.string(), key);
    }
    return json[key].get<uint64_t>();
  };
  run->workload = found[0].string();
  filled->entry_ = json.is_object() && json.contains("name") && json["name"].is_string()
                       ? json["name"].get<std::string>()
                       : found[0].stem().string();
  if (block_.empty()) filled->block_ = std::to_string(32 * number("num_warps"));
  if (shared_.empty()) filled->shared_ = std::to_string(number("shared"));
}

void GivenLaunch::Put(RunOptions* run) const {
  GivenLaunch given = *this;
  if (triton_) {
    ReadTritonEntry(run, &given);
  } else if (!IsPtx(run->workload)) {
    if (!IsGiven()) return;
    ThrowBadInput(
        "--entry, --grid, --block, --shared, --arg, --fill and --dry-run are of a .ptx file in the "
        "place of a workload: '{}' is none",
        run->workload);
  }
  const std::unique_ptr<ptx::Module> module = ptx::ParseFile(run->workload);
  const ptx::Kernel& kernel = EntryOf(*module, given.entry_);
  for (const auto& [option, value] :
       {std::pair("--grid", &given.grid_), std::pair("--block", &given.block_)}) {
    if (value->empty()) {
      ThrowBadInput("'{}' is PTX: give {} too (or a workload.toml, docs/workload.md)",
                    run->workload, option);
    }
  }
  const uint64_t scratch = triton_ && kernel.parameters.size() > args_.size()
                               ? kernel.parameters.size() - args_.size()
                               : 0;
  const bool fits = kernel.parameters.size() == args_.size() || (scratch > 0 && scratch <= 2);
  if (!fits) {
    ThrowBadInput("'{}' takes {} arguments ({}), and --arg gives {}", kernel.name,
                  kernel.parameters.size(), Described(kernel), args_.size());
  }
  std::string buffers, list;
  std::set<std::string> names;
  const auto add_buffer = [&](const std::string& name, std::string_view element, uint64_t count) {
    if (!names.insert(name).second) {
      ThrowBadInput("--arg: buffer '{}' is given twice: expected its name alone", name);
    }
    buffers += fmt::format("\n[buffer.{}]\ntype = \"{}\"\ncount = {}\nfill = \"{}\"\n", name,
                           element, count, given.fill_.empty() ? "zero" : given.fill_);
  };
  for (size_t i = 0; i < args_.size(); ++i) {
    const Argument argument = ParseArgument(args_[i]);
    if (argument.name.empty()) {
      list += fmt::format("{{ {} = {} }}, ", TypeOfNumber(*kernel.parameters[i], argument.number),
                          argument.number);
      continue;
    }
    if (argument.count > 0) add_buffer(argument.name, argument.element, argument.count);
    if (!names.contains(argument.name)) {
      ThrowBadInput("--arg '{}': expected {}=TYPE[COUNT] where it is given first", args_[i],
                    argument.name);
    }
    list += fmt::format("\"{}\", ", argument.name);
  }
  for (uint64_t i = 0; i < scratch; ++i) {
    add_buffer(fmt::format("scratch{}", i), "u8", 1024);
    list += fmt::format("\"scratch{}\", ", i);
  }
  if (!list.empty()) list.resize(list.size() - 2);
  const std::string shared = given.shared_.empty() ? "0" : given.shared_;
  if (!NumberOf(shared)) ThrowBadInput("--shared '{}': expected a number of bytes", shared);
  const fs::path file(run->workload);
  // Texts of JSON are texts of TOML.
  const auto quoted = [](const std::string& text) { return nlohmann::json(text).dump(); };
  run->workload_text = fmt::format(
      "name = {}\n{}\n[[launch]]\nptx = {}\nentry = {}\ngrid = [{}]\nblock = [{}]\n"
      "shared = {}\nargs = [{}]\n",
      quoted(file.stem().string()), buffers, quoted(file.filename().string()), quoted(kernel.name),
      ExtentsOf(given.grid_, "--grid"), ExtentsOf(given.block_, "--block"), shared, list);
}

}  // namespace flagstone
