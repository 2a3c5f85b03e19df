// What an L2 slice of a machine of several nodes does with a request: LADM's caching of remote
// lines as one table, which the slice applies without knowing why.
#ifndef FLAGSTONE_GPU_MODEL_MEMORY_L2_DECISION_H_
#define FLAGSTONE_GPU_MODEL_MEMORY_L2_DECISION_H_

#include <cstdint>

#include "gpu_model/memory/packet.h"

namespace flagstone {

// Who asks for whose line (LADM, section V.B): an SM of the node for one that is at home here or
// elsewhere, or another node for one that is at home here.
enum class L2Class : uint8_t { kLocalLocal, kLocalRemote, kRemoteLocal };
inline constexpr size_t kL2Classes = 3;

struct L2Decision {
  bool probe = false;       // look the line up
  bool allocate = false;    // a miss takes a way
  bool touch = false;       // a hit becomes the most recently used
  bool forward = false;     // to the line's home: a read on a miss, all else always
  bool invalidate = false;  // a hit is dropped
};

// `once`: RONCE, a line that another node asks for is kept there alone. `remote_caching`: a node
// keeps lines of others at all.
inline L2Decision DecideL2(L2Class request, PacketKind kind, bool once, bool remote_caching) {
  const bool reads = kind == PacketKind::kRead || kind == PacketKind::kUncachedRead;
  switch (request) {
    case L2Class::kLocalRemote:
      if (!remote_caching) return {.forward = true};
      // A write updates the line that is here, which stays clean; an atomic is done at the home.
      if (kind == PacketKind::kWrite) return {.probe = true, .forward = true};
      if (kind == PacketKind::kAtomic) return {.probe = true, .forward = true, .invalidate = true};
      return {.probe = true, .allocate = true, .touch = true, .forward = true};
    case L2Class::kRemoteLocal:
      if (once && reads) return {.probe = true};
      break;
    case L2Class::kLocalLocal:
      break;
  }
  return {.probe = true, .allocate = true, .touch = true};
}

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MEMORY_L2_DECISION_H_
