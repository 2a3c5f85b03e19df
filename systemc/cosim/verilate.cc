#include "systemc/cosim/verilate.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <sstream>
#include <utility>
#include <vector>

#include "base/cache_files.h"
#include "base/error.h"
#include "base/file.h"
#include "systemc/cosim/verilator_build.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

std::function<void(const std::string&)>& Listener() {
  static std::function<void(const std::string&)> listener;
  return listener;
}

// One process at a time, of those that share the cache, makes a library; the others wait for it.
class BuildLock {
 public:
  explicit BuildLock(const fs::path& file)
      : descriptor_(open(file.c_str(), O_CREAT | O_RDWR, 0666)) {
    if (descriptor_ < 0) {
      ThrowInternal("cannot write '{}': {}", file.string(), std::strerror(errno));
    }
    // A file system without locks costs no more than the same work done twice.
    while (flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~BuildLock() { close(descriptor_); }
  BuildLock(const BuildLock&) = delete;
  BuildLock& operator=(const BuildLock&) = delete;

 private:
  int descriptor_;
};

// Null where the library is not there: pruned since it was found or made.
const BlockAbi* Load(const fs::path& library) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const std::string reason = dlerror();
    if (!fs::exists(library)) return nullptr;
    ThrowInternal("cannot load '{}': {}", library.string(), reason);
  }
  using Symbol = const BlockAbi* (*)();
  const auto symbol = reinterpret_cast<Symbol>(dlsym(handle, kBlockAbiSymbol));
  const BlockAbi* abi = symbol != nullptr ? symbol() : nullptr;
  if (abi == nullptr || abi->version != kBlockAbiVersion) {
    ThrowInternal("'{}' is not the library it should be: remove it and run again",
                  library.string());
  }
  return abi;
}

const BlockAbi& Verilate(const VerilatedDesign& design) {
  const VerilatorTools tools = FindVerilatorTools();
  const fs::path cache = CacheFolder();
  std::error_code error;
  fs::create_directories(cache / "locks", error);
  if (error) ThrowInternal("cannot make the folder '{}': {}", cache.string(), error.message());
  const std::string name = fmt::format("{}-{}", design.name, LibraryKey(tools, design));
  const fs::path library = cache / (name + ".so");
  for (;;) {
    if (!IsReadyInCache(library)) {
      const BuildLock lock(cache / "locks" / name);
      if (!IsReadyInCache(library)) {
        if (Listener()) Listener()(design.what);
        BuildLibrary(tools, design, library);
      }
    }
    if (const BlockAbi* abi = Load(library)) return *abi;
  }
}

// The paths in the module's file list, relative to the RTL's folder.
std::vector<std::string> FileList(const fs::path& rtl, const std::string& top) {
  for (const auto& family : fs::directory_iterator(rtl)) {
    const fs::path list = family.path() / (top + ".f");
    if (!fs::exists(list)) continue;
    std::vector<std::string> files;
    std::istringstream text(ReadFile(list));
    for (std::string line; std::getline(text, line);) {
      if (!line.empty() && line[0] != '+') files.push_back(line);
    }
    return files;
  }
  ThrowInternal("no file list {}.f in a folder of '{}'", top, rtl.string());
}

}  // namespace

void OnVerilate(std::function<void(const std::string& what)> listener) {
  Listener() = std::move(listener);
}

const BlockAbi& VerilateBlock(const std::string& top, const RtlParameters& parameters,
                              VerilateUse use) {
  static std::mutex mutex;
  static std::map<std::string, const BlockAbi*> loaded;
  const std::lock_guard<std::mutex> lock(mutex);
  const std::string what = fmt::format("{} {}", top, ToString(parameters));
  const std::string key =
      fmt::format("{}{}{}", what, use.wave ? " wave" : "", use.coverage ? " coverage" : "");
  if (const auto found = loaded.find(key); found != loaded.end()) return *found->second;

  const fs::path rtl = DataFolder() / "rtl";
  VerilatedDesign design = {.top = top,
                            .name = top,
                            .what = what,
                            .arguments = {"+incdir+" + rtl.string()},
                            .sources = {},
                            .use = use};
  for (const RtlParameter& p : parameters) {
    design.name += fmt::format("_{}", p.value);
    design.arguments.push_back(fmt::format("-G{}={}", p.name, p.value));
  }
  for (const std::string& file : FileList(rtl, top)) {
    design.sources.push_back(rtl / file);
    design.arguments.push_back((rtl / file).string());
  }
  const BlockAbi& abi = Verilate(design);
  loaded.emplace(key, &abi);
  return abi;
}

// Verilator 5.006's pass over the data flow graph makes wrong code of some netlists.
const BlockAbi& VerilateFile(const std::string& top, const fs::path& file,
                             const std::string& optimise) {
  return Verilate({.top = top,
                   .name = top + "_file",
                   .what = top,
                   .arguments = {"-fno-dfg", file.string()},
                   .sources = {file},
                   .use = {},
                   .optimise = optimise});
}

}  // namespace flagstone
