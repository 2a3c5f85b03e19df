// workload.toml -> buffers, launches and checks (the file's keys: docs/workload.md).
#ifndef FLAGSTONE_KERNELS_LAUNCH_WORKLOAD_H_
#define FLAGSTONE_KERNELS_LAUNCH_WORKLOAD_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "kernels/inputs/input.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/element_type.h"
#include "kernels/launch/kernel_launch.h"
#include "kernels/launch/reference.h"
#include "kernels/launch/tensor_map.h"
#include "kernels/launch/texture.h"
#include "kernels/ptx/location.h"
#include "kernels/ptx/types.h"

namespace flagstone {

// How a buffer's contents begin.
struct Fill {
  enum class Kind : uint8_t {
    kZero,
    kConstant,
    kIota,
    kUniform,
    kSorted,       // uniform, in ascending order, or each `run` of them
    kPermutation,  // of 0 to count - 1
    kFile,
    kSphere,  // a coordinate of points on the unit sphere
    kBtree,
    kSuffixTree,
    kReads,  // of the suffix tree's text
    // Of an input (kernels/inputs/input.h), in compressed rows:
    kCsrRows,     // where each row starts, and one past the last
    kCsrColumns,  // of each element
    kCsrSources,  // the row of each element
    kCsrValues,   // of each element
    kCsrLengths,  // of each row
    kCsrRanges,   // of each row its start and its length
    // ... and in jagged diagonals:
    kJdsPermutation,
    kJdsStarts,
    kJdsLengths,
    kJdsColumns,
    kJdsValues,
  };
  Kind kind = Kind::kZero;
  double value = 0;                    // constant
  std::optional<double> first;         // constant: the first element, where it is another
  double start = 0, step = 1;          // iota
  uint64_t seed = 1;                   // uniform, sorted, permutation, *-values
  double min = 0, max = 1;             // uniform, sorted, *-values; integers: both included
  uint64_t run = 0;                    // sorted: elements of a run; 0: all
  std::filesystem::path file;          // raw little-endian
  uint64_t axis = 0;                   // sphere
  uint64_t keys = 0;                   // btree
  uint64_t order = 0, per_node = 0;    // btree
  uint64_t letters = 0, length = 0;    // suffix-tree, reads
  std::shared_ptr<const Input> input;  // csr-*, jds-*; else null
};

struct BufferSpec {
  std::string name;
  ElementType type = ElementType::kF32;
  uint64_t count = 0;  // elements
  Fill fill;
  // Of a recorded program: its place in device memory, and the indices of the launches before which
  // it comes and, where it does, goes.
  std::optional<uint64_t> address;
  size_t from = 0;
  std::optional<size_t> until;
  ptx::Location location;  // in workload.toml
  uint64_t Bytes() const { return count * SizeInBytes(type); }
};

// "A" or "A+1024" (bytes), a scalar of a PTX type, raw bytes for a struct by value, a texture, or a
// tensor map over a buffer.
struct ArgumentSpec {
  std::string buffer;   // empty for the others
  std::string texture;  // likewise
  uint64_t offset = 0;
  std::optional<TensorMap> tensor_map;  // without its base, which the buffer and offset give
  std::vector<std::byte> bytes;         // of a scalar or struct
  std::string text;                     // as written: for messages
  ptx::Type type = ptx::Type::kNone;    // of a scalar; kB8 for raw bytes, kNone for a buffer
  ptx::Location location;
};

// What the host wrote into device memory between two launches: a file's bytes, into a buffer or a
// variable ("kernel.ptx:name").
struct HostWrite {
  std::string region;
  uint64_t offset = 0;  // bytes
  std::filesystem::path file;
  ptx::Location location;
};

struct LaunchSpec {
  std::filesystem::path ptx;
  std::string entry;
  Dim3 grid, block;
  uint32_t shared = 0;
  uint32_t stack = kDefaultStackBytes;  // of a thread, for recursion and alloca
  std::optional<Dim3> cluster;          // TBs; none: as the kernel says, else one
  std::vector<ArgumentSpec> arguments;
  std::optional<uint32_t> registers;
  std::string loop;                // launches with the same name repeat together; empty: alone
  std::optional<uint32_t> repeat;  // how often, or with until_zero how often at most
  std::string until_zero;          // buffer whose first element ends the loop; empty: none
  std::vector<HostWrite> writes;   // before the launch
  std::map<std::string, std::string> textures;  // by .texref variable, where the names differ
  ptx::Location location;
};

// Launches first to first + count - 1 run in turn, `repeat` times, or until the first element of
// buffer `until_zero` is 0 after a round, for at most `repeat` rounds.
struct LaunchLoop {
  size_t first = 0, count = 1;
  uint32_t repeat = 1;
  std::string until_zero;   // empty: none
  uint64_t flag_bytes = 0;  // the size of that first element
  std::string where;        // file:line:column, for messages
};

struct CheckSpec {
  std::string buffer;
  std::filesystem::path file;  // raw expected contents, or
  std::string reference;       // the CPU reference of this name (workloads/reference.h)
  double rtol = 0, atol = 0;
  ptx::Location location;
};

// A file in the place of what workload.toml says, by the name of an [input] or a buffer.
using InputFiles = std::map<std::string, std::filesystem::path>;
using FileReader = std::function<std::string(const std::filesystem::path&)>;

struct Workload {
  std::string name;
  std::string description;
  std::vector<std::string> papers;  // that use this kernel, with its name there: "PAVER SYRK"
  std::filesystem::path path;       // of workload.toml
  std::string asked_size;           // "test", "medium", "ladm" or "paper"
  // What these values are: the size that was asked for or, where the file has no table for it, the
  // file as it stands, which is "paper" ("base" where it has a [size.paper]). Empty for a file
  // without sizes.
  std::string size;
  Inputs inputs;
  std::optional<MemoryLayout> layout;         // none: ours
  std::map<std::string, uint64_t> variables;  // places of "kernel.ptx:name"; others lie behind
  uint64_t heap_bytes = uint64_t{8} << 20;    // of malloc in kernels that call it
  std::vector<BufferSpec> buffers;
  std::vector<BufferSpec> symbols;  // contents of .const and .global variables, by their names
  std::vector<TextureSpec> textures;
  std::vector<LaunchSpec> launches;
  std::vector<LaunchLoop> loops;  // all launches, in order
  std::vector<CheckSpec> checks;
  // One per distinct PTX file; launches[i] runs a kernel of modules[launch_modules[i]].
  std::vector<std::shared_ptr<const ptx::Module>> modules;
  std::vector<size_t> launch_modules;
  uint64_t input_hash = 0;  // of workload.toml's effective values, the PTX and the input files

  // Parses the file for the given size, with `files` in the place of inputs and buffers, parses its
  // PTX, and checks all that can be checked before a run: entries, argument counts and types, grid
  // and block sizes, buffer names. Throws kBadInput with the file and key.
  // kAnalysis also takes entries with instructions that Flagstone does not execute.
  enum class For : uint8_t { kRun, kAnalysis };
  static Workload Load(const std::filesystem::path& toml, std::string_view size,
                       const InputFiles& files = {}, For purpose = For::kRun);
  // The same of `text`, as if it stood in the file.
  static Workload LoadText(std::string_view text, const std::filesystem::path& toml,
                           std::string_view size, const InputFiles& files, For purpose);

  // The same from text, except that no other file is read but graphs and matrices, by `read`:
  // `modules` stays empty. `path` names the text in messages and is where the paths in it start.
  static Workload Parse(std::string_view text, const std::filesystem::path& path,
                        std::string_view size, const InputFiles& files = {},
                        const FileReader& read = ReadFile);

  const BufferSpec* FindBuffer(std::string_view buffer) const;  // null if there is none
  // Buffers that no launch names. Those with an address may be reached by pointers in memory.
  std::vector<std::string> UnusedBuffers() const;
  // What it reads beside workload.toml: PTX, inputs, contents of buffers, before and after.
  std::vector<std::filesystem::path> Files() const;
  const ptx::Kernel& KernelOf(size_t launch) const;
};

// What the host does before a launch: a buffer goes, comes, or gets bytes.
struct HostStep {
  enum class Kind : uint8_t { kFree, kAllocate, kFill, kWrite };
  size_t launch = 0;
  Kind kind = Kind::kWrite;
  BufferSpec buffer;  // but for writes
  HostWrite write;
};
void Apply(const HostStep& step, DeviceMemory* memory);

// A workload's buffers in device memory, and its launches with argument bytes bound to them.
struct BoundWorkload {
  DeviceMemory memory;
  std::vector<KernelLaunch> launches;  // one for each [[launch]]
  std::vector<LaunchLoop> loops;       // in which order they run: kernels/launch/launch_sequence.h
  std::vector<HostStep> steps;         // in their order, by the launches that they come before

  // Whether more than one launch may run, loops unrolled.
  bool RunsSeveral() const;
};
BoundWorkload Bind(const Workload& workload, uint64_t buffer_offset = 0);
// Writes what the PTX says that a module's variables begin with; `symbols`: their addresses.
void InitializeVariables(const ptx::Module& module, const std::map<std::string, uint64_t>& symbols,
                         DeviceMemory* memory);
// The same without contents, which is quicker: for what only asks for addresses and shapes.
BoundWorkload BindAddresses(const Workload& workload, uint64_t buffer_offset = 0);

// A name from the workloads folder ("matmul") or a path to a workload.toml.
// An unknown name lists the known ones.
std::filesystem::path FindWorkload(const std::string& name_or_path);
std::vector<std::string> ListWorkloads();  // names, sorted
// Refuses a name that somebody typed and that two things have: a built-in workload, and a folder
// with a workload.toml where the command runs. Throws kBadInput, which names both.
void RefuseTwoMeanings(const std::string& name);

struct CheckResult {
  std::string buffer;
  bool passed = false;
  double max_error = 0;     // largest absolute difference
  uint64_t mismatches = 0;  // elements outside the tolerance
  struct Mismatch {
    uint64_t index = 0;
    std::string got, expected;  // as numbers are written
  };
  std::vector<Mismatch> first_mismatches;  // at most kShownMismatches
  static constexpr size_t kShownMismatches = 5;
};
// Compares the buffers after the last launch with expected files or with what the reference
// computes from the initial contents. An element passes if |got - expected| <= atol + rtol *
// |expected|, or if both are NaN or equal. Throws kBadInput for a reference that is not in the
// table.
std::vector<CheckResult> RunChecks(const Workload& workload, const DeviceMemory& memory,
                                   ReferenceTable references);

// Throws kBadInput for a check with a reference that is not in the table: to be called before a
// run, so that a long run does not end in this.
void RequireReferences(const Workload& workload, ReferenceTable references);

// "expected one of a, b": what a message about an unknown buffer ends with.
std::string BufferNames(const Workload& workload);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_LAUNCH_WORKLOAD_H_
