// A run between two launches, in a file: saved after each launch, and taken up again later.
//
// Format, version 2: a line of JSON, then bytes as the host holds them (little-endian).
//   {"schema": "flagstone.checkpoint/2", version, config_hash, input_hash, engine, values,
//    position, lockstep_cycles, blocks[], launches[] {entry, grid, block, occupancy,
//    load_prefetches, analysis, nodes}, pages[], regions[] {name, address, size, writable}}\n
//   LaunchStatistics of each launch | contents of each region | FNV-1a of all before, 8 bytes
// The L2 is not in it: each launch starts from one that the copies have warmed, or an empty one.
#ifndef FLAGSTONE_FLOW_CHECKPOINT_H_
#define FLAGSTONE_FLOW_CHECKPOINT_H_

#include <string>

#include "gpu_model/memory/page_table.h"
#include "launch/device_memory.h"
#include "launch/launch_sequence.h"
#include "record/run_record.h"
#include "systemc/run_options.h"

namespace flagstone {

// After a launch has run. Replaces the file as a whole, or leaves the old one.
void SaveCheckpoint(const std::string& file, const RunOptions& options, const RunRecord& record,
                    const LaunchSequence& sequence, const DeviceMemory& memory,
                    const PageTable& pages);

// `record` holds the hashes of the run that goes on, and takes the launches of before; `memory` is
// bound to the workload as it was at the start. Throws kBadInput, in one line, for a file that is
// no checkpoint, is damaged, or belongs to another version, workload or configuration.
void LoadCheckpoint(const std::string& file, const RunOptions& options, RunRecord* record,
                    LaunchSequence* sequence, DeviceMemory* memory, PageTable* pages);

}  // namespace flagstone

#endif  // FLAGSTONE_FLOW_CHECKPOINT_H_
