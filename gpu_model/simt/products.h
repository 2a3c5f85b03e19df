// The products of wgmma that a TB's warps have under way, and the rules that the PTX ISA has for
// them (sections 9.7.15.1 and 9.7.15.7). Values are there at once: what is kept here only tells
// whether a program may read them yet.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_PRODUCTS_H_
#define FLAGSTONE_GPU_MODEL_SIMT_PRODUCTS_H_

#include <array>
#include <cstdint>
#include <vector>

#include "gpu_model/simt/code.h"
#include "gpu_model/simt/warpgroup.h"

namespace flagstone::simt {

// Of a warp. Groups count from 1; what stands last is still open.
struct WarpProducts {
  struct Use {
    uint32_t group = 0;  // of the last product that has the register; 0: none
    uint32_t pc = 0;
  };
  struct Write {
    uint32_t fences = ~uint32_t{0};  // that had been executed then
    uint32_t pc = 0;
  };

  void Start(size_t watched);
  bool UnderWay(const Use& use) const { return use.group > waited; }
  void Commit() { ++open; }
  void Wait(uint64_t pending);

  std::vector<Use> sums, factors;  // by WatchedId
  std::vector<Write> writes;       // the last one by an instruction other than wgmma
  uint32_t open = 1;               // the group at hand
  uint32_t waited = 0;             // the last group whose products are there
  uint32_t fences = 0;
};

// What a warp multiplies; the same in the four warps of a warpgroup.
struct ProductEntry {
  uint32_t pc = 0;
  uint64_t a = 0, b = 0;  // descriptors; of A in registers: 0
  bool operator==(const ProductEntry&) const = default;
};

// The order of a warpgroup's products, as the warp that is ahead has them.
class ProductLog {
 public:
  void Start();
  // A warp (0 to 3) comes to its next product. Null: as the others have it; else theirs.
  const ProductEntry* Add(uint32_t warp, const ProductEntry& entry);
  // The next one that others have and this warp has not; null: none.
  const ProductEntry* Missing(uint32_t warp) const;

 private:
  std::vector<ProductEntry> entries_;  // that not all four have done
  std::array<size_t, ptx::WgmmaForm::kWarps> done_ = {};
  ProductEntry other_;
};

// Of one TB slot.
struct TbProducts {
  void Start(const WarpgroupCode& code, uint32_t warp_count);
  std::vector<WarpProducts> warps;
  std::vector<ProductLog> logs;  // of each warpgroup
};

// Throws where a register is read or written that a product under way uses.
void CheckRegisters(const Context& c, const Inst& inst, const RegisterWatch& watch);
// The wgmma has its own registers from now on in the group at hand. Throws where its A is a sum
// that is still under way; notes as findings what no wgmma.fence has ordered.
void TakeRegisters(const Context& c, const Inst& inst, const WarpgroupSlots& slots);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_PRODUCTS_H_
