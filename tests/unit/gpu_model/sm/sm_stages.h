// The stages of an SM around a small kernel, for tests of single stages.
#ifndef FLAGSTONE_TESTS_UNIT_GPU_MODEL_SM_SM_STAGES_H_
#define FLAGSTONE_TESTS_UNIT_GPU_MODEL_SM_SM_STAGES_H_

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "gpu_model/sm/execute_stage.h"
#include "gpu_model/sm/memory_path.h"
#include "gpu_model/sm/tb_slots.h"
#include "gpu_model/sm/warp_table.h"
#include "gpu_model/sm/writeback.h"
#include "kernels/ptx/parser.h"
#include "tests/unit/gpu_model/memory/recorders.h"

namespace flagstone {

// All but the issue stage, of an SM of the machine tiny with two TB slots. The kernel's one
// parameter `p` is the address of a buffer of 4 KiB; 4 KiB of shared memory are at `s`.
class SmStages {
 public:
  SmStages(const std::string& body, uint32_t threads, const std::vector<std::string>& settings = {})
      : module_(ptx::Parse(".version 6.0\n.target sm_35\n.address_size 64\n"
                           ".visible .entry k(.param .u64 p) {\n"
                           ".reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %q<4>;\n"
                           ".shared .align 4 .b8 s[4096];\n" +
                               body + "\n}\n",
                           "k.ptx")),
        machine(MachineConfig::Load("tiny", settings)) {
    address_ = memory_.Allocate("buffer", 4096);
    launch_.kernel = module_->kernels[0].get();
    launch_.module = module_.get();
    launch_.grid = {8, 1, 1};
    launch_.block = {threads, 1, 1};
    launch_.parameters.resize(8);
    std::memcpy(launch_.parameters.data(), &address_, 8);
    program_ = std::make_unique<Program>(launch_);
    setup.machine = &machine;
    setup.program = program_.get();
    setup.memory = &memory_;
    setup.link = &link_;
    setup.tbs_per_sm = 2;
    tbs = std::make_unique<TbSlots>(*program_, 2, 0, &link_);
    warps = std::make_unique<WarpTable>(*program_, machine.sm);
    writeback = std::make_unique<Writeback>(machine.sm, warps.get(), tbs.get());
    memory = std::make_unique<MemoryPath>(setup, 0, writeback.get());
    memory->Connect(&port);
    tbs->Connect(memory.get());
    execute = std::make_unique<ExecuteStage>(setup, 0, warps.get(), tbs.get(), memory.get(),
                                             writeback.get());
  }

 private:
  std::unique_ptr<ptx::Module> module_;
  DeviceMemory memory_;
  uint64_t address_ = 0;
  KernelLaunch launch_;
  TbLink link_;
  std::unique_ptr<Program> program_;

 public:
  const MachineConfig machine;
  SmSetup setup;
  RecordingPort port;
  std::unique_ptr<TbSlots> tbs;
  std::unique_ptr<WarpTable> warps;
  std::unique_ptr<Writeback> writeback;
  std::unique_ptr<MemoryPath> memory;
  std::unique_ptr<ExecuteStage> execute;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_GPU_MODEL_SM_SM_STAGES_H_
