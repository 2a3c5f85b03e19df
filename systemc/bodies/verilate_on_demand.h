// Verilates a TB scheduler with parameters that the program was not built with, on first use.
#ifndef FLAGSTONE_SYSTEMC_BODIES_VERILATE_ON_DEMAND_H_
#define FLAGSTONE_SYSTEMC_BODIES_VERILATE_ON_DEMAND_H_

#include <cstdint>
#include <filesystem>

#include "systemc/bodies/engine.h"
#include "systemc/bodies/tb_scheduler_abi.h"

namespace flagstone {

// $XDG_CACHE_HOME/flagstone, else ~/.cache/flagstone. Throws kInternal when neither is set.
std::filesystem::path CacheFolder();

// The interface of the shared library for these parameters, which stays loaded. The library is
// built into CacheFolder() unless it is there already; its name holds the parameters and a hash of
// the RTL, of our C++ side, and of the versions of Verilator and the compiler. The RTL is read
// from DataFolder()/rtl; the compiler is $CXX, else c++, g++ or clang++.
// Throws kInternal, in one line, when a tool is missing or fails.
const TbSchedulerAbi& VerilateTbScheduler(Dispatcher dispatcher, uint32_t num_sms,
                                          uint32_t id_bits);

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_BODIES_VERILATE_ON_DEMAND_H_
