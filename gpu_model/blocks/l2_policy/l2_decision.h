// What an L2 slice of a machine of several nodes does with a request: LADM's caching of remote
// lines as one table, which the slice applies without knowing why.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_L2_POLICY_L2_DECISION_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_L2_POLICY_L2_DECISION_H_

#include <cstddef>
#include <cstdint>

namespace flagstone {

// As PacketKind has them.
enum class L2RequestKind : uint8_t { kRead, kUncachedRead, kWrite, kAtomic };

// Who asks for whose line (LADM, section V.B): an SM of the node for one that is at home here or
// elsewhere, or another node for one that is at home here.
enum class L2Class : uint8_t { kLocalLocal, kLocalRemote, kRemoteLocal };
inline constexpr size_t kL2Classes = 3;

struct L2Decision {
  L2Class request = L2Class::kLocalLocal;
  bool probe = false;       // look the line up
  bool keep = false;        // a miss takes a way, a hit becomes the most recently used
  bool forward = false;     // to the line's home: a read on a miss, all else always
  bool update = false;      // the data is also written into a hit, which stays clean
  bool invalidate = false;  // a hit is dropped

  bool operator==(const L2Decision&) const = default;
};

// `once`: RONCE, a line that another node asks for is kept there alone. `remote_caching`: a node
// keeps lines of others at all.
inline L2Decision DecideL2(L2Class request, L2RequestKind kind, bool once, bool remote_caching) {
  const bool reads = kind == L2RequestKind::kRead || kind == L2RequestKind::kUncachedRead;
  L2Decision decision = {.request = request, .probe = true, .keep = true};
  switch (request) {
    case L2Class::kLocalRemote:
      decision.probe = remote_caching;
      decision.keep = remote_caching && reads;
      decision.forward = true;
      // A write updates the line that is here; an atomic is done at the home.
      decision.update = remote_caching && kind == L2RequestKind::kWrite;
      decision.invalidate = remote_caching && kind == L2RequestKind::kAtomic;
      break;
    case L2Class::kRemoteLocal:
      decision.keep = !(once && reads);
      break;
    case L2Class::kLocalLocal:
      break;
  }
  return decision;
}

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_L2_POLICY_L2_DECISION_H_
