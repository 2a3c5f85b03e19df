// What a checkpoint's first line keeps of a launch that has run: all of its record but the counts.
#ifndef FLAGSTONE_APP_FLOW_RUN_CHECKPOINT_LAUNCH_H_
#define FLAGSTONE_APP_FLOW_RUN_CHECKPOINT_LAUNCH_H_

#include <nlohmann/json.hpp>

#include "app/results/launch_record.h"

namespace flagstone {

using CheckpointJson = nlohmann::ordered_json;

CheckpointJson LaunchToCheckpoint(const LaunchRecord& launch);
// Throws what the library throws where a key is missing or of another type.
LaunchRecord LaunchFromCheckpoint(const CheckpointJson& json);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_RUN_CHECKPOINT_LAUNCH_H_
