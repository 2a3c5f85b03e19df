// Where the code of a PTX text reads %ctaid: what an order of TBs has to stand in the place of.
#ifndef FLAGSTONE_APP_ORDER_CTAID_READS_H_
#define FLAGSTONE_APP_ORDER_CTAID_READS_H_

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace flagstone {

// A read of %ctaid.x in the text.
struct CtaidRead {
  size_t begin = 0, end = 0;
  int axis = 0;
};

// The code between the braces of an entry or a device function.
struct PtxBody {
  std::string name;
  bool is_entry = false;
  int line = 0;
  size_t declared = 0;  // where its declaration begins
  size_t begin = 0;     // behind the brace
  std::vector<CtaidRead> reads;
  std::set<std::string> names;  // all identifiers: a call names its function
};

// All bodies, in the order of the text. Throws kBadInput where %ctaid is read as a vector, and for
// a kernel with clusters. `file`: for messages.
std::vector<PtxBody> FindCtaidReads(std::string_view text, const std::string& file);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_ORDER_CTAID_READS_H_
