// Symbolic addresses of a kernel's global accesses at one launch: the product of the address
// analysis, and what footprints (PAVER, section 3.3) are computed from.
#ifndef FLAGSTONE_ANALYZER_ADDRESS_ADDRESS_FORM_H_
#define FLAGSTONE_ANALYZER_ADDRESS_ADDRESS_FORM_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/launch/kernel_launch.h"
#include "kernels/ptx/types.h"

namespace flagstone {

class ConstantBytes;  // constant_bytes.h

// A counted loop of the kernel: its counter runs 0, 1, ... trip_count - 1.
struct CountedLoop {
  uint32_t header_pc = 0;
  uint32_t parent = ~uint32_t{0};  // index of the loop around it
  bool known = false;              // the trip count is the same for all threads and known
  bool bounded = false;            // not the same for all, but at most trip_count: the accesses'
                                   // guards say which iterations run
  uint64_t trip_count = 0;
  std::string reason;  // why it is neither; empty otherwise
};

// constant + sum(tid[d] * tid_d) + sum(ctaid[d] * ctaid_d) + sum(loops[l] * counter_l), all with
// the launch's parameters and dimensions already put in. Signed 64-bit.
struct AffineForm {
  int64_t constant = 0;
  std::array<int64_t, 3> tid = {0, 0, 0};
  std::array<int64_t, 3> ctaid = {0, 0, 0};
  std::vector<int64_t> loops;  // by loop index, possibly shorter than the loop table

  bool operator==(const AffineForm&) const = default;
};

// The access happens only for threads and iterations with form >= 0 (for each guard of a list).
struct Guard {
  AffineForm form;
};

enum class AddressClass : uint8_t {
  kAffine,         // an affine form under affine guards
  kDeterministic,  // a function of ids, parameters and counters, but not an affine one
  kIndirect,       // depends on a value loaded from memory
};
std::string_view ToString(AddressClass address_class);

// A load (or atomic) whose result an address depends on.
struct LoadLink {
  uint32_t pc = 0;
  int line = 0;                            // of the PTX file
  ptx::Space space = ptx::Space::kGlobal;  // where it loads from; kGeneric if that is not known
  std::string array;                       // buffer or variable, "?" when unknown
};

// A kAffine access happens once for each thread and each combination of counters (0 up to the trip
// count) of `loops` that its guards let through; a loop that is neither known nor bounded has no
// part in form or guards and counts as one iteration.
struct AddressForm {
  uint32_t pc = 0;         // instruction index in the kernel
  int line = 0;            // of the PTX file
  bool is_store = false;   // it writes: st, atom, red, and copies to global memory
  bool is_atomic = false;  // atom and red, and copies that reduce
  // A bulk copy: all that one thread copies, which is no request of a warp.
  bool is_copy = false;
  uint32_t bytes = 0;  // per thread, vector width included; of a copy of unknown size 0
  // Of a copy of a tensor's box: `bytes` lie in each of these rows, one dimension after the other.
  struct Rows {
    int64_t stride = 0;  // bytes
    uint32_t count = 1;
    bool operator==(const Rows&) const = default;
  };
  std::vector<Rows> rows;
  AddressClass address_class = AddressClass::kIndirect;
  // The class of the address alone, however the access is guarded: kAffine for a[tid] in a loop
  // whose trip count is loaded. No weaker than address_class, but for accesses that never happen.
  AddressClass pattern = AddressClass::kIndirect;
  AffineForm form;              // of pattern kAffine: the byte address
  std::vector<Guard> guards;    // of kAffine; conjunction; a constant below 0: it never happens
  std::vector<uint32_t> loops;  // loops around the access, outermost first
  std::string array;            // the buffer that the base pointer names, "?" when unknown
  std::string reason;           // why it is not affine; empty otherwise
  // Of kIndirect: what its address depends on, or, where that is no loaded value, what decides
  // whether it happens. In program order: each but the first may depend on those before it.
  std::vector<LoadLink> chain;
  // It depends on what .const memory holds, which a launch fixes: affine or deterministic as it is,
  // a compiler that traces registers back finds a load.
  bool from_constants = false;

  // The same address in all threads of a TB: affine without tid.
  bool IsUniform() const {
    return pattern == AddressClass::kAffine && form.tid == std::array<int64_t, 3>{};
  }
  uint64_t TotalBytes() const {
    uint64_t total = bytes;
    for (const Rows& of : rows) total *= of.count;
    return total;
  }
  // What counts as one element: its bytes, or the unit that bulk copies are made of.
  uint32_t ElementBytes() const { return is_copy && bytes > 16 ? 16 : bytes; }
  // From the first byte of a thread to its last.
  uint64_t Reach() const {
    uint64_t reach = bytes;
    for (const Rows& of : rows) reach += static_cast<uint64_t>(of.stride) * (of.count - 1);
    return reach;
  }
  // Indirect, but only through parameters at varying places, as where a kernel picks its buffers
  // from a table.
  bool IsFromConstantTable() const;
};

struct AddressAnalysis {
  std::vector<CountedLoop> loops;
  // ld, st, atom, red and asynchronous copies on global memory, also through generic addresses; in
  // program order.
  std::vector<AddressForm> accesses;
  // What deterministic accesses find in .const memory.
  std::shared_ptr<const ConstantBytes> constants;
};

}  // namespace flagstone

#endif  // FLAGSTONE_ANALYZER_ADDRESS_ADDRESS_FORM_H_
