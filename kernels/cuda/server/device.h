// The device as one process sees it: memory, modules and textures behind its requests.
#ifndef FLAGSTONE_KERNELS_CUDA_SERVER_DEVICE_H_
#define FLAGSTONE_KERNELS_CUDA_SERVER_DEVICE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/cuda/protocol.h"
#include "kernels/cuda/server/launches.h"
#include "kernels/cuda/server/modules.h"
#include "kernels/cuda/server/recorder.h"
#include "kernels/cuda/server/shared_memory.h"
#include "kernels/launch/device_memory.h"
#include "kernels/launch/extras.h"
#include "kernels/launch/texture.h"

namespace flagstone::cuda {

class Device {
 public:
  // `recorder`: null, where nothing is recorded.
  Device(const std::string& program, Launches* launches, Recorder* recorder);

  struct Answer {
    Reply reply;
    std::string payload;
  };
  // What is wrong is said in a line on stderr, where the program's error code does not say it.
  Answer Do(const Request& request, std::string_view payload);

  int memory_file() const { return mapping_.file(); }
  // Time that the program has spent in allocation and copies.
  double host_seconds() const { return host_seconds_; }

 private:
  Answer Dispatch(const Request& request, std::string_view payload);
  Answer Allocate(uint64_t bytes, Kind kind);
  Answer Function(size_t module, const std::string& name);
  Answer Launch(const Request& request, std::string_view payload);
  Answer MakeTexture(const TextureShape& shape);
  Answer Occupancy(const Request& request);
  KernelLaunch LaunchOf(const LoadedKernel& kernel) const;

  SharedMemory mapping_;
  DeviceMemory memory_;
  Modules modules_;
  Launches* launches_;
  Recorder* recorder_;
  DeviceExtras extras_;
  std::vector<Texture> textures_;  // by handle; those without a name are free
  std::string printed_;            // by kernels, and not yet taken
  uint64_t allocations_ = 0;
  double host_seconds_ = 0;
};

}  // namespace flagstone::cuda

#endif  // FLAGSTONE_KERNELS_CUDA_SERVER_DEVICE_H_
