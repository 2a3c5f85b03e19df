// A TB scheduler as data: what makes it, what it samples at start, how it is tested. A new one is a
// folder beside this file with a model and a descriptor, and a line in list.cc.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_DESCRIPTOR_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_DESCRIPTOR_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "gpu_model/blocks/descriptor.h"
#include "gpu_model/blocks/tb_scheduler/ports.h"
#include "gpu_model/blocks/tb_scheduler/tb_settings.h"

namespace flagstone {

// A port that is sampled at start: word i of TbSettings goes to the i-th.
struct TbSettingPort {
  // Widths that follow the width of a TB id.
  static constexpr uint32_t kId = 0;       // as a TB id
  static constexpr uint32_t kCount = 255;  // as a number of TBs: one bit more, 32 at most

  std::string_view name;  // the RTL's, less `_i`
  uint32_t bits = kCount;
};

// Where TBs stand that are issued one after the other: in the order of their ids, in a part of the
// ids for each SM, by rows and columns of the grid, in groups of a queue.
enum class TbSequence : uint8_t { kIds, kParts, kGrid, kGroups };

struct TbSchedulerDescriptor {
  std::string_view name;  // the RTL module's, less `_tb_scheduler`
  BlockDescriptor block;
  std::unique_ptr<TbScheduler> (*model)(const TbSchedulerSize& size) = nullptr;
  // TBs come as groups from a queue in memory, and may be stolen: it has the ports for both.
  bool has_queue = false;
  bool by_sector = false;      // its memory answers with 32 bytes, not 16, and it steals by a rule
  bool takes_tb_count = true;  // it has the port tb_count, where it has no queue
  std::vector<TbSettingPort> settings = {};
  // Settings of a kernel like any other, for tests; null: there are none to choose.
  TbSettings (*random_settings)(const TbLaunchShape& shape, SplitMix64* random) = nullptr;
  // Changes the shape of a large grid to one that tries the scheduler's arithmetic, for tests;
  // `most`: TBs. Null: any grid does.
  void (*stretch)(TbLaunchShape* shape, uint64_t most, SplitMix64* random) = nullptr;
  // How the sequence is found without a queue.
  TbSequence without_queue = TbSequence::kIds;
  TbSequence Sequence() const { return has_queue ? TbSequence::kGroups : without_queue; }
  // Its order can say several TBs in a cycle: it may have more than one issue port. One whose way
  // to the next TB is a step that takes a cycle has one, whatever is asked for.
  bool SeveralPorts() const;
  // The proof that it conserves TBs (tests/blocks/formal): cycles from reset, TBs (0: any number up
  // to a few), and what it samples at start, as Verilog's port connections.
  struct {
    uint32_t cycles = 0, tbs = 0;
    std::string_view settings = {};
  } conservation = {};
};

// All of them, in the order in which they are listed (list.cc).
const std::vector<const TbSchedulerDescriptor*>& AllTbSchedulers();
// Throws kInternal for a name that is none.
const TbSchedulerDescriptor* FindTbScheduler(std::string_view name);

// What the descriptors of TB schedulers without a queue have in common. `coverage_id_bits`: of the
// ids in the body that counts coverage; `large_stimuli`: of the mutation row; `several_ports`: it
// may have more than one issue port, and coverage and mutation are of two.
BlockDescriptor TbSchedulerBlock(std::string_view module, std::string_view summary,
                                 uint32_t coverage_id_bits, uint32_t large_stimuli,
                                 bool several_ports = true);

// Of a TB scheduler without a queue.
template <class Model>
std::unique_ptr<TbScheduler> MakeTbSchedulerModel(const TbSchedulerSize& size) {
  return std::make_unique<Model>(size);
}

// Throws kBadInput for a size out of range.
BlockType<TbSchedulerIn, TbSchedulerOut> TbSchedulerType(const TbSchedulerDescriptor& scheduler,
                                                         TbSchedulerSize size);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_TB_SCHEDULER_DESCRIPTOR_H_
