// What a program did to its device, as a workload: a folder that `run` takes, with the same cycles.
// What the host wrote between launches is found by comparing memory with what the launch before
// left there, so that copies, memsets, variables and managed memory are all alike.
#ifndef FLAGSTONE_KERNELS_CUDA_SERVER_RECORDER_H_
#define FLAGSTONE_KERNELS_CUDA_SERVER_RECORDER_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/cuda/protocol.h"
#include "kernels/cuda/server/modules.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"

namespace flagstone::cuda {

class Recorder {
 public:
  // Throws kBadInput where the folder is there and not empty. Files stand in FOLDER.partial until
  // Finish.
  Recorder(std::filesystem::path folder, std::string program, std::string command);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // A module's variables, as the PTX has them begin.
  void Loaded(const LoadedModule& module, const DeviceMemory& memory);
  void Allocated(uint64_t address, Kind kind);
  void Freed(uint64_t address);
  void CopiedBack(uint64_t address, const DeviceMemory& memory);
  void Before(const KernelLaunch& launch, const LoadedModule& module, DeviceMemory* memory);
  void After(const DeviceMemory& memory);

  // Writes workload.toml and gives the folder its name. False: there was no launch, and nothing is
  // left.
  bool Finish();

 private:
  struct Write {
    size_t launch = 0;
    uint64_t offset = 0;
    std::string file;
  };
  // A region of device memory, from the launch before which it came.
  struct Piece {
    std::string name;      // of the buffer
    std::string variable;  // "program.1.ptx:name"; empty: a buffer
    std::string ptx;       // of the variable
    uint64_t address = 0, size = 0;
    std::string type = "u8";
    size_t from = 0;
    std::optional<size_t> until;
    std::string fill;  // a file; empty: zeros
    std::vector<Write> writes;
    std::vector<std::byte> left;  // by the launch before
    bool read_back = false;       // by the program
    bool changed = false;         // by a launch
  };

  Piece* Of(uint64_t address);
  Piece& Add(const DeviceMemory::Region& region);
  void Compare(const DeviceMemory& memory, Piece* piece, bool is_new);
  std::string File(const std::string& kind, const std::byte* bytes, uint64_t size);
  std::string Arguments(const KernelLaunch& launch);
  std::string TextureOf(const Texture& texture);
  std::string NameOf(const Piece& piece) const;

  std::filesystem::path folder_, partial_;
  std::string program_, command_;
  size_t launches_ = 0, files_ = 0;
  std::vector<Piece> pieces_;
  std::map<uint64_t, size_t> live_;              // by address
  std::vector<size_t> gone_;                     // since the last launch
  std::map<uint64_t, Kind> allocated_;           // kinds of those that no launch has seen
  std::set<std::string> modules_;                // whose PTX files are written
  std::map<std::string, std::string> textures_;  // their tables, by name
  std::vector<std::string> tables_;              // of the launches, but for their writes
};

}  // namespace flagstone::cuda

#endif  // FLAGSTONE_KERNELS_CUDA_SERVER_RECORDER_H_
