// The longest match of each suffix of a read, by the places of all words of 8 letters in the
// genome.
#include "workloads/reference.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace flagstone {
namespace {

constexpr size_t kWord = 8;

class Genome {
 public:
  explicit Genome(std::string_view text) : text_(text) {
    for (size_t place = 0; place + kWord <= text.size(); ++place) {
      places_[text.substr(place, kWord)].push_back(place);
    }
  }

  struct Match {
    size_t place = 0, length = 0;
  };

  // The first of the places where the most letters of `read` stand.
  Match Longest(std::string_view read) const {
    Match longest;
    const auto found = places_.find(read.substr(0, kWord));
    if (found != places_.end()) {
      for (const size_t place : found->second) {
        const std::string_view there = text_.substr(place, read.size());
        const auto length = static_cast<size_t>(
            std::mismatch(there.begin(), there.end(), read.begin()).first - there.begin());
        if (length > longest.length) longest = {place, length};
      }
      return longest;
    }
    for (size_t length = 1; length <= std::min(kWord, read.size()); ++length) {
      const size_t place = text_.find(read.substr(0, length));
      if (place == std::string_view::npos) break;
      longest = {place, length};
    }
    return longest;
  }

 private:
  std::string_view text_;
  std::map<std::string_view, std::vector<size_t>> places_;
};

}  // namespace

void ComputeMummer(ReferenceData& data) {
  for (size_t launch = 0; launch < data.LaunchCount(); ++launch) {
    const auto letters = data.Buffer<char>(launch, 0);
    const size_t reads = data.Extent(launch, 3);
    const auto starts = data.Buffer<int32_t>(launch, 1, reads);
    const auto lengths = data.Buffer<int32_t>(launch, 2, reads);
    const size_t min_match = data.Extent(launch, 4);
    const size_t genome_length = data.Extent(launch, 5);
    const auto matches = data.Buffer<int32_t>(launch, 6, 2 * letters.size());
    const auto text = data.Named<char>("genome", genome_length);
    const Genome genome({text.data(), text.size()});
    for (size_t read = 0; read < reads; ++read) {
      const auto first = static_cast<size_t>(starts[read]);
      const auto length = static_cast<size_t>(lengths[read]);
      if (starts[read] < 0 || lengths[read] < 0 || first + length > letters.size()) {
        ThrowBadInput("reference 'mummer': read {}: expected letters of the buffer", read);
      }
      for (size_t start = first; start + min_match <= first + length; ++start) {
        const auto match = genome.Longest({&letters[start], first + length - start});
        matches[2 * start] = static_cast<int32_t>(match.place);
        matches[2 * start + 1] = static_cast<int32_t>(match.length);
      }
    }
  }
}

}  // namespace flagstone
