// The program's standard output, passed on and compared with what is expected, line by line.
#ifndef FLAGSTONE_KERNELS_CUDA_SERVER_OUTPUT_WATCH_H_
#define FLAGSTONE_KERNELS_CUDA_SERVER_OUTPUT_WATCH_H_

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <thread>

#include "base/error.h"
#include "base/pattern.h"
#include "kernels/cuda/server/socket.h"

namespace flagstone::cuda {

class OutputWatch {
 public:
  // Without an expectation the program keeps our standard output.
  explicit OutputWatch(const std::optional<Pattern>& expect) : expect_(expect) {
    if (!expect_) return;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) ThrowInternal("cannot make a pipe: {}", std::strerror(errno));
    from_.Reset(ends[0]);
    to_.Reset(ends[1]);
  }
  ~OutputWatch() { Finish(); }
  OutputWatch(const OutputWatch&) = delete;
  OutputWatch& operator=(const OutputWatch&) = delete;

  int file() const { return to_.number(); }  // -1: none
  // After the program has its end of the pipe.
  void Start() {
    if (!expect_) return;
    to_.Reset();
    thread_ = std::thread([this] { Pass(); });
  }
  // When the program has ended: whether a line matched.
  bool Finish() {
    if (thread_.joinable()) thread_.join();
    return matched_;
  }

 private:
  void Pass() {
    char bytes[4096];
    std::string line;
    while (true) {
      const ssize_t got = read(from_.number(), bytes, sizeof bytes);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      for (ssize_t sent = 0; sent < got;) {
        const ssize_t n = write(STDOUT_FILENO, bytes + sent, static_cast<size_t>(got - sent));
        if (n < 0 && errno != EINTR) break;
        if (n > 0) sent += n;
      }
      for (ssize_t i = 0; i < got; ++i) {
        if (bytes[i] != '\n') {
          line += bytes[i];
          continue;
        }
        Match(&line);
      }
    }
    if (!line.empty()) Match(&line);
  }
  void Match(std::string* line) {
    matched_ = matched_ || expect_->IsIn(*line);
    line->clear();
  }

  const std::optional<Pattern>& expect_;
  File from_, to_;
  std::thread thread_;
  bool matched_ = false;
};

}  // namespace flagstone::cuda

#endif  // FLAGSTONE_KERNELS_CUDA_SERVER_OUTPUT_WATCH_H_
