// The dotted words of copies in bulk, of tensor maps and of fences between proxies: they follow one
// another in a fixed way (PTX ISA, sections 9.7.9.25, 9.7.9.27, 9.7.9.28 and 9.7.13.4). Each takes
// the next word, without its dot; false where it may not stand there. `seen` holds bits of
// ModifierClass.
#ifndef FLAGSTONE_KERNELS_PTX_BULK_WORDS_H_
#define FLAGSTONE_KERNELS_PTX_BULK_WORDS_H_

#include <cstdint>
#include <string_view>

#include "kernels/ptx/opcode.h"
#include "kernels/ptx/types.h"

namespace flagstone::ptx {

// After "cp.async.bulk": where to, where from, and how it completes.
bool BulkWord(std::string_view name, Modifiers* modifiers, Space* space, uint64_t* seen);
// After "tensormap".
bool TensormapWord(std::string_view name, Modifiers* modifiers, Space* space, uint64_t* seen);
// After "fence.proxy".
bool ProxyWord(std::string_view name, Modifiers* modifiers);

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_BULK_WORDS_H_
