// Results as JSON (schema flagstone.run/1: docs/results.md). A new key keeps a schema's number, a
// changed meaning raises it; every key is always there, null where a value is undefined.
#ifndef FLAGSTONE_APP_RESULTS_RUN_JSON_H_
#define FLAGSTONE_APP_RESULTS_RUN_JSON_H_

#include <nlohmann/json.hpp>
#include <string>

#include "app/results/run_record.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone {

// Keys keep the order in which they were put in.
using Json = nlohmann::ordered_json;

inline Json ToJson(const Dim3& dim) { return Json::array({dim.x, dim.y, dim.z}); }
inline Json OrNull(bool defined, const Json& value) { return defined ? value : Json(nullptr); }

// `version` and `command` say what made the result. With `detail`, the keys that grow with the
// launch and the chip are there too (app/results/detail_json.h).
Json ToJson(const RunRecord& record, const std::string& version, const std::string& command,
            bool detail = false);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_RESULTS_RUN_JSON_H_
