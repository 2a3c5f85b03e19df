#include "app/cli/verb.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "app/cli/command_line_checks.h"
#include "app/cli/output_kinds.h"
#include "app/cli/suggest.h"
#include "base/error.h"
#include "base/file.h"
#include "base/spelling.h"

namespace flagstone {
namespace {

constexpr const char* kNumber = "number";  // the name of a check

// Checks of numbers, which are decimal, or hexadecimal after 0x, and have no sign.
CLI::Validator WholeNumber(uint64_t least, uint64_t most) {
  CLI::Validator check(
      [least, most](std::string& value) -> std::string {
        const bool hex = value.starts_with("0x");
        const char* const begin = value.data() + (hex ? 2 : 0);
        const char* const end = value.data() + value.size();
        uint64_t number = 0;
        const auto [rest, error] = std::from_chars(begin, end, number, hex ? 16 : 10);
        if (error == std::errc() && rest == end && number >= least && number <= most) {
          value = std::to_string(number);
          return "";
        }
        return fmt::format("'{}': expected a whole number from {} to {}", value, least, most);
      },
      "");
  check.name(kNumber);
  return check;
}

CLI::Validator Number(double least, double most) {
  return CLI::Validator(
      [least, most](const std::string& value) -> std::string {
        double number = 0;
        const char* const end = value.data() + value.size();
        const auto [rest, error] = std::from_chars(value.data(), end, number);
        // A NaN is in no range.
        if (error == std::errc() && rest == end && number >= least && number <= most) return "";
        return fmt::format("'{}': expected a number from {} to {}", value, least, most);
      },
      "");
}

// "help run" is "run --help", and "help" alone "--help".
std::vector<std::string> Arguments(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty() || arguments[0] != "help") return arguments;
  arguments.erase(arguments.begin());
  if (arguments.size() > 1 && !arguments[1].starts_with("-")) {
    ThrowBadInput("help: expected the name of one verb, found {}", fmt::join(arguments, " "));
  }
  arguments.resize(std::min<size_t>(arguments.size(), 1));
  arguments.emplace_back("--help");
  return arguments;
}

// The files that an option names. One that may go without a value is stdout then.
std::vector<std::string> FilesNamedBy(const CLI::Option& option) {
  std::vector<std::string> files = option.results();
  for (std::string& file : files) {
    if (option.get_type_name().starts_with("NAME=")) file.erase(0, file.find('=') + 1);
    if (file.empty() && option.get_items_expected_min() == 0) file = "-";
  }
  std::erase(files, "");
  return files;
}

void RefuseOneFileTwice(const CheckedOptions& checked) {
  struct Named {
    std::string option, file;
  };
  std::vector<Named> written;
  std::vector<CLI::Option*> outputs = checked.outputs;
  const auto is_json = [](const CLI::Option* option) { return option->get_name() == "--json"; };
  std::stable_partition(outputs.begin(), outputs.end(), is_json);
  for (const CLI::Option* option : outputs) {
    for (const std::string& file : FilesNamedBy(*option)) {
      for (const Named& other : written) {
        if (file == "-" && other.file == "-") {
          ThrowBadInput("only one of {} and {} can go to stdout: give the other one a file",
                        other.option, option->get_name());
        }
        if (file != "-" && other.file != "-" && AreOneFile(file, other.file)) {
          ThrowBadInput("{} and {} both write '{}': expected different files", other.option,
                        option->get_name(), file);
        }
      }
      written.push_back({option->get_name(), file});
    }
  }
  std::erase_if(written, [](const Named& named) { return named.file == "-"; });
  // Files that are new replace nothing, and to find out what a workload reads takes time.
  const bool replaces = std::any_of(written.begin(), written.end(), [](const Named& named) {
    std::error_code error;
    return std::filesystem::is_regular_file(named.file, error);
  });
  for (const CheckedOptions::Read& input : checked.inputs) {
    if (!replaces && !input.by_name) continue;
    for (const std::string& file : input.files(input.option->results())) {
      for (const Named& other : written) {
        if (other.option == input.updated_by || !AreOneFile(file, other.file)) continue;
        ThrowBadInput("{} would overwrite '{}', which {} reads: expected different files",
                      other.option, file, input.option->get_name());
      }
    }
  }
}

void RefuseValuesTwice(const CheckedOptions& checked) {
  for (const CLI::Option* option : checked.lists) {
    std::set<std::string> seen;
    for (const std::string& value : option->results()) {
      const std::string name = value.substr(0, value.find('='));
      if (seen.insert(name).second) continue;
      ThrowBadInput("{}: '{}' is given twice: expected it once", option->get_name(), name);
    }
  }
}

// Of a command line that was refused: the option that was given too often, in our words.
void ThrowWhereGivenTwice(const CLI::App& verb) {
  for (const CLI::Option* option : verb.get_options()) {
    const bool is_list = option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    if (option->get_positional() || option->get_items_expected_max() > 1 || is_list) continue;
    if (option->count() > 1) {
      ThrowBadInput("{} is given {} times: expected it once (see 'flagstone {} --help')",
                    option->get_name(), option->count(), verb.get_name());
    }
  }
}

}  // namespace

std::string Given::Verb() const { return verb_->get_name(); }

bool Given::Has(const std::string& option) const {
  const CLI::Option* const found = verb_->get_option_no_throw(option);
  return found != nullptr && found->count() != 0;
}

std::vector<std::string> Given::Values(const std::string& option) const {
  return Has(option) ? verb_->get_option_no_throw(option)->results() : std::vector<std::string>();
}

std::string Given::Value(const std::string& option) const {
  const std::vector<std::string> values = Values(option);
  return values.empty() ? "" : values.front();
}

Option& Option::Required() {
  option_->required();
  return *this;
}

Option& Option::Repeatable() { return InOrder().Different(); }

Option& Option::InOrder() {
  option_->expected(1)->take_all();
  return *this;
}

Option& Option::Different() {
  checked_->lists.push_back(option_);
  return *this;
}

Option& Option::Type(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Option& Option::ShowDefault() {
  option_->capture_default_str();
  return *this;
}

Option& Option::Default(const std::string& value) {
  option_->default_str(value);
  return *this;
}

Option& Option::Range(uint64_t low, uint64_t high) {
  *option_->get_validator(kNumber) = WholeNumber(low, high);
  return *this;
}

Option& Option::Range(double low, double high) {
  option_->check(Number(low, high));
  return *this;
}

Option& Option::FileName() {
  return Check([](const std::string& value) -> std::string {
    return value.empty() ? "expected the name of a file, found nothing" : "";
  });
}

Option& Option::Output() {
  checked_->outputs.push_back(option_);
  return FileName();
}

Option& Option::Input() {
  CLI::Option* const option = option_;
  Reads([option](const std::vector<std::string>&) { return FilesNamedBy(*option); });
  checked_->inputs.back().by_name = true;
  return FileName();
}

Option& Option::Reads(FilesOfValues files, const std::string& updated_by) {
  checked_->inputs.push_back({option_, std::move(files), updated_by, false});
  return *this;
}

Option& Option::Check(std::function<std::string(const std::string&)> check) {
  option_->check(
      CLI::Validator([check = std::move(check)](std::string& value) { return check(value); }, ""));
  return *this;
}

Option Verb::Add(const std::string& name, std::string* value, const std::string& help) {
  return {app_->add_option(name, *value, help), checked_.get()};
}

Option Verb::Add(const std::string& name, uint32_t* value, const std::string& help) {
  return {app_->add_option(name, *value, help)->check(WholeNumber(0, UINT32_MAX)), checked_.get()};
}

Option Verb::Add(const std::string& name, uint64_t* value, const std::string& help) {
  return {app_->add_option(name, *value, help)->check(WholeNumber(0, UINT64_MAX)), checked_.get()};
}

Option Verb::Add(const std::string& name, double* value, const std::string& help) {
  return {app_->add_option(name, *value, help), checked_.get()};
}

Option Verb::Add(const std::string& name, std::vector<std::string>* values,
                 const std::string& help) {
  return {app_->add_option(name, *values, help), checked_.get()};
}

Option Verb::AddFlag(const std::string& name, bool* value, const std::string& help) {
  CLI::Option* const flag = app_->add_flag(name, *value, help);
  return {flag->multi_option_policy(CLI::MultiOptionPolicy::Throw), checked_.get()};
}

Option Verb::AddTaken(const std::string& name, std::function<void(const std::string&)> take,
                      const std::string& help) {
  return {app_->add_option_function<std::string>(name, take, help), checked_.get()};
}

Option Verb::AddOptional(const std::string& name, std::function<void(const std::string&)> take,
                         const std::string& help) {
  // Where there is no value, CLI11 gives an empty one.
  const auto take_first = [take = std::move(take)](const std::vector<std::string>& values) {
    take(values.empty() || values.front() == "-" ? "" : values.front());
  };
  CLI::Option* option = app_->add_option_function<std::vector<std::string>>(name, take_first, help);
  // The word behind its value is another argument.
  return {option->expected(0, 1)->allow_extra_args(false), checked_.get()};
}

void Verb::TakeAnything() { app_->allow_extras(); }

void Verb::Footer(const std::string& text) { app_->footer(text); }

void Verb::Do(std::function<int()> work) {
  app_->callback([app = app_, exit_code = exit_code_, checked = checked_, work = std::move(work)] {
    RefuseValuesTwice(*checked);
    RefuseOneFileTwice(*checked);
    RefuseUseless(Given(app));
    RefuseOtherKinds(Given(app));
    *exit_code = work();
  });
}

CommandLineParser::CommandLineParser(const std::string& name, const std::string& description,
                                     const std::string& footer)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->footer(footer);
  app_->require_subcommand(1);
  app_->set_help_flag("-h,--help", "Print this help, or a verb's, and exit");
  app_->get_formatter()->column_width(34);
}

CommandLineParser::~CommandLineParser() = default;

Verb* CommandLineParser::AddVerb(const std::string& name, const std::string& summary) {
  verbs_.push_back(std::make_unique<Verb>(app_->add_subcommand(name, summary)));
  verbs_.back()->exit_code_ = exit_code_;
  return verbs_.back().get();
}

void CommandLineParser::AddVersion(std::function<std::string()> text) {
  app_->add_flag_callback(
      "--version",
      [text = std::move(text)] {
        fmt::print("{}", text());
        throw CLI::Success();
      },
      "Print the version, its commit and its tools, and exit");
}

// CLI11 would only say that a subcommand is required.
void CommandLineParser::RejectUnknownVerb(const std::vector<std::string>& arguments) const {
  if (arguments.empty() || arguments[0].starts_with("-")) return;
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app_->get_subcommands(std::function<bool(CLI::App*)>())) {
    if (verb->get_name() == arguments[0]) return;
    verbs.push_back(verb->get_name());
  }
  const std::string nearest = Nearest(arguments[0], verbs);
  ThrowBadInput("unknown verb '{}': {}expected one of {}", arguments[0],
                nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest),
                fmt::join(verbs, ", "));
}

int CommandLineParser::Run(int argc, char** argv) {
  std::vector<std::string> arguments = Arguments(argc, argv);
  RejectUnknownVerb(arguments);
  // What a verb takes that takes anything is not parsed: CLI11 refuses what stands behind `--`.
  if (!arguments.empty() && !arguments[0].starts_with("-") &&
      app_->get_subcommand(arguments[0])->get_allow_extras()) {
    const bool asks = arguments.size() == 2 && arguments[1] == "--help";
    if (!asks) arguments.resize(1);
  }
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
  try {
    app_->parse(std::move(arguments));
  } catch (const CLI::Success& success) {
    return app_->exit(success);
  } catch (const CLI::ExtrasError& error) {
    const std::vector<CLI::App*> verbs = app_->get_subcommands();
    if (verbs.empty() || verbs.front()->remaining().empty()) {
      ThrowBadInput("{} (see 'flagstone --help')", error.what());
    }
    ThrowBadInput("{} (see 'flagstone {} --help')", DescribeExtras(*verbs.front()),
                  verbs.front()->get_name());
  } catch (const CLI::RequiredError& error) {
    if (argc == 1) {
      fmt::print("{}", app_->help());
      return 2;
    }
    for (const CLI::App* verb : app_->get_subcommands()) {
      const std::string taken = Given(verb).Value("--json");
      if (taken.empty() || taken == "-") continue;
      ThrowBadInput("{}: --json took '{}' as its FILE", error.what(), taken);
    }
    ThrowBadInput("{} (see 'flagstone --help')", error.what());
  } catch (const CLI::ParseError& error) {
    for (const CLI::App* verb : app_->get_subcommands()) ThrowWhereGivenTwice(*verb);
    ThrowBadInput("{} (see 'flagstone --help')", error.what());
  }
  return *exit_code_;
}

}  // namespace flagstone
