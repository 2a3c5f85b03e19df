// Rooms know only those below them. The includes of the tree are compared with a table of what each
// room may know, and no rooms know each other in a circle.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flagstone {
namespace include_arrows_test {

namespace fs = std::filesystem;

// A room, and those that it may know. Lowest first.
const std::vector<std::pair<std::string, std::set<std::string>>> kMayKnow = {
    {"base", {}},
    {"kernels/ptx", {"base"}},
    {"kernels/inputs", {"base"}},
    {"kernels/launch", {"base", "kernels/ptx", "kernels/inputs"}},
    {"gpu_model", {"base", "kernels/ptx", "kernels/launch"}},
    {"analyzer", {"base", "kernels/ptx", "kernels/inputs", "kernels/launch", "gpu_model"}},
    {"app/order", {"base", "kernels/ptx", "kernels/launch", "analyzer", "gpu_model"}},
    {"app/results", {"base", "kernels/ptx", "kernels/launch", "gpu_model"}},
    {"app/policy", {"base", "kernels/launch", "analyzer", "gpu_model"}},
    {"systemc", {"base", "kernels/ptx", "kernels/launch", "gpu_model", "app/results"}},
    {"synth", {"base", "gpu_model"}},
    {"workloads", {"base", "kernels/launch"}},
    {"app/flow",
     {"base", "kernels/ptx", "kernels/launch", "analyzer", "gpu_model", "app/order", "app/results",
      "app/policy", "systemc", "workloads"}},
    {"app/library",
     {"base", "kernels/ptx", "kernels/launch", "analyzer", "gpu_model", "app/policy", "systemc"}},
    {"kernels/cuda",
     {"base", "kernels/ptx", "kernels/launch", "gpu_model", "app/results", "app/policy", "systemc",
      "app/flow"}},
    {"app/sweep",
     {"base", "kernels/launch", "gpu_model", "app/results", "app/policy", "systemc", "app/flow"}},
    {"app/report", {"base"}},
    {"app/cli",
     {"base", "kernels/ptx", "kernels/launch", "analyzer", "gpu_model", "app/order", "app/results",
      "app/policy", "systemc", "synth", "app/flow", "kernels/cuda", "app/sweep", "app/report"}},
};

// The number of folders that name a file's row in the table, and the room that it stands in: rooms
// may have rooms inside.
size_t RowDepthOf(std::string_view path) {
  return path.starts_with("app/") || path.starts_with("kernels/") ? 2 : 1;
}
size_t DepthOf(std::string_view path) {
  for (const char* room : {"gpu_model/blocks/", "app/flow/"}) {
    if (path.starts_with(room)) return 3;
  }
  for (const char* room : {"analyzer/", "gpu_model/", "systemc/cosim/"}) {
    if (path.starts_with(room)) return 2;
  }
  return RowDepthOf(path);
}

struct Include {
  std::string file;  // "systemc/gpu.h"
  size_t line = 0;
  std::string included;  // "base/error.h"
};

// The first `depth` folders of a path.
std::string FoldersOf(const std::string& path, size_t depth) {
  size_t end = 0;
  for (; depth > 0; --depth) {
    const size_t slash = path.find('/', end == 0 ? 0 : end + 1);
    if (slash == std::string::npos) break;
    end = slash;
  }
  return path.substr(0, end);
}
// "gpu_model/sm" of "gpu_model/sm/sm_core.h", whose row is "gpu_model".
std::string RoomOf(const std::string& path) { return FoldersOf(path, DepthOf(path)); }
std::string RowOf(const std::string& path) { return FoldersOf(path, RowDepthOf(path)); }

// Lines `#include "folder/file"` of a text.
std::vector<Include> IncludesOf(const std::string& file, std::istream& text) {
  constexpr std::string_view kStart = "#include \"";
  std::vector<Include> includes;
  size_t number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    if (!line.starts_with(kStart)) continue;
    const size_t end = line.find('"', kStart.size());
    includes.push_back({file, number, line.substr(kStart.size(), end - kStart.size())});
  }
  return includes;
}

bool IsRow(const std::string& row_name) {
  return std::any_of(kMayKnow.begin(), kMayKnow.end(),
                     [&](const auto& row) { return row.first == row_name; });
}

std::vector<Include> IncludesOfTheTree() {
  std::vector<Include> includes;
  for (const auto& [room, known] : kMayKnow) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(room)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cc" && extension != ".in") continue;
      std::ifstream text(entry.path());
      for (Include& include : IncludesOf(entry.path().string(), text)) {
        if (IsRow(RowOf(include.included))) includes.push_back(std::move(include));
      }
    }
  }
  return includes;
}

// "systemc/gpu.h:7: systemc may not include analyzer/..." for each that the table does not allow.
std::vector<std::string> Forbidden(const std::vector<Include>& includes) {
  std::vector<std::string> problems;
  for (const Include& include : includes) {
    const std::string from = RowOf(include.file);
    const std::string to = RowOf(include.included);
    const auto row = std::find_if(kMayKnow.begin(), kMayKnow.end(),
                                  [&](const auto& r) { return r.first == from; });
    if (from == to || row->second.contains(to)) continue;
    problems.push_back(fmt::format("{}:{}: {} may not include \"{}\"", include.file, include.line,
                                   from, include.included));
  }
  return problems;
}

// Rooms in a circle, by the lines that close it. Rooms that nobody in the rest knows, and those
// that know nobody in the rest, are taken away until only circles are left.
std::vector<std::string> Circles(std::vector<Include> includes) {
  std::erase_if(includes, [](const Include& include) {
    return RoomOf(include.file) == RoomOf(include.included);
  });
  for (size_t before = 0; before != includes.size();) {
    before = includes.size();
    std::set<std::string> knows, known;
    for (const Include& include : includes) {
      knows.insert(RoomOf(include.file));
      known.insert(RoomOf(include.included));
    }
    std::erase_if(includes, [&](const Include& include) {
      return !known.contains(RoomOf(include.file)) || !knows.contains(RoomOf(include.included));
    });
  }
  std::vector<std::string> problems;
  for (const Include& include : includes) {
    problems.push_back(fmt::format("{}:{}: \"{}\" is in a circle of rooms", include.file,
                                   include.line, include.included));
  }
  return problems;
}

TEST(IncludeArrows, GoOnlyWhereTheTableAllows) {
  EXPECT_THAT(Forbidden(IncludesOfTheTree()), testing::IsEmpty());
}

TEST(IncludeArrows, MakeNoCircleOfRooms) {
  EXPECT_THAT(Circles(IncludesOfTheTree()), testing::IsEmpty());
}

TEST(IncludeArrows, TheTableIsWithoutCirclesAndLowestFirst) {
  std::set<std::string> below;
  for (const auto& [room, known] : kMayKnow) {
    for (const std::string& other : known) EXPECT_TRUE(below.contains(other)) << room << other;
    below.insert(room);
  }
}

std::vector<Include> Of(const std::string& file, const std::string& text) {
  std::istringstream stream(text);
  return IncludesOf(file, stream);
}

// The test itself: it finds what it looks for, and says where.
TEST(IncludeArrows, AWrongOneIsNamedByFileAndLine) {
  const auto includes = Of("systemc/gpu.h",
                           "// text\n#include <vector>\n\n"
                           "#include \"analyzer/locality/sharers.h\"\n");
  EXPECT_THAT(Forbidden(includes), testing::ElementsAre("systemc/gpu.h:4: systemc may not include "
                                                        "\"analyzer/locality/sharers.h\""));
}

TEST(IncludeArrows, ACircleIsNamedByItsLinesAndWhatOnlyLeadsToItIsNot) {
  std::vector<Include> includes = Of("gpu_model/sm/a.h", "#include \"gpu_model/memory/b.h\"\n");
  const auto add = [&](const char* file, const char* text) {
    for (Include& include : Of(file, text)) includes.push_back(std::move(include));
  };
  add("gpu_model/memory/b.h", "#include \"base/error.h\"\n#include \"gpu_model/machines/c.h\"\n");
  EXPECT_THAT(Circles(includes), testing::IsEmpty());
  add("gpu_model/machines/c.h", "\n#include \"gpu_model/memory/d.h\"\n");
  EXPECT_THAT(Circles(includes),
              testing::ElementsAre(
                  "gpu_model/memory/b.h:2: \"gpu_model/machines/c.h\" is in a circle of rooms",
                  "gpu_model/machines/c.h:2: \"gpu_model/memory/d.h\" is in a circle of rooms"));
}

}  // namespace include_arrows_test
}  // namespace flagstone
