// Where TBs run and pages lie as a user's file says.
#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/placement/placement.h"
#include "base/error.h"
#include "base/file.h"
#include "kernels/inputs/line_reader.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

// First to last, both in it, and again from every `step` on; 0: once.
struct ManualPlaces {
  uint64_t first = 0, last = 0, step = 0;

  template <class Act>
  void ForEach(uint64_t count, const Act& act) const {
    for (uint64_t start = first; start < count; start += step) {
      for (uint64_t at = start; at < count && at - start <= last - first; ++at) act(at);
      if (step == 0) return;
    }
  }
};

// A comment goes from # to its line's end.
std::string WithoutComments(std::string text) {
  bool comment = false;
  for (char& c : text) {
    comment = c != '\n' && (comment || c == '#');
    if (comment) c = ' ';
  }
  return text;
}

class ManualReader {
 public:
  ManualReader(const PlacementInput& input, const std::string& text)
      : input_(input), reader_(text, std::string(input.file)), tbs_(input.nodes.Nodes()) {
    named_.assign(input.launch->TbCount(), 0);
  }

  NodePlan Read() {
    bool meant = true;  // the lines are for this launch's kernel
    while (reader_.NextUncommented("")) {
      const std::string what = reader_.Word();
      if (what == "kernel") {
        const std::string kernel = reader_.Word();
        if (kernel.empty()) reader_.Fail("expected a kernel's name");
        meant = kernel == input_.launch->kernel->name;
        reader_.EndOfLine();
      } else if (what == "tbs") {
        ReadTbs(meant);
      } else if (what == "pages") {
        ReadPages(meant);
      } else if (what == "caching") {
        ReadCaching(meant);
      } else {
        reader_.Fail("'{}': expected kernel, tbs, pages or caching", what);
      }
    }
    AddOtherTbs();
    for (std::vector<uint32_t>& of_node : tbs_) {
      TbGroups& queue = plan_.queues.emplace_back();
      for (const uint32_t tb : of_node) queue.groups.push_back({tb});
    }
    return std::move(plan_);
  }

 private:
  static constexpr uint64_t kMostSteps = uint64_t{1} << 32;

  // "7 NODE", "4-7 NODE" or "4-7 NODE every 16", to the line's end.
  ManualPlaces ReadPlaces(const char* what, uint32_t* node) {
    const std::string word = reader_.Word();
    const char* const end = word.data() + word.size();
    ManualPlaces places;
    auto [stop, error] = std::from_chars(word.data(), end, places.first);
    places.last = places.first;
    if (error == std::errc{} && stop != end && *stop == '-') {
      const auto second = std::from_chars(stop + 1, end, places.last);
      stop = second.ptr;
      error = second.ec;
    }
    if (error != std::errc{} || stop != end || places.last < places.first) {
      reader_.Fail("'{}': expected {} as FIRST-LAST or one number", word, what);
    }
    *node = static_cast<uint32_t>(reader_.Integer("node", 0, input_.nodes.Nodes() - 1));
    if (reader_.AtEndOfLine()) return places;
    if (const std::string every = reader_.Word(); every != "every") {
      reader_.Fail("'{}': expected 'every STEP' or the line's end", every);
    }
    places.step = reader_.Integer("step", places.last - places.first + 1, kMostSteps);
    reader_.EndOfLine();
    return places;
  }

  void ReadTbs(bool meant) {
    uint32_t node = 0;
    const ManualPlaces tbs = ReadPlaces("TBs", &node);
    if (!meant) return;
    if (tbs.last >= named_.size()) {
      reader_.Fail("TB {} of kernel {}, which has {}", tbs.last, input_.launch->kernel->name,
                   named_.size());
    }
    tbs.ForEach(named_.size(), [&](uint64_t tb) {
      if (named_[tb] != 0) reader_.Fail("TB {} has a node already", tb);
      named_[tb] = 1;
      tbs_[node].push_back(static_cast<uint32_t>(tb));
    });
  }

  void ReadPages(bool meant) {
    const std::string buffer = reader_.Word();
    uint32_t node = 0;
    const ManualPlaces pages = ReadPlaces("pages", &node);
    if (!meant) return;
    const auto& regions = input_.memory->regions();
    const auto region = std::find_if(regions.begin(), regions.end(),
                                     [&](const auto& r) { return r.name == buffer; });
    if (region == regions.end()) {
      std::string known;
      for (const auto& r : regions) known += (known.empty() ? "" : " ") + r.name;
      reader_.Fail("buffer '{}': expected one of: {}", buffer, known);
    }
    std::vector<uint8_t>& owners = plan_.owners[buffer];
    owners.resize((region->size + input_.page_bytes - 1) / input_.page_bytes, NodePlan::kNoOwner);
    if (pages.last >= owners.size()) {
      reader_.Fail("page {} of buffer {}, which has {}", pages.last, buffer, owners.size());
    }
    pages.ForEach(owners.size(), [&](uint64_t page) {
      if (owners[page] != NodePlan::kNoOwner) {
        reader_.Fail("page {} of buffer {} has a node already", page, buffer);
      }
      owners[page] = static_cast<uint8_t>(node);
    });
  }

  void ReadCaching(bool meant) {
    const std::string caching = reader_.Word();
    if (caching != "rtwice" && caching != "ronce") {
      reader_.Fail("caching '{}': expected rtwice or ronce", caching);
    }
    reader_.EndOfLine();
    if (meant) plan_.once = caching == "ronce";
  }

  void AddOtherTbs() {
    const DealUnits parts = Parts(input_.nodes, named_.size());
    for (uint64_t tb = 0; tb < named_.size(); ++tb) {
      if (named_[tb] == 0) tbs_[Deal(input_.nodes, parts, tb)].push_back(static_cast<uint32_t>(tb));
    }
  }

  const PlacementInput& input_;
  LineReader reader_;
  std::vector<std::vector<uint32_t>> tbs_;  // of each node
  std::vector<uint8_t> named_;              // TBs: 1: it is
  NodePlan plan_;
};

}  // namespace

NodePlan PlanManual(const PlacementInput& input) {
  if (input.file.empty()) ThrowBadInput("policy 'manual': expected manual:FILE");
  const std::string text = WithoutComments(ReadFile(std::string(input.file)));
  return ManualReader(input, text).Read();
}

}  // namespace flagstone
