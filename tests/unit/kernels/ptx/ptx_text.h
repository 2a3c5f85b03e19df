// Short PTX for tests: a body wrapped in a kernel with registers of every kind.
#ifndef FLAGSTONE_TESTS_UNIT_KERNELS_PTX_PTX_TEXT_H_
#define FLAGSTONE_TESTS_UNIT_KERNELS_PTX_PTX_TEXT_H_

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "kernels/ptx/parser.h"

namespace flagstone::ptx {

// All on one line, so that line 2 is the body's first and columns are the body's own.
inline std::string InKernel(const std::string& body) {
  return ".version 7.5 .target sm_75 .address_size 64 .const .b32 table[8]; "
         ".visible .entry k(.param .u64 buffer, .param .u32 n) { .reg .pred %p<8>; "
         ".reg .b16 %rs<8>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<8>; .reg .f64 %fd<8>; "
         ".shared .align 8 .b8 tile[64];\n" +
         body + "\n}\n";
}

inline std::unique_ptr<Module> ParseBody(const std::string& body) {
  return Parse(InKernel(body), "k.ptx");
}

// The first instruction of the body.
inline Instruction ParseInstruction(const std::string& text) {
  static std::unique_ptr<Module> module;  // operands point to its variables
  module = ParseBody(text);
  return module->kernels[0]->instructions[0];
}

// The message of the error that `text` gives; empty if it parses.
inline std::string ErrorOf(const std::string& text) {
  try {
    Parse(text, "k.ptx");
  } catch (const Error& error) {
    return error.kind() == ErrorKind::kBadInput ? error.what() : "wrong kind of error";
  }
  return "";
}

// The same, and where it parses, the place and reason of the first instruction that its last kernel
// is refused for.
inline std::string ErrorOrRefusalOf(const std::string& text) {
  std::unique_ptr<Module> module;
  try {
    module = Parse(text, "k.ptx");
  } catch (const Error& error) {
    return error.kind() == ErrorKind::kBadInput ? error.what() : "wrong kind of error";
  }
  const std::vector<Refusal>& refusals = module->kernels.back()->refusals;
  if (refusals.empty()) return "";
  const Refusal& first = refusals.front();
  return fmt::format("k.ptx:{}:{}: {}", first.location.line, first.location.column, first.reason);
}
inline std::string ErrorInBody(const std::string& body) { return ErrorOrRefusalOf(InKernel(body)); }

// What a launch of the body's kernel says.
inline std::string RefusalOf(const std::string& body) {
  const auto module = ParseBody(body);
  try {
    module->CheckRunnable(*module->kernels[0]);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_TESTS_UNIT_KERNELS_PTX_PTX_TEXT_H_
