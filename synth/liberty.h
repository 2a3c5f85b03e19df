// The Liberty format as a tree of groups, before anything in it has a meaning.
#ifndef FLAGSTONE_SYNTH_LIBERTY_H_
#define FLAGSTONE_SYNTH_LIBERTY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flagstone {

// `name (arguments) { attributes and groups }`.
struct LibertyGroup {
  std::string name;
  std::vector<std::string> arguments;
  uint32_t line = 0;
  // `name : value;` and `name (value, ...);`, in the order of the file, quotes removed.
  struct Attribute {
    std::string name;
    std::vector<std::string> values;
    uint32_t line = 0;
  };
  std::vector<Attribute> attributes;
  std::vector<LibertyGroup> groups;

  // The first attribute of this name, or null.
  const Attribute* Find(std::string_view attribute) const;
  // Its first value, or "".
  std::string_view Value(std::string_view attribute) const;
};

// The file's one `library` group. `file` names it in errors (kBadInput, "file:line: ...").
LibertyGroup ParseLiberty(std::string_view text, const std::string& file);

}  // namespace flagstone

#endif  // FLAGSTONE_SYNTH_LIBERTY_H_
