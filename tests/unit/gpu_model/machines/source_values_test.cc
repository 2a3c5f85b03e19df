// The machines of the papers against source_values.csv: what each source says, key by key. There,
// options (-...) are those of GPGPU-Sim 4.2's configs/tested-cfgs/SM2_GTX480, SM6_TITANX and
// SM7_TITANV for fermi, pascal and volta; that the L1 is of an older version, and caps_fermi of
// version 3.2.2, the heads of the machine files say. "assumption": no source fixes the value.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "gpu_model/machines/machine.h"

namespace flagstone {
namespace source_values_test {

constexpr size_t kFirstMachine = 1;  // before it the key, after the last one the source
constexpr size_t kSource = 6;

// The source may hold semicolons.
std::vector<std::string> Cells(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  std::string cell;
  while (cells.size() < kSource && std::getline(stream, cell, ';')) cells.push_back(cell);
  if (std::getline(stream, cell)) cells.push_back(cell);
  return cells;
}

// The values of a machine by key, without quotes.
std::map<std::string, std::string> ValuesOf(const std::string& machine) {
  std::map<std::string, std::string> values;
  std::istringstream canonical(MachineConfig::Load(machine, {}).Canonical());
  for (std::string line; std::getline(canonical, line);) {
    const size_t at = line.find(" = ");
    std::string value = line.substr(at + 3);
    if (line.starts_with("energy.")) continue;  // their sources stand in docs/energy.md
    if (value.starts_with('"')) value = value.substr(1, value.size() - 2);
    values[line.substr(0, at)] = value;
  }
  values.erase("name");
  values.erase("description");
  return values;
}

TEST(SourceValues, OfEveryKeyAreThoseOfTheMachines) {
  std::istringstream table(ReadFile("tests/unit/gpu_model/machines/source_values.csv"));
  std::string line;
  std::getline(table, line);
  const std::vector<std::string> head = Cells(line);
  ASSERT_THAT(head, testing::ElementsAre("key", "fermi", "pascal", "pascal_lines", "volta",
                                         "caps_fermi", "source"));
  std::vector<std::map<std::string, std::string>> stated(head.size());
  while (std::getline(table, line)) {
    const std::vector<std::string> cells = Cells(line);
    ASSERT_EQ(cells.size(), head.size()) << "a cell is missing: " << line;
    for (size_t i = kFirstMachine; i < kSource; ++i) stated[i][cells[0]] = cells[i];
  }
  for (size_t i = kFirstMachine; i < kSource; ++i) {
    EXPECT_EQ(ValuesOf(head[i]), stated[i]) << head[i];
  }
}

}  // namespace source_values_test
}  // namespace flagstone
