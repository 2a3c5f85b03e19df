// Makes the steps of a warp from what it executes. Internal to this folder.
#ifndef FLAGSTONE_ANALYZER_REPLAY_WARP_TRACE_H_
#define FLAGSTONE_ANALYZER_REPLAY_WARP_TRACE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analyzer/address/address_form.h"
#include "analyzer/replay/code_between.h"
#include "analyzer/replay/trace.h"
#include "gpu_model/sm/coalescer.h"

namespace flagstone::replay {

// The launch's global accesses by index, and the index by pc.
struct AccessTable {
  std::vector<const AddressForm*> forms;
  std::vector<uint32_t> index_of;
};

class WarpTrace {
 public:
  WarpTrace(const AccessTable& table, CodeBetween* code) : table_(table), code_(*code) {}

  void Begin();
  // `by_sector`: copies come one sector after the other.
  void Access(uint32_t pc, uint32_t lanes, const LaneAddresses& addresses, bool by_sector);
  void AppendTo(Trace* trace);

 private:
  uint16_t Go(uint32_t to);
  void Await(uint32_t load, uint16_t gap);
  void Push(Step::Kind kind, uint16_t gap, uint32_t line);
  void Add(LineNumber line, SectorMask sectors);
  void AddCopy(const AddressForm& form, uint32_t lanes, const LaneAddresses& addresses);

  const AccessTable& table_;
  CodeBetween& code_;
  std::vector<Step> steps_;
  std::vector<uint32_t> last_;     // load of each access
  std::vector<uint32_t> commits_;  // loads before each
  std::vector<uint64_t> starts_;
  uint32_t from_ = CodeBetween::kStart;
  uint32_t loads_ = 0, awaited_ = 0;
};

}  // namespace flagstone::replay

#endif  // FLAGSTONE_ANALYZER_REPLAY_WARP_TRACE_H_
