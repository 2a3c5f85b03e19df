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
// an optimisation that makes wrong code of some netlists in Verilator 5.006: no test has compared a
// body of these parameters with its model.
constexpr const char* kVerilatorFlags[] = {
    "--cc",    "--trace-fst", "-Wno-fatal", "-O3",      "--x-assign",
    "unique",  "--x-initial", "unique",     "--assert", "+define+FLAGSTONE_ASSERTIONS",
    "-fno-dfg"};
constexpr const char* kCompilerFlags[] = {
    "-std=c++20", "-O2", "-fPIC", "-w", "-fvisibility=hidden", "-ffp-contract=off"};

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

// `what`: module and parameters by name, which the file's name has only by value.
std::string Key(const Tools& tools, const std::string& what, const std::vector<fs::path>& sources) {
  Fnv1a hash;
  hash.Add(what);
  hash.Add(tools.versions);
  for (const char* flag : kVerilatorFlags) hash.Add(flag);
  for (const char* flag : kCompilerFlags) hash.Add(flag);
  for (const EmbeddedSource& source : BodySources()) hash.Add(source.text);
  for (const fs::path& source : sources) {
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

std::vector<std::string> CompilerCommand(const Tools& tools) {
  std::vector<std::string> command = {tools.compiler};
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
  const fs::path object = cache / fmt::format("verilated_runtime-{:016x}.o", hash.Value());
  if (fs::exists(object)) return object;
  std::vector<std::string> command = CompilerCommand(tools);
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

void BuildLibrary(const Tools& tools, const fs::path& rtl, const std::string& top,
                  const RtlParameters& parameters, const std::vector<std::string>& flags,
                  const fs::path& library) {
  const fs::path cache = library.parent_path();
  const BuildFolder build(cache);
  std::vector<std::string> verilate = {tools.verilator};
  verilate.insert(verilate.end(), std::begin(kVerilatorFlags), std::end(kVerilatorFlags));
  verilate.insert(verilate.end(), flags.begin(), flags.end());
  for (const RtlParameter& p : parameters) {
    verilate.push_back(fmt::format("-G{}={}", p.name, p.value));
  }
  verilate.insert(verilate.end(),
                  {"--prefix", "Vbody", "--Mdir", build.path().string(), "--top-module", top});
  for (const fs::path& source : RtlSources(rtl)) {
    if (source.stem() == top) verilate.push_back(source.string());
  }
  for (const auto& entry : fs::directory_iterator(rtl)) {
    if (entry.is_directory()) verilate.insert(verilate.end(), {"-y", entry.path().string()});
  }
  RunTool(verilate, build.path(), fmt::format("Verilating {}", top));
  for (const EmbeddedSource& source : BodySources()) {
    fs::create_directories((build.path() / source.path).parent_path());
    WriteFileAtomically(build.path() / source.path, source.text);
  }
  WriteFileAtomically(build.path() / "library.cc", LibrarySource(build.path()));
  std::vector<std::string> compile = CompilerCommand(tools);
  compile.insert(compile.end(),
                 {"-I.", "library.cc", RuntimeObject(tools, cache, build.path()).string(),
                  "-shared", "-Wl,-Bsymbolic", "-o", "library.so", "-lz", "-lpthread"});
  RunTool(compile, build.path(), fmt::format("compiling {}", top));
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

}  // namespace

const BlockAbi& VerilateBlock(const std::string& top, const RtlParameters& parameters,
                              const std::vector<std::string>& flags) {
  static std::mutex mutex;
  static std::map<std::string, const BlockAbi*> loaded;
  const std::lock_guard<std::mutex> lock(mutex);
  std::string name = top;
  for (const RtlParameter& parameter : parameters) name += fmt::format("_{}", parameter.value);
  const std::string key = fmt::format("{} {} {}", top, ToString(parameters), fmt::join(flags, " "));
  if (const auto found = loaded.find(key); found != loaded.end()) return *found->second;

  const Tools tools = FindTools();
  const fs::path rtl = DataFolder() / "rtl";
  const fs::path cache = CacheFolder();
  std::error_code error;
  fs::create_directories(cache, error);
  if (error) ThrowInternal("cannot make the folder '{}': {}", cache.string(), error.message());
  const fs::path library = cache / fmt::format("{}-{}.so", name, Key(tools, key, RtlSources(rtl)));
  if (!fs::exists(library)) BuildLibrary(tools, rtl, top, parameters, flags, library);
  const BlockAbi& abi = Load(library);
  loaded.emplace(key, &abi);
  return abi;
}

}  // namespace flagstone
