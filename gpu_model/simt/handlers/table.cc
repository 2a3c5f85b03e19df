// The set of handlers of this instruction set of the host.
#include "gpu_model/simt/handlers/lanes.h"

namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT {

#define FLAGSTONE_NAME_OF(variant) #variant
#define FLAGSTONE_NAME(variant) FLAGSTONE_NAME_OF(variant)

const HandlerSet& Table() {
  static constexpr HandlerSet kTable = {
      FLAGSTONE_NAME(FLAGSTONE_SIMT_VARIANT),
      SelectInteger,
      SelectBits,
      SelectPredicate,
      SelectCompare,
      SelectSet,
      SelectFloating,
      SelectApproximate,
      SelectConvert,
      SelectMove,
      SelectCvta,
      SelectMemory,
      SelectTouch,
      SelectConstantLoad,
      SelectAtomic,
      MultiplyFloats,
      MultiplyIntegers,
  };
  return kTable;
}

}  // namespace flagstone::simt::FLAGSTONE_SIMT_VARIANT
