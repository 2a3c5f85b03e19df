// Reads of device memory by the host on behalf of a thread, through generic addresses.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_GENERIC_MEMORY_H_
#define FLAGSTONE_GPU_MODEL_SIMT_GENERIC_MEMORY_H_

#include <cstdint>
#include <span>
#include <string>

#include "gpu_model/simt/code.h"

namespace flagstone::simt {

// Addresses are the 64-bit form of generic ones. Throws kRunFailed, naming the thread, where the
// bytes do not all lie in one memory.
void ReadGeneric(const Context& context, const Inst& inst, uint32_t lane, uint64_t address,
                 std::span<std::byte> into);
// Up to its zero byte; strings of more than 64 KiB are cut there.
std::string ReadString(const Context& context, const Inst& inst, uint32_t lane, uint64_t address);

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_GENERIC_MEMORY_H_
