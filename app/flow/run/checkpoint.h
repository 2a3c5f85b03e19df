// A run between two launches, in a file: saved after each launch, and taken up again later.
//
// Format, version 3: a line of JSON, then bytes as the host holds them (little-endian).
//   {"schema": "flagstone.checkpoint/3", version, config_hash, input_hash, engine, values,
//    position, lockstep_cycles, blocks[], launches[] {entry, grid, block, occupancy,
//    load_prefetches, analysis, nodes}, pages[], regions[] {name, address, size, writable},
//    l2[] bytes, read_only[][] bytes}\n
//   LaunchStatistics of each launch | contents of each region | tags of each kept cache, of as many
//   bytes as the line says | FNV-1a of all before, 8 bytes
// An L2 that is not kept is not in it: each launch starts from one that the copies have warmed, or
// an empty one.
#ifndef FLAGSTONE_APP_FLOW_RUN_CHECKPOINT_H_
#define FLAGSTONE_APP_FLOW_RUN_CHECKPOINT_H_

#include <string>

#include "app/flow/run/run_options.h"
#include "app/results/run_record.h"
#include "gpu_model/memory/kept_caches.h"
#include "gpu_model/memory/page_table.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/launch_sequence.h"

namespace flagstone {

// What a run has reached between two launches.
struct RunState {
  RunRecord* record;
  LaunchSequence* sequence;
  DeviceMemory* memory;
  PageTable* pages;
  KeptCaches* caches;
};

// After a launch has run. Replaces the file as a whole, or leaves the old one.
void SaveCheckpoint(const std::string& file, const RunOptions& options, const RunState& state);

// The record holds the hashes of the run that goes on, and takes the launches of before; the memory
// is bound to the workload as it was at the start. Throws kBadInput, in one line, for a file that
// is no checkpoint, is damaged, or belongs to another version, workload or configuration.
void LoadCheckpoint(const std::string& file, const RunOptions& options, const RunState& state);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_RUN_CHECKPOINT_H_
