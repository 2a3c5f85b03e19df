// The program's modules, kernels and variables on the other side, from the first call that needs
// them.
#include <link.h>
#include <sys/mman.h>

#include "kernels/cuda/client/runtime.h"

namespace flagstone::cuda {
namespace {

struct Wrapper {
  uint32_t magic, version;
  const char* data;
  const char** more;  // of version 2: containers, null at the end
};
constexpr uint32_t kWrapperMagic = 0x466243B1;

// The bytes that follow `data` in its segment of the program.
struct Segment {
  const char* data;
  uint64_t left;
};
int FindSegment(dl_phdr_info* info, size_t, void* found) {
  auto* segment = static_cast<Segment*>(found);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    const char* const begin = reinterpret_cast<const char*>(info->dlpi_addr + part.p_vaddr);
    if (part.p_type != PT_LOAD || segment->data < begin) continue;
    const auto offset = static_cast<uint64_t>(segment->data - begin);
    if (offset < part.p_filesz) segment->left = part.p_filesz - offset;
  }
  return 0;
}

// As its header says, but no further than the segment goes: the other side sees what is missing.
uint64_t ContainerBytes(const char* data) {
  Segment segment = {data, 0};
  dl_iterate_phdr(FindSegment, &segment);
  uint64_t bytes = 0;
  if (segment.left < 16) return segment.left;
  memcpy(&bytes, data + 8, sizeof bytes);
  return bytes > segment.left - 16 ? segment.left : 16 + bytes;
}

cudaError_t SendContainer(const char* data, uint64_t* module) {
  const uint64_t size = ContainerBytes(data);
  for (uint64_t at = 0; at < size; at += kMostPayload) {
    Request request;
    request.op = Op::kModule;
    request.bytes = static_cast<uint32_t>(size - at < kMostPayload ? size - at : kMostPayload);
    request.a = at + kMostPayload >= size;
    const Reply reply = Call(request, data + at);
    if (reply.error != 0) return static_cast<cudaError_t>(reply.error);
    *module = reply.values[0];
  }
  return cudaSuccess;
}

Request Named(Op op, uint64_t module, const char* name) {
  Request request;
  request.op = op;
  request.a = module;
  request.bytes = static_cast<uint32_t>(strlen(name));
  return request;
}

// The pages of a managed variable become device memory. What else lies on them stays as it is.
bool MapOver(const Variable& variable) {
  char* const host = static_cast<char*>(const_cast<void*>(variable.host));
  const uint64_t bytes = (variable.bytes + kPage - 1) / kPage * kPage;
  char* const device = reinterpret_cast<char*>(variable.address);
  memcpy(device + variable.bytes, host + variable.bytes, bytes - variable.bytes);
  return mmap(host, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, Runtime().file,
              static_cast<off_t>(variable.address - kMemoryBase)) == host;
}

}  // namespace

bool IsManaged(const void* host) {
  State& state = Runtime();
  for (size_t i = 0; i < state.sections.size(); ++i) {
    if (host >= state.sections[i].begin && host < state.sections[i].end) return true;
  }
  return false;
}

cudaError_t LoadModule(size_t index) {
  State& state = Runtime();
  Module& module = state.modules[index];
  module.loaded = true;
  const auto* wrapper = static_cast<const Wrapper*>(module.wrapper);
  cudaError_t error = cudaSuccess;
  if (wrapper->magic != kWrapperMagic) {
    Say("a fat binary of the program has another format: expected the magic number %#x",
        kWrapperMagic);
    error = cudaErrorInvalidKernelImage;
  } else if (wrapper->version == 2 && wrapper->more != nullptr) {
    for (const char** part = wrapper->more; *part != nullptr && error == cudaSuccess; ++part) {
      error = SendContainer(*part, &module.id);
    }
  } else {
    error = SendContainer(wrapper->data, &module.id);
  }
  for (size_t i = 0; i < state.variables.size() && error == cudaSuccess; ++i) {
    Variable& variable = state.variables[i];
    if (variable.module != index) continue;
    variable.managed = variable.managed || IsManaged(variable.host);
    if (!variable.managed) continue;
    error = static_cast<cudaError_t>(
        Call(Named(Op::kManaged, module.id, variable.name), variable.name).error);
  }
  if (error == cudaSuccess) {
    Request request;
    request.op = Op::kLoad;
    request.a = module.id;
    error = static_cast<cudaError_t>(Call(request).error);
  }
  module.unusable = error != cudaSuccess;
  for (size_t i = 0; i < state.variables.size() && error == cudaSuccess; ++i) {
    Variable* variable = &state.variables[i];
    if (variable->module != index || !variable->managed) continue;
    error = FindVariable(variable->host, &variable);
    if (error != cudaSuccess) break;
    if (variable->pointer != nullptr) {
      *variable->pointer = reinterpret_cast<void*>(variable->address);
    } else if (!MapOver(*variable)) {
      error = cudaErrorMemoryAllocation;
    }
  }
  // The other side has said what is wrong: what needs this module fails, and nothing else does.
  return cudaSuccess;
}

cudaError_t FindFunction(const void* host, Function** found) {
  State& state = Runtime();
  static size_t recent = 0;
  Function* function = nullptr;
  for (size_t n = 0; n < state.functions.size(); ++n) {
    const size_t i = (recent + n) % state.functions.size();
    if (state.functions[i].host != host) continue;
    recent = i;
    function = &state.functions[i];
    break;
  }
  if (function == nullptr) return cudaErrorInvalidDeviceFunction;
  const Module& module = state.modules[function->module];
  if (module.unusable) return cudaErrorNoKernelImageForDevice;
  if (!function->known) {
    constexpr uint32_t kRoom = kMostPayload;
    char* const answer = static_cast<char*>(malloc(kRoom));
    if (answer == nullptr) return cudaErrorMemoryAllocation;
    const Reply reply =
        Call(Named(Op::kFunction, module.id, function->name), function->name, answer, kRoom);
    if (reply.error == 0) {
      function->id = reply.values[0];
      memcpy(&function->facts, answer, sizeof function->facts);
      const size_t bytes = function->facts.parameter_count * sizeof(ParameterPlace);
      function->places = static_cast<ParameterPlace*>(malloc(bytes + 1));
      memcpy(function->places, answer + sizeof function->facts, bytes);
      function->known = true;
    }
    free(answer);
    if (reply.error != 0) return static_cast<cudaError_t>(reply.error);
  }
  *found = function;
  return cudaSuccess;
}

cudaError_t FindVariable(const void* host, Variable** found) {
  State& state = Runtime();
  Variable* variable = nullptr;
  for (size_t i = 0; i < state.variables.size() && variable == nullptr; ++i) {
    if (state.variables[i].host == host) variable = &state.variables[i];
  }
  // Before CUDA 5, a variable's name stood for it.
  for (size_t i = 0; i < state.variables.size() && variable == nullptr && host != nullptr; ++i) {
    const char* name = state.variables[i].name;
    if (strncmp(name, static_cast<const char*>(host), strlen(name) + 1) == 0) {
      variable = &state.variables[i];
    }
  }
  if (variable == nullptr) return cudaErrorInvalidSymbol;
  if (!variable->known) {
    const Module& module = state.modules[variable->module];
    const Reply reply = Call(Named(Op::kVariable, module.id, variable->name), variable->name);
    if (reply.error != 0) return static_cast<cudaError_t>(reply.error);
    variable->address = reply.values[0];
    variable->bytes = reply.values[1];
    variable->known = true;
    Piece* piece = state.pieces.Add();
    piece->address = variable->address;
    piece->bytes = variable->bytes;
    piece->kind = variable->managed ? Kind::kManaged : Kind::kDevice;
  }
  *found = variable;
  return cudaSuccess;
}

}  // namespace flagstone::cuda
