#include "systemc/bodies/verilate_on_demand.h"

#include <dlfcn.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/paths.h"
#include "base/subprocess.h"
#include "systemc/bodies/embedded_sources.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

// As in cmake/Flagstone.cmake's flagstone_verilate, but a warning does not stop a user, and without
// another optimisation (dfg) that makes wrong code of some netlists in Verilator 5.006: no test has
// compared a body of these parameters with its model.
constexpr const char* kVerilatorFlags[] = {
    "--cc",     "--trace-fst",           "-Wno-fatal", "-O3",      "--x-assign",
    "unique",   "--x-initial",           "unique",     "--assert", "+define+FLAGSTONE_ASSERTIONS",
    "-fno-dfg", "-fno-const-bit-op-tree"};
constexpr const char* kCompilerFlags[] = {"-std=c++20", "-fPIC", "-w", "-fvisibility=hidden",
                                          "-ffp-contract=off"};

struct Tools {
  std::string verilator;
  std::string compiler;
  std::string versions;  // what both say about themselves
  fs::path runtime;      // Verilator's own C++ files
};

std::string Need(const std::vector<std::string>& candidates, std::string_view what) {
  for (const std::string& name : candidates) {
    if (const auto path = FindProgram(name)) return path->string();
  }
  ThrowInternal("{}", what);
}

Tools FindTools() {
  Tools tools;
  tools.verilator =
      Need({"verilator"},
           "RTL with these parameters is not built in, and making it needs Verilator: install the "
           "package 'verilator'");
  const char* cxx = std::getenv("CXX");
  tools.compiler =
      Need({cxx != nullptr ? cxx : "", "c++", "g++", "clang++"},
           "RTL with these parameters is not built in, and making it needs a C++20 compiler: "
           "install the package 'g++'");
  tools.versions = RunProcess({tools.verilator, "--version"}).output +
                   RunProcess({tools.compiler, "--version"}).output;
  std::string root = RunProcess({tools.verilator, "--getenv", "VERILATOR_ROOT"}).output;
  root.erase(std::remove(root.begin(), root.end(), '\n'), root.end());
  tools.runtime = fs::path(root) / "include";
  return tools;
}

// All SystemVerilog files, in a fixed order.
std::vector<fs::path> RtlSources(const fs::path& rtl) {
  std::vector<fs::path> sources;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(rtl, error)) {
    if (entry.path().extension() == ".sv") sources.push_back(entry.path());
  }
  if (error) ThrowInternal("cannot read the RTL in '{}': {}", rtl.string(), error.message());
  std::sort(sources.begin(), sources.end());
  return sources;
}

// What Verilator is to read.
struct Design {
  std::string top;
  std::string name;                    // of the library, before its hash
  std::string what;                    // module, parameters by name, flags: into the hash
  std::vector<std::string> arguments;  // Verilator's: parameters, flags, files
  std::vector<fs::path> sources;       // all that it may read: into the hash
  std::string optimise = "-O2";        // the compiler's flag
};

std::string Key(const Tools& tools, const Design& design) {
  Fnv1a hash;
  hash.Add(design.what);
  hash.Add(design.optimise);
  hash.Add(tools.versions);
  for (const char* flag : kVerilatorFlags) hash.Add(flag);
  for (const char* flag : kCompilerFlags) hash.Add(flag);
  for (const EmbeddedSource& source : BodySources()) hash.Add(source.text);
  for (const fs::path& source : design.sources) {
    hash.Add(source.filename().string());
    hash.Add(ReadFile(source));
  }
  return fmt::format("{:016x}", hash.Value());
}

// A folder inside the cache for one build, removed at scope end.
class BuildFolder {
 public:
  explicit BuildFolder(const fs::path& cache) {
    std::string name = (cache / "build-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      ThrowInternal("cannot write in '{}': {}", cache.string(), std::strerror(errno));
    }
    path_ = name;
  }
  ~BuildFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  BuildFolder(const BuildFolder&) = delete;
  BuildFolder& operator=(const BuildFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void RunTool(const std::vector<std::string>& arguments, const fs::path& folder,
             std::string_view purpose) {
  const ProcessResult result = RunProcess(arguments, folder);
  if (result.status == 0) return;
  ThrowInternal("{} failed ({} ended with status {}): {}", purpose, arguments[0], result.status,
                TellingLine(result.output, "rror"));
}

// Another process may install the same file at the same time: the last rename wins, and both files
// are good.
void Install(const fs::path& built, const fs::path& target) {
  std::error_code error;
  fs::rename(built, target, error);
  if (error) ThrowInternal("cannot write '{}': {}", target.string(), error.message());
}

std::vector<std::string> CompilerCommand(const Tools& tools, const std::string& optimise) {
  std::vector<std::string> command = {tools.compiler, optimise};
  command.insert(command.end(), std::begin(kCompilerFlags), std::end(kCompilerFlags));
  for (const fs::path& folder : {tools.runtime, tools.runtime / "vltstd"}) {
    command.push_back("-I" + folder.string());
  }
  return command;
}

// Verilator's runtime as one object file, shared by all libraries of the same tools.
fs::path RuntimeObject(const Tools& tools, const fs::path& cache, const fs::path& build) {
  Fnv1a hash;
  hash.Add(tools.versions);
  for (const char* flag : kCompilerFlags) hash.Add(flag);
  fs::path object = cache / fmt::format("verilated_runtime-{:016x}.o", hash.Value());
  if (fs::exists(object)) return object;
  std::vector<std::string> command = CompilerCommand(tools, "-O2");
  for (const char* file : {"verilated.cpp", "verilated_fst_c.cpp", "verilated_threads.cpp"}) {
    command.push_back((tools.runtime / file).string());
  }
  command.insert(command.end(), {"-r", "-nostdlib", "-o", "runtime.o"});
  RunTool(command, build, "compiling Verilator's runtime");
  Install(build / "runtime.o", object);
  return object;
}

// The port declarations in Verilator's header.
std::string PortLines(const fs::path& header) {
  std::istringstream text(ReadFile(header));
  std::string lines;
  for (std::string line; std::getline(text, line);) {
    if (line.find(" VL_IN") != std::string::npos || line.find(" VL_OUT") != std::string::npos) {
      lines += line + "\n";
    }
  }
  return lines;
}

// The one file that is compiled: everything Verilator wrote, and the interface over it.
std::string LibrarySource(const fs::path& build) {
  std::vector<std::string> parts;
  for (const auto& entry : fs::directory_iterator(build)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("Vbody") && name.ends_with(".cpp")) parts.push_back(name);
  }
  std::sort(parts.begin(), parts.end());
  std::string text;
  for (const std::string& part : parts) text += fmt::format("#include \"{}\"\n", part);
  text += fmt::format(
      "#include \"systemc/bodies/verilated_block.h\"\n"
      "#include \"systemc/bodies/verilated_ports.h\"\n"
      "class Model : public Vbody {{\n public:\n  using Vbody::Vbody;\n"
      "  void ListPorts(flagstone::PortList* list) {{\n{0}  }}\n}};\n"
      "static constexpr flagstone::BlockAbi kAbi = flagstone::MakeBlockAbi<Model>();\n"
      "extern \"C\" __attribute__((visibility(\"default\"))) const flagstone::BlockAbi* {1}()"
      " {{ return &kAbi; }}\n",
      PortLines(build / "Vbody.h"), kBlockAbiSymbol);
  return text;
}

void BuildLibrary(const Tools& tools, const Design& design, const fs::path& library) {
  const fs::path cache = library.parent_path();
  const BuildFolder build(cache);
  std::vector<std::string> verilate = {tools.verilator};
  verilate.insert(verilate.end(), std::begin(kVerilatorFlags), std::end(kVerilatorFlags));
  verilate.insert(verilate.end(), design.arguments.begin(), design.arguments.end());
  verilate.insert(verilate.end(), {"--prefix", "Vbody", "--Mdir", build.path().string(),
                                   "--top-module", design.top});
  RunTool(verilate, build.path(), fmt::format("Verilating {}", design.top));
  for (const EmbeddedSource& source : BodySources()) {
    fs::create_directories((build.path() / source.path).parent_path());
    WriteFileAtomically(build.path() / source.path, source.text);
  }
  WriteFileAtomically(build.path() / "library.cc", LibrarySource(build.path()));
  std::vector<std::string> compile = CompilerCommand(tools, design.optimise);
  compile.insert(compile.end(),
                 {"-I.", "library.cc", RuntimeObject(tools, cache, build.path()).string(),
                  "-shared", "-Wl,-Bsymbolic", "-o", "library.so", "-lz", "-lpthread"});
  RunTool(compile, build.path(), fmt::format("compiling {}", design.top));
  Install(build.path() / "library.so", library);
}

const BlockAbi& Load(const fs::path& library) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) ThrowInternal("cannot load '{}': {}", library.string(), dlerror());
  using Symbol = const BlockAbi* (*)();
  const auto symbol = reinterpret_cast<Symbol>(dlsym(handle, kBlockAbiSymbol));
  const BlockAbi* abi = symbol != nullptr ? symbol() : nullptr;
  if (abi == nullptr || abi->version != kBlockAbiVersion) {
    ThrowInternal("'{}' is not the library it should be: remove it and run again",
                  library.string());
  }
  return *abi;
}

const BlockAbi& Verilate(const Design& design) {
  const Tools tools = FindTools();
  const fs::path cache = CacheFolder();
  std::error_code error;
  fs::create_directories(cache, error);
  if (error) ThrowInternal("cannot make the folder '{}': {}", cache.string(), error.message());
  const fs::path library = cache / fmt::format("{}-{}.so", design.name, Key(tools, design));
  if (!fs::exists(library)) BuildLibrary(tools, design, library);
  return Load(library);
}

}  // namespace

const BlockAbi& VerilateBlock(const std::string& top, const RtlParameters& parameters,
                              const std::vector<std::string>& flags) {
  static std::mutex mutex;
  static std::map<std::string, const BlockAbi*> loaded;
  const std::lock_guard<std::mutex> lock(mutex);
  const std::string what =
      fmt::format("{} {} {}", top, ToString(parameters), fmt::join(flags, " "));
  if (const auto found = loaded.find(what); found != loaded.end()) return *found->second;

  const fs::path rtl = DataFolder() / "rtl";
  Design design = {
      .top = top, .name = top, .what = what, .arguments = flags, .sources = RtlSources(rtl)};
  for (const RtlParameter& p : parameters) {
    design.name += fmt::format("_{}", p.value);
    design.arguments.push_back(fmt::format("-G{}={}", p.name, p.value));
  }
  for (const fs::path& source : design.sources) {
    if (source.stem() == top) design.arguments.push_back(source.string());
  }
  for (const auto& entry : fs::directory_iterator(rtl)) {
    if (entry.is_directory()) {
      design.arguments.insert(design.arguments.end(), {"-y", entry.path().string()});
    }
  }
  const BlockAbi& abi = Verilate(design);
  loaded.emplace(what, &abi);
  return abi;
}

// -O0: a compiler takes minutes over the long functions that netlists become, and runs of them are
// short.
const BlockAbi& VerilateFile(const std::string& top, const fs::path& file) {
  return Verilate({.top = top,
                   .name = top + "_file",
                   .what = top,
                   .arguments = {"--trace-depth", "1", file.string()},
                   .sources = {file},
                   .optimise = "-O0"});
}

}  // namespace flagstone
