#include "kernels/cuda/server/socket.h"

#include <fmt/core.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <random>

#include "base/error.h"

namespace flagstone::cuda {

void File::Reset(int number) {
  if (number_ >= 0) close(number_);
  number_ = number;
}

Listener::Listener() {
  // Random, so that no other process finds it by chance or guessing; it changes no result.
  std::random_device random;
  name_ = fmt::format("flagstone-exec-{}-{:08x}{:08x}", getpid(), random(), random());
  file_.Reset(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  name_.copy(address.sun_path + 1, sizeof address.sun_path - 2);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name_.size());
  if (!file_.open() || bind(file_.number(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      listen(file_.number(), 8) != 0) {
    ThrowInternal("cannot open a socket for the program: {}", std::strerror(errno));
  }
}

int Listener::Accept() const {
  const int file = accept4(file_.number(), nullptr, nullptr, SOCK_CLOEXEC);
  ucred who = {};
  socklen_t size = sizeof who;
  if (file >= 0 && getsockopt(file, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 &&
      who.uid == geteuid()) {
    return file;
  }
  if (file >= 0) close(file);
  return -1;
}

bool Receive(int file, Request* request, std::string* payload) {
  payload->resize(kMostPayload + 1);
  iovec parts[2] = {{request, sizeof *request}, {payload->data(), payload->size()}};
  msghdr message = {};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  ssize_t got = 0;
  do {
    got = recvmsg(file, &message, 0);
  } while (got < 0 && errno == EINTR);
  if (got < static_cast<ssize_t>(sizeof *request)) return false;
  payload->resize(static_cast<size_t>(got) - sizeof *request);
  return payload->size() == request->bytes;
}

bool Send(int file, Reply reply, std::string_view payload, int passed) {
  reply.bytes = static_cast<uint32_t>(payload.size());
  iovec parts[2] = {{&reply, sizeof reply}, {const_cast<char*>(payload.data()), payload.size()}};
  msghdr message = {};
  message.msg_iov = parts;
  message.msg_iovlen = payload.empty() ? 1 : 2;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  if (passed >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(head), &passed, sizeof passed);
  }
  ssize_t sent = 0;
  do {
    sent = sendmsg(file, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent >= 0;
}

}  // namespace flagstone::cuda
