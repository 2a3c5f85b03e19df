// The state of the client library, which every CUDA program that runs under `flagstone exec` loads
// in the place of NVIDIA's runtime. It holds no simulator and no C++ library: each call is answered
// here, or is a request to the other side of the socket.
#ifndef FLAGSTONE_KERNELS_CUDA_CLIENT_RUNTIME_H_
#define FLAGSTONE_KERNELS_CUDA_CLIENT_RUNTIME_H_

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/protocol.h"
#define FLAGSTONE_CUDA_CLIENT
#include "kernels/cuda/toolkit/include/cuda_runtime_api.h"

#define FLAGSTONE_API extern "C" __attribute__((visibility("default")))

namespace flagstone::cuda {

// A growing array; elements are plain data.
template <class T>
class List {
 public:
  T* Add() {
    if (size_ == room_) {
      room_ = room_ == 0 ? 16 : 2 * room_;
      items_ = static_cast<T*>(realloc(items_, room_ * sizeof(T)));
      if (items_ == nullptr) abort();
    }
    memset(static_cast<void*>(&items_[size_]), 0, sizeof(T));
    return &items_[size_++];
  }
  void Remove(size_t i) { items_[i] = items_[--size_]; }
  size_t size() const { return size_; }
  T& operator[](size_t i) { return items_[i]; }

 private:
  T* items_ = nullptr;
  size_t size_ = 0, room_ = 0;
};

struct Module {
  const void* wrapper;  // of the fat binary
  uint64_t id;          // on the other side
  bool loaded, unusable;
};
struct Function {
  const void* host;  // the stub, which the program names the kernel by
  size_t module;
  const char* name;
  bool known;
  uint64_t id;
  FunctionFacts facts;
  ParameterPlace* places;
  int dynamic_shared;  // that the program has asked for
};
struct Variable {
  const void* host;
  size_t module;
  const char* name;
  bool known, managed;
  void** pointer;  // of nvcc's managed variables: where the program expects the address
  uint64_t address, bytes;
};
struct TextureName {
  const textureReference* host;
  size_t module;
  const char* name;
  bool as_fractions;  // integers are read as fractions of their largest value
  uint64_t handle;    // bound to it; 0: none
};
// A piece of device memory.
struct Piece {
  uint64_t address, bytes;
  Kind kind;
};
// Host memory that the program has registered, and its double in device memory.
struct Registered {
  char* host;
  uint64_t bytes, address;
};
// Pages of the program that hold managed variables.
struct Section {
  char *begin, *end;
};

struct State {
  pthread_mutex_t lock;
  int socket;
  int owner;  // process
  int file;   // of device memory
  bool connected, recording;
  cudaError_t refusal;  // why there is no connection: of the first try
  List<Module> modules;
  List<Function> functions;
  List<Variable> variables;
  List<TextureName> textures;
  List<Piece> pieces;
  List<Registered> registered;
  List<Section> sections;
  uint64_t stack_bytes;       // of a thread, as the program has asked; 0: CUDA's own
  uint64_t host_nanoseconds;  // in allocation and copies since the last launch
  char* printed;
};
State& Runtime();

// Holds the lock as long as it lives.
class Guard {
 public:
  Guard() { pthread_mutex_lock(&Runtime().lock); }
  ~Guard() { pthread_mutex_unlock(&Runtime().lock); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
};
// Adds the time it lives to the program's own.
class Timed {
 public:
  Timed();
  ~Timed();
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  uint64_t start_;
};

// Below, the lock is held.

// Sets what cudaGetLastError gives, and gives it back.
cudaError_t Fail(cudaError_t error);
cudaError_t Failed(int32_t error);  // Fail, where it is one
// An error that stays: the device is lost.
cudaError_t Lost();
// Fail, of a kernel that cannot run: who waits for the device hears of it too.
cudaError_t Refused(cudaError_t error);
cudaError_t LastRefused();

// Connects and loads what has been registered. Said once where there is no other side.
cudaError_t Ready();
cudaError_t LoadModule(size_t module);
// Sends `payload`, and gives up to `room` bytes of the answer's in `answer`.
Reply Call(Request request, const void* payload = nullptr, void* answer = nullptr,
           uint32_t room = 0);
// One line on stderr.
void Say(const char* format, ...) __attribute__((format(printf, 1, 2)));

bool IsDevice(const void* pointer);
// The piece that holds all of these bytes, or null.
Piece* FindPiece(const void* pointer, uint64_t bytes);
cudaError_t Allocate(void** pointer, uint64_t bytes, Kind kind);
void CopiedBack(const void* from, uint64_t bytes);

// Facts about it come from the other side when they are first asked for.
cudaError_t FindFunction(const void* host, Function** function);
// By its address in the program, or by its name.
cudaError_t FindVariable(const void* host, Variable** variable);
// Whether it lies in a section of managed variables.
bool IsManaged(const void* host);

}  // namespace flagstone::cuda

#endif  // FLAGSTONE_KERNELS_CUDA_CLIENT_RUNTIME_H_
