#include "gpu_model/simt/unexecuted.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "kernels/ptx/instruction_text.h"

namespace flagstone::simt {
namespace {

constexpr std::array<std::string_view, 3> kLogic = {"cnot", "istypep", "szext"};
// Without a result that a warp waits for, and nothing that the machine files count.
constexpr std::array<std::string_view, 5> kControl = {"applypriority", "discard", "pmevent",
                                                      "setmaxnreg", "griddepcontrol"};

bool IsOneOf(std::string_view word, const auto& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The number after the letter of a shape: 128 of "m64n128k16" and 'n'.
uint32_t Extent(std::string_view shape, char letter) {
  const size_t at = shape.find(letter);
  uint32_t extent = 0;
  if (at != std::string_view::npos) {
    std::from_chars(shape.data() + at + 1, shape.data() + shape.size(), extent);
  }
  return extent;
}

// What a product of this type weighs, that of f16 being 16 (TensorWorkOf).
uint32_t WeightOf(std::string_view type) {
  if (type == "tf32") return 32;
  if (type == "f16" || type == "bf16") return 16;
  if (type == "e4m3" || type == "e5m2" || type == "s8" || type == "u8") return 8;
  return type == "b1" ? 1 : 0;
}

// ".m64n128k16", and the type of A, which is the one before the last.
std::optional<UnexecutedClass> Product(std::string_view opcode) {
  std::string_view shape, type, last;
  for (std::string_view rest = opcode; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find('.'));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    if (word.starts_with("m64n")) shape = word;
    if (WeightOf(word) == 0) continue;
    type = last;
    last = word;
  }
  if (type.empty()) type = last;
  constexpr uint32_t kRowsOfWarp = 16;
  const uint32_t products = kRowsOfWarp * Extent(shape, 'n') * Extent(shape, 'k');
  const uint32_t work = products * WeightOf(type) / 2048;
  if (work == 0) return std::nullopt;
  return UnexecutedClass{
      .pipe = Pipe::kTensor, .tensor_work = static_cast<uint16_t>(work), .is_async = true};
}

}  // namespace

std::optional<UnexecutedClass> ClassOfUnexecuted(std::string_view text) {
  const auto [opcode, operands] = ptx::PartsOf(text);
  const std::string_view name = opcode.substr(0, opcode.find('.'));
  if (opcode.starts_with("wgmma.mma_async.sp")) return std::nullopt;
  if (opcode.starts_with("wgmma.mma_async")) return Product(opcode);
  if (opcode.starts_with("wgmma.wait_group")) {
    return UnexecutedClass{.waits_for_async = operands.starts_with("0")};
  }
  if (name == "wgmma" || IsOneOf(name, kControl)) return UnexecutedClass{};
  const bool video = name.starts_with("vadd") || name.starts_with("vsub") ||
                     name.starts_with("vmin") || name.starts_with("vmax") ||
                     name.starts_with("vavrg") || name.starts_with("vabsdiff") ||
                     name.starts_with("vset");
  if (video) return UnexecutedClass{.pipe = Pipe::kIntAdd};
  if (IsOneOf(name, kLogic)) return UnexecutedClass{.pipe = Pipe::kLogic};
  return std::nullopt;
}

}  // namespace flagstone::simt
