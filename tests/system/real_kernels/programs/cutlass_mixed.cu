// CUTLASS 3 with operands of two widths: the narrow one is widened in registers.
#include "cutlass_gemm.h"

using namespace real_kernels;  // NOLINT
using cutlass::epilogue::TmaWarpSpecialized;

using S8Half =
    Gemm<int8_t, Rows, cutlass::half_t, Columns, cutlass::half_t, float, Shape<_64, _128, _64>,
         Shape<_1, _1, _1>, cutlass::gemm::KernelTmaWarpSpecializedPingpong, TmaWarpSpecialized>;
using E4m3Half =
    Gemm<cutlass::float_e4m3_t, Rows, cutlass::half_t, Columns, float, float, Shape<_64, _64, _64>,
         Shape<_1, _1, _1>, cutlass::gemm::KernelTmaWarpSpecialized, TmaWarpSpecialized>;

int main(int count, char** words) {
  const Case cases[] = {{"s8_half", S8Half::Run, {}}, {"e4m3_half", E4m3Half::Run, {}}};
  return RunCase(cases, count, words);
}
