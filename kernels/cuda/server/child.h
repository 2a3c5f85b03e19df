// A program that runs under `exec`, with the client library in the place of NVIDIA's runtime.
#ifndef FLAGSTONE_KERNELS_CUDA_SERVER_CHILD_H_
#define FLAGSTONE_KERNELS_CUDA_SERVER_CHILD_H_

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/cuda/server/socket.h"

namespace flagstone::cuda {

// It is ended, if need be, when this goes.
class Child {
 public:
  // `command`: the program and its arguments; `output`: a file for its standard output, or
  // negative. Throws kBadInput for what cannot be run.
  Child(const std::vector<std::string>& command, const Listener& listener, int output);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int file() const { return file_; }  // readable when it has ended
  void Terminate() const;
  bool WaitFor(int milliseconds) const;
  // Its exit code, 128 + the signal that ended it.
  int Wait();

 private:
  void Start(const std::filesystem::path& path, const std::vector<std::string>& arguments,
             const std::vector<std::string>& environment, int output);

  pid_t pid_ = -1;
  int file_ = -1;
  bool ended_ = false;
  int code_ = 0;
};

}  // namespace flagstone::cuda

#endif  // FLAGSTONE_KERNELS_CUDA_SERVER_CHILD_H_
