// What a checkpoint's first line keeps of a launch that has run: all of its record but the counts.
#ifndef FLAGSTONE_FLOW_CHECKPOINT_LAUNCH_H_
#define FLAGSTONE_FLOW_CHECKPOINT_LAUNCH_H_

#include <nlohmann/json.hpp>

#include "record/launch_record.h"

namespace flagstone {

using CheckpointJson = nlohmann::ordered_json;

CheckpointJson LaunchToCheckpoint(const LaunchRecord& launch);
// Throws what the library throws where a key is missing or of another type.
LaunchRecord LaunchFromCheckpoint(const CheckpointJson& json);

}  // namespace flagstone

#endif  // FLAGSTONE_FLOW_CHECKPOINT_LAUNCH_H_
