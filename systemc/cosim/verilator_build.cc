#include "systemc/cosim/verilator_build.h"

#include <algorithm>
#include <future>

#include "base/cache_files.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/subprocess.h"
#include "systemc/cosim/embedded_sources.h"
#include "systemc/cosim/library_source.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

// A warning does not stop a user: tests/blocks/rtl/lint is strict. Verilator 5.006's trees of bit
// operations get some exclusive ors wrong (as in its issue 4059).
constexpr const char* kVerilatorFlags[] = {"--cc",
                                           "-Wno-fatal",
                                           "-O3",
                                           "--x-assign",
                                           "unique",
                                           "--x-initial",
                                           "unique",
                                           "--assert",
                                           "+define+FLAGSTONE_ASSERTIONS",
                                           "-fno-const-bit-op-tree"};
constexpr const char* kCompilerFlags[] = {"-std=c++17", "-fPIC", "-w", "-fvisibility=hidden",
                                          "-ffp-contract=off"};

std::vector<std::string> UseFlags(VerilateUse use) {
  std::vector<std::string> flags;
  if (use.wave) flags.push_back("--trace-fst");
  if (use.coverage) {
    flags.insert(flags.end(),
                 {"--coverage-line", "--coverage-toggle", "--coverage-max-width", "8192"});
  }
  return flags;
}

// What the compiler has to know of the use.
std::vector<std::string> UseDefines(VerilateUse use) {
  return {fmt::format("-DVM_TRACE_FST={}", use.wave ? 1 : 0),
          fmt::format("-DVM_COVERAGE={}", use.coverage ? 1 : 0)};
}

// A program as the file that it is, by place, size and date: asking it for its version would cost
// each run more than loading a library does. Empty for no file.
std::string Identity(const fs::path& program) {
  std::error_code error;
  const fs::path file = fs::canonical(program, error);
  const auto size = error ? 0 : fs::file_size(file, error);
  if (error) return "";
  const auto written = fs::last_write_time(file, error).time_since_epoch().count();
  return fmt::format("{} {} {}\n", file.string(), size, written);
}

// Verilator's own C++ files.
fs::path RuntimeFolder(const VerilatorTools& tools) {
  std::string root = RunProcess({tools.verilator, "--getenv", "VERILATOR_ROOT"}).output;
  root.erase(std::remove(root.begin(), root.end(), '\n'), root.end());
  return fs::path(root) / "include";
}

std::string Need(const std::vector<std::string>& candidates, std::string_view what) {
  for (const std::string& name : candidates) {
    if (const auto path = FindProgram(name)) return path->string();
  }
  ThrowInternal("{}", what);
}

void RunTool(const std::vector<std::string>& arguments, const fs::path& folder,
             std::string_view purpose) {
  const ProcessResult result = RunProcess(arguments, folder);
  if (result.status == 0) return;
  ThrowInternal("{} failed ({} ended with status {}): {}", purpose, arguments[0], result.status,
                TellingLine(result.output, "rror"));
}

std::vector<std::string> CompilerCommand(const VerilatorTools& tools, const fs::path& runtime,
                                         const std::string& optimise) {
  std::vector<std::string> command = {tools.compiler, optimise};
  command.insert(command.end(), std::begin(kCompilerFlags), std::end(kCompilerFlags));
  for (const fs::path& folder : {runtime, runtime / "vltstd"}) {
    command.push_back("-I" + folder.string());
  }
  return command;
}

// One of Verilator's own files as an object file, shared by all libraries of the same tools. The
// build has a copy of its own: the shared one may be pruned meanwhile.
fs::path RuntimeObject(const VerilatorTools& tools, const fs::path& runtime,
                       const std::string& file, const fs::path& build) {
  Fnv1a hash;
  hash.Add(tools.identity);
  for (const char* flag : kCompilerFlags) hash.Add(flag);
  const std::string object = fmt::format("{}-{:016x}.o", file, hash.Value());
  const fs::path shared = build.parent_path() / object;
  const fs::path own = build / object;
  std::error_code gone;
  if (IsReadyInCache(shared) && fs::copy_file(shared, own, gone)) return own;
  std::vector<std::string> command = CompilerCommand(tools, runtime, "-O2");
  command.insert(command.end(), {"-c", (runtime / (file + ".cpp")).string(), "-o", object});
  RunTool(command, build, "compiling Verilator's runtime");
  const fs::path copy = build / ("shared-" + object);
  fs::copy_file(own, copy);
  InstallChecked(copy, shared);
  return own;
}

// Those that a library for this use needs. They are compiled side by side.
std::vector<std::string> RuntimeObjects(const VerilatorTools& tools, const fs::path& runtime,
                                        VerilateUse use, const fs::path& build) {
  std::vector<std::string> files = {"verilated", "verilated_threads"};
  if (use.wave) files.push_back("verilated_fst_c");
  if (use.coverage) files.push_back("verilated_cov");
  std::vector<std::future<fs::path>> made;
  for (const std::string& file : files) {
    made.push_back(std::async(std::launch::async, RuntimeObject, tools, runtime, file, build));
  }
  std::vector<std::string> objects;
  for (auto& object : made) objects.push_back(object.get().string());
  return objects;
}

}  // namespace

VerilatorTools FindVerilatorTools() {
  VerilatorTools tools;
  tools.verilator = Need({"verilator"},
                         "running RTL needs Verilator: install the package 'verilator', or choose "
                         "--engine model");
  const char* cxx = std::getenv("CXX");
  tools.compiler = Need({cxx != nullptr ? cxx : "", "c++", "g++", "clang++"},
                        "running RTL needs a C++20 compiler: install the package 'g++', or choose "
                        "--engine model");
  // Verilator is a script beside its program.
  tools.identity =
      Identity(tools.verilator) + Identity(tools.verilator + "_bin") + Identity(tools.compiler);
  return tools;
}

std::string LibraryKey(const VerilatorTools& tools, const VerilatedDesign& design) {
  Fnv1a hash;
  for (const std::string& text : {design.top, design.what, design.optimise, tools.identity}) {
    hash.Add(text);
  }
  for (const char* flag : kVerilatorFlags) hash.Add(flag);
  for (const char* flag : kCompilerFlags) hash.Add(flag);
  for (const std::string& flag : UseFlags(design.use)) hash.Add(flag);
  for (const EmbeddedSource& source : CosimSources()) hash.Add(source.text);
  for (const fs::path& source : design.sources) {
    hash.Add(source.filename().string());
    hash.Add(ReadFile(source));
  }
  return fmt::format("{:016x}", hash.Value());
}

void BuildLibrary(const VerilatorTools& tools, const VerilatedDesign& design,
                  const fs::path& library) {
  const BuildFolder folder(library.parent_path());
  const fs::path& build = folder.path();
  const fs::path runtime = RuntimeFolder(tools);
  auto shared = std::async(std::launch::async, RuntimeObjects, tools, runtime, design.use, build);

  std::vector<std::string> verilate = {tools.verilator};
  verilate.insert(verilate.end(), std::begin(kVerilatorFlags), std::end(kVerilatorFlags));
  const std::vector<std::string> flags = UseFlags(design.use);
  verilate.insert(verilate.end(), flags.begin(), flags.end());
  verilate.insert(verilate.end(), design.arguments.begin(), design.arguments.end());
  verilate.insert(verilate.end(),
                  {"--prefix", "Vbody", "--Mdir", build.string(), "--top-module", design.top});
  RunTool(verilate, build, fmt::format("Verilating {}", design.top));

  for (const EmbeddedSource& source : CosimSources()) {
    fs::create_directories((build / source.path).parent_path());
    WriteFileAtomically(build / source.path, source.text);
  }
  WriteFileAtomically(build / "library.cc", LibrarySource(build));
  const std::string purpose = fmt::format("compiling {}", design.top);
  std::vector<std::string> compile = CompilerCommand(tools, runtime, design.optimise);
  for (const std::string& define : UseDefines(design.use)) compile.push_back(define);
  compile.insert(compile.end(), {"-I.", "-c", "library.cc", "-o", "library.o"});
  RunTool(compile, build, purpose);
  std::vector<std::string> link = {tools.compiler, "-shared",    "-Wl,-Bsymbolic",
                                   "-o",           "library.so", "library.o"};
  const std::vector<std::string> objects = shared.get();
  link.insert(link.end(), objects.begin(), objects.end());
  link.insert(link.end(), {"-lz", "-lpthread"});
  RunTool(link, build, purpose);
  InstallChecked(build / "library.so", library);
}

}  // namespace flagstone
