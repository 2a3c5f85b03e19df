// Kernels of many kinds as two compilers wrote them at two levels, with a launch for each.
#ifndef FLAGSTONE_TESTS_UNIT_ANALYZER_TWO_COMPILERS_H_
#define FLAGSTONE_TESTS_UNIT_ANALYZER_TWO_COMPILERS_H_

#include <cstring>
#include <map>
#include <memory>
#include <string>

#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"
#include "kernels/ptx/parser.h"

namespace flagstone::two_compilers {

// Rebuilt by compile.sh there.
inline constexpr const char* kData = "tests/unit/analyzer/data/two_compilers.";
inline constexpr const char* kCompilers[] = {"clang14_O1", "clang14_O2", "nvcc13_O1", "nvcc13_O3"};

struct Subject {
  const char* entry;
  Dim3 grid = {64, 1, 1}, block = {128, 1, 1};
  int32_t n = 8192, m = 32, k = 64, p = 2048;
  // What LADM makes of it: scheduler, then type and stride in bytes of array a.
  const char* expected = "align-aware, a: no-locality by 32768";
};

inline const Subject kSubjects[] = {
    {"column_sums"},
    {"column_sums_wide"},
    {"column_sums_unsigned"},
    {"column_sums_number"},
    {.entry = "column_sums_mixed", .expected = "align-aware, a: no-locality by 32832"},
    {.entry = "column_sums_down", .expected = "align-aware, a: no-locality by -32768"},
    {"column_sums_pointer"},
    {"column_sums_constant_trips"},
    {.entry = "column_sums_four_rows", .expected = "align-aware, a: no-locality by 262144"},
    {"nest_of_planes"},
    {"two_rows_a_turn"},
    {"grid_stride"},
    {"grid_stride_wide"},
    {.entry = "row_of_a_thread", .expected = "kernel-wide, a: intra-thread by 4"},
    {.entry = "chunk_of_a_tb", .expected = "align-aware, a: no-locality by 512"},
    {.entry = "warp_per_row", .expected = "align-aware, a: no-locality by 128"},
    {.entry = "warp_per_row_signed", .expected = "align-aware, a: no-locality by 128"},
    {"thirds"},
    {"by_parameter"},
    {.entry = "fours_of_planes", .expected = "align-aware, a: no-locality by 262144"},
    {.entry = "heads",
     .grid = {8, 16, 1},
     .m = 512,
     .k = 4,
     .p = 16,
     .expected = "align-aware, a: no-locality by 1024"},
    {.entry = "four_elements", .expected = "align-aware, a: no-locality"},
    {.entry = "pairs_in_rows", .expected = "align-aware, a: no-locality by 65536"},
    {.entry = "matrix_product",
     .grid = {16, 64, 1},
     .expected = "col-binding, a: intra-thread by 4"},
    {.entry = "matrix_product_transposed",
     .grid = {16, 64, 1},
     .expected = "row-binding, a: row-vertical by 8192"},
    {.entry = "tiles",
     .grid = {128, 16, 1},
     .block = {16, 16, 1},
     .expected = "row-binding, a: row-horizontal by 64"},
    {.entry = "stencil",
     .grid = {64, 8, 1},
     .block = {32, 8, 1},
     .expected = "align-aware, a: no-locality"},
    {.entry = "rows_of_the_grid",
     .grid = {4, 16, 1},
     .expected = "row-binding, a: row-horizontal by 131072"},
    {.entry = "batches", .grid = {16, 16, 1}, .expected = "align-aware, a: no-locality by 8192"},
    {"bits_of_an_index"},
    {.entry = "last_row_first", .expected = "align-aware, a: no-locality by -32768"},
    {.entry = "through_a_table", .expected = "kernel-wide, a: unclassified"},
};

// A subject as one of kCompilers wrote it, ready to be analysed.
struct CompiledSubject {
  CompiledSubject(const Subject& subject, const std::string& compiler) {
    static std::map<std::string, std::unique_ptr<const ptx::Module>> modules;
    std::unique_ptr<const ptx::Module>& module = modules[compiler];
    if (module == nullptr) module = ptx::ParseFile(kData + compiler + ".ptx");
    launch.module = module.get();
    for (const auto& kernel : module->kernels) {
      if (kernel->name == subject.entry) launch.kernel = kernel.get();
    }
    launch.grid = subject.grid;
    launch.block = subject.block;
    launch.parameters.resize(launch.kernel->parameter_bytes);
    Set(0, memory.Allocate("a", uint64_t{8} << 20));
    Set(1, memory.Allocate("b", uint64_t{2} << 20));
    Set(2, memory.Allocate("out", uint64_t{2} << 20));
    Set(3, subject.n);
    Set(4, subject.m);
    Set(5, subject.k);
    Set(6, subject.p);
  }
  template <class T>
  void Set(size_t parameter, T value) {
    std::memcpy(launch.parameters.data() + launch.kernel->parameters.at(parameter)->offset, &value,
                sizeof(value));
  }

  DeviceMemory memory;
  KernelLaunch launch;
};

}  // namespace flagstone::two_compilers

#endif  // FLAGSTONE_TESTS_UNIT_ANALYZER_TWO_COMPILERS_H_
