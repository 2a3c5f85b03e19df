#include "kernels/ptx/wmma_fragment.h"

#include <utility>

#include "kernels/ptx/matrix_forms.h"

namespace flagstone::ptx {

bool IsTransposed(const WmmaForm& form) { return form.m == 8 && form.n == 32; }

bool IsB(const WmmaForm& form, char matrix) { return matrix == (IsTransposed(form) ? 'a' : 'b'); }

WmmaFragment WmmaFragmentOf(const WmmaForm& form, char matrix, Type type) {
  WmmaFragment f;
  f.type = type;
  f.per_register = MmaForm::PerRegister(type);
  f.sum = matrix == 'c' || matrix == 'd';
  if (f.sum) {
    const bool transposed = IsTransposed(form);
    f.per = 2;
    f.across = (transposed ? form.n : form.m) / 8U;
    f.along = (transposed ? form.m : form.n) / 8U;
    f.neighbours = form.by_rows != transposed;
    return f;
  }
  if (IsElementOnly(type)) {
    f.type = Type::kB32;
    f.per_word = std::exchange(f.per_register, 1);
  }
  f.per = f.per_register;
  f.across = (matrix == 'a' ? form.m : form.n) / 8U;
  f.along = form.k / (4 * f.per * f.per_word);
  f.neighbours = form.by_rows == (matrix == 'a');
  return f;
}

}  // namespace flagstone::ptx
