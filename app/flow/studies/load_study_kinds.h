// What the kinds of studies have, and how published figures of kernels are read and judged.
// Internal to this folder.
#ifndef FLAGSTONE_APP_FLOW_STUDIES_LOAD_STUDY_KINDS_H_
#define FLAGSTONE_APP_FLOW_STUDIES_LOAD_STUDY_KINDS_H_

#include <span>
#include <string_view>
#include <vector>

#include "app/flow/studies/load_study.h"

namespace flagstone {

struct LoadStudyKind {
  LoadStudy::Kind kind;
  std::string_view name;  // the key `study`
  bool has_machine = true;
  // Of kernels with published figures, else nothing: their keys, and the functions of the study's
  // own header.
  std::vector<std::string_view> their_keys = {};
  Json (*read)(const TomlReader& reader) = nullptr;
  bool (*agrees)(const Json& row) = nullptr;
  Json (*summarize)(const Json& rows) = nullptr;
  bool takes_others = false;  // workloads, and kernels, of which nothing is published

  bool HasPublished() const { return read != nullptr; }
  bool TakesWorkloads() const { return !HasPublished() || takes_others; }
};

std::span<const LoadStudyKind> LoadStudyKinds();
const LoadStudyKind& KindOf(const LoadStudy& study);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_STUDIES_LOAD_STUDY_KINDS_H_
