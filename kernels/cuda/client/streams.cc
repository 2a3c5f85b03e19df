// Streams and events. All runs when it is issued, which is one order that streams allow; an event
// holds the simulated time of its place.
#include "kernels/cuda/client/graphs.h"

struct CUstream_st {
  unsigned flags;
};
struct CUevent_st {
  bool recorded;
  uint64_t picoseconds;
};

using namespace flagstone::cuda;

namespace {

template <class T>
cudaError_t Make(T** made) {
  Guard guard;
  *made = nullptr;
  const cudaError_t error = Ready();
  if (error != cudaSuccess) return error;
  *made = static_cast<T*>(calloc(1, sizeof(T)));
  return *made == nullptr ? Fail(cudaErrorMemoryAllocation) : cudaSuccess;
}
cudaError_t Reached() {
  Guard guard;
  const cudaError_t error = Ready();
  return error == cudaSuccess ? Fail(LastRefused()) : error;
}

}  // namespace

FLAGSTONE_API cudaError_t cudaStreamCreate(cudaStream_t* stream) { return Make(stream); }
FLAGSTONE_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return Make(stream);
}
FLAGSTONE_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
  return Make(stream);
}
FLAGSTONE_API cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (stream != cudaStreamLegacy && stream != cudaStreamPerThread) free(stream);
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaStreamSynchronize(cudaStream_t) { return Reached(); }
FLAGSTONE_API cudaError_t cudaStreamQuery(cudaStream_t) { return Reached(); }
FLAGSTONE_API cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) {
  return Reached();
}
FLAGSTONE_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t, unsigned) {
  return Reached();
}
FLAGSTONE_API cudaError_t cudaStreamGetPriority(cudaStream_t, int* priority) {
  *priority = 0;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaStreamGetFlags(cudaStream_t, unsigned* flags) {
  *flags = cudaStreamDefault;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = *greatest = 0;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                                void* data, unsigned) {
  if (Captures(stream)) return Fail(cudaErrorStreamCaptureUnsupported);
  callback(stream, cudaSuccess, data);
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function,
                                             void* data) {
  if (Captures(stream)) {
    Work work;
    work.kind = Work::kHost;
    work.host = function;
    work.data = data;
    Guard guard;
    return Capture(work);
  }
  function(data);
  return cudaSuccess;
}

FLAGSTONE_API cudaError_t cudaEventCreate(cudaEvent_t* event) { return Make(event); }
FLAGSTONE_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return Make(event);
}
FLAGSTONE_API cudaError_t cudaEventDestroy(cudaEvent_t event) {
  free(event);
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  Guard guard;
  const cudaError_t error = Ready();
  if (error != cudaSuccess) return error;
  if (event == nullptr) return Fail(cudaErrorInvalidResourceHandle);
  Request request;
  request.op = Op::kTime;
  event->picoseconds = Call(request).values[0];
  event->recorded = true;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                                   unsigned) {
  return cudaEventRecord(event, stream);
}
FLAGSTONE_API cudaError_t cudaEventSynchronize(cudaEvent_t) { return Reached(); }
FLAGSTONE_API cudaError_t cudaEventQuery(cudaEvent_t) { return Reached(); }
FLAGSTONE_API cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start,
                                               cudaEvent_t end) {
  Guard guard;
  if (start == nullptr || end == nullptr || !start->recorded || !end->recorded) {
    return Fail(cudaErrorInvalidResourceHandle);
  }
  const auto picoseconds = static_cast<double>(end->picoseconds - start->picoseconds);
  *milliseconds = static_cast<float>(picoseconds * 1e-9);
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaDeviceSynchronize() { return Reached(); }
FLAGSTONE_API cudaError_t cudaThreadSynchronize() { return Reached(); }
