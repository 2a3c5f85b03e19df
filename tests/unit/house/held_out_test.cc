// Kernels that judge the predictor have not served to make it: neither its sources nor its tests
// name one of those in experiments/held_out, and of experiments only those made of them do.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace flagstone {
namespace held_out_test {

namespace fs = std::filesystem;

constexpr std::string_view kFolder = "experiments/held_out";
constexpr std::string_view kExperiment = "experiments/held-out.toml";
constexpr std::string_view kLargeExperiment = "experiments/held-out-large.toml";

std::string ReadText(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::set<std::string> FoldersIn(const fs::path& path) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    if (entry.is_directory()) names.insert(entry.path().filename().string());
  }
  return names;
}

// The predictor with what shows it, its tests, the kernels that it may be tuned with, and what runs
// these.
std::vector<fs::path> FilesThatMayNotKnow() {
  std::vector<fs::path> files;
  for (const char* room : {"analyzer", "app", "tests/unit/analyzer", "tests/unit/app",
                           "tests/system", "tests/benchmarks", "workloads"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(room)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator("experiments")) {
    const std::string path = entry.path().string();
    const bool own = path == kExperiment || path == kLargeExperiment || path.starts_with(kFolder);
    if (entry.path().extension() == ".toml" && !own) files.push_back(entry.path());
  }
  // It compiles all kernels, and names none.
  std::erase(files, fs::path("workloads/compile"));
  return files;
}

bool IsOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Whether `name` stands in the text as a word of its own.
bool Names(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    const bool begins = at == 0 || !IsOfWord(text[at - 1]);
    if (begins && (end == text.size() || !IsOfWord(text[end]))) return true;
  }
  return false;
}

// "FILE names NAME" for each that a text names: the folder, the experiment, a kernel.
std::vector<std::string> NamedIn(const std::string& file, std::string_view text,
                                 const std::set<std::string>& kernels) {
  std::vector<std::string> problems;
  for (const char* set : {"held_out", "held-out"}) {
    if (text.find(set) != std::string_view::npos) {
      problems.push_back(fmt::format("{} names {}", file, set));
    }
  }
  for (const std::string& kernel : kernels) {
    if (Names(text, kernel)) problems.push_back(fmt::format("{} names {}", file, kernel));
  }
  return problems;
}

TEST(HeldOut, KernelsAreKnownToNothingThatIsTuned) {
  const std::set<std::string> kernels = FoldersIn(kFolder);
  std::vector<std::string> problems;
  for (const fs::path& file : FilesThatMayNotKnow()) {
    for (std::string& problem : NamedIn(file.string(), ReadText(file), kernels)) {
      problems.push_back(std::move(problem));
    }
  }
  EXPECT_THAT(problems, testing::IsEmpty());
}

TEST(HeldOut, KernelsAreThoseOfTheExperiment) {
  static const std::regex kWorkload("workload = \"held_out/(\\w+)\"");
  const std::string experiment = ReadText(kExperiment);
  std::set<std::string> run;
  for (std::sregex_iterator it(experiment.begin(), experiment.end(), kWorkload), end; it != end;
       ++it) {
    run.insert((*it)[1]);
  }
  EXPECT_EQ(run, FoldersIn(kFolder));
  EXPECT_GE(run.size(), 24U);
}

TEST(HeldOut, KernelsAreNoWorkloads) {
  const std::set<std::string> workloads = FoldersIn("workloads");
  for (const std::string& kernel : FoldersIn(kFolder)) {
    EXPECT_FALSE(workloads.contains(kernel)) << kernel;
  }
}

// The test itself: it finds what it looks for, and takes no part of a word for a name.
TEST(HeldOut, ANameIsFoundAsAWordOfItsOwn) {
  const std::set<std::string> kernels = {"fast_sort"};
  EXPECT_THAT(NamedIn("a.cc", "Load(\"held_out/fast_sort\")", kernels),
              testing::ElementsAre("a.cc names held_out", "a.cc names fast_sort"));
  EXPECT_THAT(NamedIn("a.cc", "fast_sort", kernels), testing::ElementsAre("a.cc names fast_sort"));
  EXPECT_THAT(NamedIn("a.cc", "fast_sorted, a_fast_sort", kernels), testing::IsEmpty());
}

}  // namespace held_out_test
}  // namespace flagstone
