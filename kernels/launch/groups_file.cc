#include "kernels/launch/groups_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "kernels/inputs/line_reader.h"
#include "kernels/ptx/kernel.h"

namespace flagstone {
namespace {

// The number that is all of `text`.
std::optional<uint64_t> NumberIn(std::string_view text) {
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

class GroupsReader {
 public:
  GroupsReader(const std::string& file, const std::string& text, const KernelLaunch& launch,
               uint64_t number)
      : file_(file),
        number_(number),
        name_(LaunchLine(launch, number)),
        reader_(text, file),
        grouped_(launch.TbCount()) {
    groups_.steal_enable = true;
  }

  TbGroups Read() {
    bool meant = number_ == 0;  // a file without launches is the first one's
    while (reader_.NextUncommented("#")) {
      const std::string word = reader_.Word();
      if (word == "launch") {
        meant = ReadLaunch();
      } else if (word == "groups:") {
        ReadFacts(meant);
      } else if (meant) {
        ReadGroup(word);
      }
    }
    Check();
    return std::move(groups_);
  }

 private:
  // The rest of the line, its words apart by one blank.
  std::string Rest() {
    std::string rest;
    for (std::string word = reader_.Word(); !word.empty(); word = reader_.Word()) {
      rest += (rest.empty() ? "" : " ") + word;
    }
    return rest;
  }

  // "launch 0", or all of LaunchLine(); says whether it is the launch that is asked for.
  bool ReadLaunch() {
    const std::string rest = Rest();
    const size_t colon = std::min(rest.find(':'), rest.size());
    const std::optional<uint64_t> number = NumberIn(std::string_view(rest).substr(0, colon));
    if (!number) reader_.Fail("launch {}: expected its number", Quoted(rest));
    if (*number != number_) return false;
    if (colon != rest.size() && "launch " + rest != name_) {
      reader_.Fail("these are groups of 'launch {}': expected '{}'", rest, name_);
    }
    return true;
  }

  // "43, task stealing on".
  void ReadFacts(bool meant) {
    const std::string rest = Rest();
    const size_t comma = std::min(rest.find(','), rest.size());
    const std::optional<uint64_t> count = NumberIn(std::string_view(rest).substr(0, comma));
    const std::string_view stealing = std::string_view(rest).substr(comma);
    const bool on = stealing == ", task stealing on";
    if (!count || !(on || stealing == ", task stealing off")) {
      reader_.Fail("groups: {}: expected 'N, task stealing on' or 'off'", Quoted(rest));
    }
    if (!meant) return;
    if (stated_) reader_.Fail("'groups:' again: expected 'launch N' before another launch's");
    stated_ = count;
    groups_.steal_enable = on;
  }

  // "group 0 (3 TBs): 0 4 1", another name before the colon, or the TBs alone.
  void ReadGroup(std::string word) {
    if (!NumberIn(word) && !word.starts_with('-')) {
      while (!word.ends_with(':')) {
        word = reader_.Word();
        if (word.empty()) reader_.Fail("a group's name without an end: expected a colon");
      }
      word = reader_.Word();
    }
    if (word.empty()) reader_.Fail("a group without TBs: expected their ids");
    std::vector<uint32_t>& group = groups_.groups.emplace_back();
    for (; !word.empty(); word = reader_.Word()) group.push_back(TbOf(word));
  }

  uint32_t TbOf(const std::string& word) {
    const std::optional<uint64_t> tb = NumberIn(word);
    if (!tb) reader_.Fail("{}: expected the id of a TB", Quoted(word));
    if (*tb >= grouped_.size()) {
      reader_.Fail("TB {} is beyond '{}' of {} TBs", *tb, name_, grouped_.size());
    }
    if (grouped_[*tb]) reader_.Fail("TB {} is in a group already: expected it once", *tb);
    grouped_[*tb] = true;
    return static_cast<uint32_t>(*tb);
  }

  void Check() const {
    if (groups_.groups.empty()) {
      ThrowBadInput("{}: it has no groups of '{}'", file_, name_);
    }
    for (size_t tb = 0; tb < grouped_.size(); ++tb) {
      if (!grouped_[tb]) {
        ThrowBadInput("{}: TB {} of '{}' is in no group: expected each of {} TBs once", file_, tb,
                      name_, grouped_.size());
      }
    }
    if (stated_ && *stated_ != groups_.groups.size()) {
      ThrowBadInput("{}: '{}' has {} groups: expected {}, as its line 'groups:' says", file_, name_,
                    groups_.groups.size(), *stated_);
    }
  }

  const std::string& file_;
  const uint64_t number_;
  const std::string name_;
  LineReader reader_;
  TbGroups groups_;
  std::vector<bool> grouped_;       // by TB
  std::optional<uint64_t> stated_;  // groups, by the line of facts
};

}  // namespace

std::string LaunchLine(const KernelLaunch& launch, uint64_t number) {
  const std::string depth = launch.grid.z == 1 ? "" : fmt::format(" x {}", launch.grid.z);
  return fmt::format("launch {}: {}, grid {} x {}{}", number, launch.kernel->name, launch.grid.x,
                     launch.grid.y, depth);
}

std::string WriteGroups(const TbGroups& groups, const KernelLaunch& launch, uint64_t number) {
  return LaunchLine(launch, number) + "\n" + DumpGroups(groups);
}

TbGroups ReadGroups(const std::string& file, const KernelLaunch& launch, uint64_t number) {
  const std::string text = ReadFile(file);
  return GroupsReader(file, text, launch, number).Read();
}

}  // namespace flagstone
