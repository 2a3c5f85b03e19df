#include "synth/detail_json.h"

#include <algorithm>
#include <sstream>

#include "base/file.h"
#include "synth/mapping.h"
#include "synth/treemap.h"

namespace flagstone {
namespace {

constexpr double kPsPerNs = 1000;

// A line of the report: [cap] [slew] delay time ^|v pin (cell). False for any other.
bool ReadStage(const std::string& line, PathStage* stage) {
  std::istringstream words(line);
  std::vector<double> numbers;
  std::string word;
  while (words >> word && word != "^" && word != "v") {
    try {
      numbers.push_back(std::stod(word));
    } catch (const std::exception&) {
      return false;
    }
  }
  if (!words || numbers.size() < 2 || !(words >> stage->pin)) return false;
  std::getline(words, word);
  const size_t open = word.find('('), close = word.rfind(')');
  // Without a cell: the clock, or the delay outside of an input.
  if (open == std::string::npos || close == std::string::npos || close < open) return false;
  stage->cell = word.substr(open + 1, close - open - 1);
  std::erase(stage->pin, '\\');
  if (const size_t mark = stage->pin.find("$cell"); mark != std::string::npos) {
    stage->pin.erase(mark, 5);
  }
  stage->arrival_ps = numbers.back() * kPsPerNs;
  stage->delay_ps = numbers[numbers.size() - 2] * kPsPerNs;
  return true;
}

}  // namespace

std::vector<PathStage> StagesOf(std::string_view report) {
  std::vector<PathStage> stages;
  std::istringstream lines{std::string(report)};
  for (std::string line; std::getline(lines, line);) {
    if (line.find("data arrival time") != std::string::npos) break;
    PathStage stage;
    if (ReadStage(line, &stage)) stages.push_back(std::move(stage));
  }
  return stages;
}

void PutDetail(const SynthResult& result, const CellLibrary& library,
               nlohmann::ordered_json* block) {
  const MappedBlock mapped = ReadMapped(result.block, library, result.folder);
  (*block)["instances"] = nlohmann::ordered_json::array();
  for (const TreemapTile& tile : AreaByInstance(mapped, std::string(result.block.name))) {
    (*block)["instances"].push_back(
        {{"path", tile.label}, {"area_um2", tile.area}, {"flip_flops", tile.flip_flops}});
  }
  nlohmann::ordered_json& stages = (*block)["worst_path"]["stages"];
  stages = nlohmann::ordered_json::array();
  if (result.fmax_mhz <= 0) return;
  for (const PathStage& stage : StagesOf(ReadFile(result.folder / "timing.rpt"))) {
    stages.push_back({{"cell", stage.cell},
                      {"pin", stage.pin},
                      {"delay_ps", stage.delay_ps},
                      {"arrival_ps", stage.arrival_ps}});
  }
}

}  // namespace flagstone
