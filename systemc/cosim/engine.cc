#include "systemc/cosim/engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace flagstone {
namespace {

bool IsIn(std::string_view path, std::string_view scope) {
  return path.starts_with(scope) && (path.size() == scope.size() || path[scope.size()] == '.');
}

}  // namespace

bool WaveRequest::Covers(std::string_view path) const {
  return scope.empty() || std::any_of(scope.begin(), scope.end(), [&](const std::string& wanted) {
           return IsIn(path, wanted);
         });
}

WaveRequest WaveRequest::OfBlock(const std::string& path) const {
  if (scope.empty() || !Covers(path)) return {};
  WaveRequest wave = *this;
  if (scope.size() == 1 && scope[0] == path) return wave;
  const size_t end = file.ends_with(".fst") ? file.size() - 4 : file.size();
  wave.file.insert(end, "." + path);
  return wave;
}

void CheckScope(const WaveRequest& wave, std::span<const std::string> paths) {
  for (const std::string& wanted : wave.scope) {
    if (std::any_of(paths.begin(), paths.end(),
                    [&](const std::string& path) { return IsIn(path, wanted); })) {
      continue;
    }
    ThrowBadInput("--wave-scope: no hardware block is at '{}': expected some of {}", wanted,
                  fmt::join(paths, ", "));
  }
}

std::string_view ToString(Engine engine) {
  switch (engine) {
    case Engine::kModel:
      return "model";
    case Engine::kRtl:
      return "rtl";
    case Engine::kLockstep:
      return "lockstep";
  }
  return "?";
}

}  // namespace flagstone
