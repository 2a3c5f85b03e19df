// The socket to `flagstone exec`, and the mapping of device memory.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "kernels/cuda/client/runtime.h"

namespace flagstone::cuda {
namespace {

State state = {};
__thread cudaError_t last_error = cudaSuccess;
bool lost = false;
cudaError_t refused = cudaSuccess;  // of the last kernel that could not run
pid_t parent = 0;

uint64_t Now() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1000000000 + static_cast<uint64_t>(time.tv_nsec);
}

// The other side is the program's parent, and its death is signalled as SIGTERM: at the death of
// the thread that made the program, so that the process may be there for a moment more.
void OnTerminate(int number) {
  for (int i = 0; i < 50; ++i) {
    if (getppid() != parent) {
      const char line[] = "flagstone: the simulator has ended, and the program with it\n";
      (void)!write(STDERR_FILENO, line, sizeof line - 1);
      _exit(143);
    }
    poll(nullptr, 0, 2);
  }
  signal(number, SIG_DFL);
  raise(number);
}

// Without the other side, nothing that the program would compute is true.
[[noreturn]] void Stop() {
  fflush(stdout);
  Say("the simulator has ended, and the program with it");
  _exit(143);
}

bool ReceiveMemory(int* file) {
  Reply reply;
  char control[CMSG_SPACE(sizeof(int))] = {};
  iovec data = {&reply, sizeof reply};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (recvmsg(state.socket, &message, MSG_CMSG_CLOEXEC) != sizeof reply) return false;
  if (reply.error != 0) return false;
  const cmsghdr* head = CMSG_FIRSTHDR(&message);
  if (head == nullptr || head->cmsg_type != SCM_RIGHTS) return false;
  memcpy(file, CMSG_DATA(head), sizeof *file);
  state.recording = reply.values[0] != 0;
  return true;
}

// cudaErrorDevicesUnavailable: another process has the device.
cudaError_t Connect() {
  const char* name = getenv(kSocketVariable);
  if (name == nullptr) {
    Say("this program uses CUDA: run it with 'flagstone exec -- PROGRAM ARGUMENTS'");
    return cudaErrorNoDevice;
  }
  state.socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const size_t length = strlen(name);
  if (state.socket < 0 || length + 1 > sizeof address.sun_path) return cudaErrorNoDevice;
  memcpy(address.sun_path + 1, name, length);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  Request hello;
  hello.op = Op::kHello;
  hello.a = kProtocolVersion;
  int file = -1;
  if (connect(state.socket, reinterpret_cast<sockaddr*>(&address), size) != 0) {
    Say("cannot reach 'flagstone exec', which has started this program");
    return cudaErrorNoDevice;
  }
  if (send(state.socket, &hello, sizeof hello, MSG_NOSIGNAL) != sizeof hello ||
      !ReceiveMemory(&file)) {
    Say("another process has the device: each call of CUDA fails");
    return cudaErrorDevicesUnavailable;
  }
  void* const base = reinterpret_cast<void*>(kMemoryBase);
  void* const at = mmap(base, kMemoryBytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, file, 0);
  if (at != base) {
    Say("cannot map device memory at %p: something else is there, as with the address sanitizer",
        base);
    return cudaErrorNoDevice;
  }
  state.printed = static_cast<char*>(malloc(kMostPayload));
  if (state.printed == nullptr) return cudaErrorMemoryAllocation;
  state.file = file;
  state.owner = getpid();
  parent = getppid();
  struct sigaction now = {};
  if (sigaction(SIGTERM, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) {
    signal(SIGTERM, OnTerminate);
  }
  return cudaSuccess;
}

}  // namespace

State& Runtime() { return state; }

Timed::Timed() : start_(Now()) {}
Timed::~Timed() { state.host_nanoseconds += Now() - start_; }

void Say(const char* format, ...) {
  char line[1024] = "flagstone: ";
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line + 11, sizeof line - 12, format, arguments);
  va_end(arguments);
  strcat(line, "\n");
  (void)!write(STDERR_FILENO, line, strlen(line));
}

cudaError_t Fail(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  if (error >= cudaErrorIllegalAddress && error <= cudaErrorLaunchFailure) lost = true;
  return error;
}
cudaError_t Failed(int32_t error) { return Fail(static_cast<cudaError_t>(error)); }
cudaError_t Lost() { return lost ? last_error : cudaSuccess; }
cudaError_t Refused(cudaError_t error) { return Fail(refused = error); }
cudaError_t LastRefused() { return refused; }

Reply Call(Request request, const void* payload, void* answer, uint32_t room) {
  Reply reply;
  iovec out[2] = {{&request, sizeof request}, {const_cast<void*>(payload), request.bytes}};
  msghdr message = {};
  message.msg_iov = out;
  message.msg_iovlen = 2;
  ssize_t done = 0;
  do {
    done = sendmsg(state.socket, &message, MSG_NOSIGNAL);
  } while (done < 0 && errno == EINTR);
  if (done < 0) Stop();
  iovec in[2] = {{&reply, sizeof reply}, {answer, room}};
  message.msg_iov = in;
  do {
    done = recvmsg(state.socket, &message, 0);
  } while (done < 0 && errno == EINTR);
  if (done < static_cast<ssize_t>(sizeof reply)) Stop();
  return reply;
}

cudaError_t Ready() {
  if (state.connected && getpid() != state.owner) {
    static bool said = false;
    if (!said) Say("a process that was forked has no device: only the first one does");
    said = true;
    return Fail(cudaErrorInitializationError);
  }
  if (!state.connected) {
    if (state.refusal == cudaSuccess) state.refusal = Connect();
    if (state.refusal != cudaSuccess) return Fail(state.refusal);
    state.connected = true;
  }
  for (size_t i = 0; i < state.modules.size(); ++i) {
    if (state.modules[i].loaded) continue;
    const cudaError_t error = LoadModule(i);
    if (error != cudaSuccess) return Fail(error);
  }
  return Lost();
}

}  // namespace flagstone::cuda

using namespace flagstone::cuda;

FLAGSTONE_API cudaError_t cudaGetLastError() {
  const cudaError_t error = last_error;
  if (!lost) last_error = cudaSuccess;
  return error;
}
FLAGSTONE_API cudaError_t cudaPeekAtLastError() { return last_error; }
