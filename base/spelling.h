// Which known word somebody may have meant.
#ifndef FLAGSTONE_BASE_SPELLING_H_
#define FLAGSTONE_BASE_SPELLING_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace flagstone {

// Letters to insert, remove or change (Levenshtein).
size_t EditDistance(std::string_view a, std::string_view b);

// Of `known` the word that is the fewest slips away; empty where all are far off.
std::string Nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace flagstone

#endif  // FLAGSTONE_BASE_SPELLING_H_
