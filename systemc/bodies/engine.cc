#include "systemc/bodies/engine.h"

namespace flagstone {

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
