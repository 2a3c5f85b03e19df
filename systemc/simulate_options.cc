#include "systemc/simulate_options.h"

namespace flagstone {

std::string_view ToString(WaveEvent event) {
  switch (event) {
    case WaveEvent::kSteal:
      return "steal";
    case WaveEvent::kFirstPrefetch:
      return "first-prefetch";
    case WaveEvent::kMismatch:
      return "mismatch";
    case WaveEvent::kNone:
      break;
  }
  return "none";
}

}  // namespace flagstone
