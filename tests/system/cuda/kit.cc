#include "tests/system/cuda/kit.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/system/command.h"

namespace flagstone {

bool HasKitCompiler() {
  return RunShell("command -v clang++-14 && test -f /usr/lib/clc/nvptx64--nvidiacl.bc").exit_code ==
         0;
}

std::string KitNvcc() {
  const CommandResult kit = RunFlagstone("exec --toolkit");
  EXPECT_EQ(kit.exit_code, 0) << kit.err;
  return kit.out.substr(0, kit.out.find('\n')) + "/bin/nvcc";
}

std::string KitProgram(const std::string& name, const std::string& options) {
  static const ScratchFolder folder;
  std::string program = folder.File(name);
  if (std::filesystem::exists(program)) return program;
  const CommandResult made = RunShell(fmt::format("{} {} tests/system/cuda/programs/{}.cu -o {}",
                                                  KitNvcc(), options, name, program));
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(made.err, "") << "the kit's compiler warns";
  return program;
}

}  // namespace flagstone
