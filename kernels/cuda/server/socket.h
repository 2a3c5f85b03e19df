// The server's end of the socket that a program's client library connects to.
#ifndef FLAGSTONE_KERNELS_CUDA_SERVER_SOCKET_H_
#define FLAGSTONE_KERNELS_CUDA_SERVER_SOCKET_H_

#include <string>
#include <string_view>

#include "kernels/cuda/protocol.h"

namespace flagstone::cuda {

// Closes its file at the end.
class File {
 public:
  explicit File(int number = -1) : number_(number) {}
  ~File() { Reset(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int number() const { return number_; }
  bool open() const { return number_ >= 0; }
  void Reset(int number = -1);

 private:
  int number_;
};

// Listens under an abstract name, of which no file is left behind.
class Listener {
 public:
  Listener();
  const std::string& name() const { return name_; }
  int file() const { return file_.number(); }
  int Accept() const;  // -1: nobody of this user

 private:
  File file_;
  std::string name_;
};

// One request with its payload; false: the program has gone, or sends what no client does.
bool Receive(int file, Request* request, std::string* payload);
// `passed`: a file that goes along; -1: none. False: the program has gone.
bool Send(int file, Reply reply, std::string_view payload, int passed = -1);

}  // namespace flagstone::cuda

#endif  // FLAGSTONE_KERNELS_CUDA_SERVER_SOCKET_H_
