// Graphs: by capture, or node by node. Nodes are done in the order in which they were added, which
// is one that dependencies allow: a node names only earlier ones.
#include "kernels/cuda/client/graphs.h"

using namespace flagstone::cuda;

struct CUgraphNode_st {
  Work work;
};
struct CUgraph_st {
  List<CUgraphNode_st*> nodes;
};
struct CUgraphExec_st {
  List<CUgraphNode_st*> nodes;
};

namespace {

CUgraph_st* captured = nullptr;  // by the stream that has begun a capture

void Free(List<CUgraphNode_st*>* nodes) {
  for (size_t i = 0; i < nodes->size(); ++i) {
    free((*nodes)[i]->work.parameters);
    free((*nodes)[i]);
  }
  while (nodes->size() != 0) nodes->Remove(nodes->size() - 1);
}

CUgraphNode_st* Add(List<CUgraphNode_st*>* nodes, const Work& work) {
  auto* const node = static_cast<CUgraphNode_st*>(calloc(1, sizeof(CUgraphNode_st)));
  if (node == nullptr) abort();
  memcpy(static_cast<void*>(&node->work), &work, sizeof work);
  *nodes->Add() = node;
  return node;
}

void CopyNodes(List<CUgraphNode_st*>* to, List<CUgraphNode_st*>* from) {
  for (size_t i = 0; i < from->size(); ++i) {
    Work work = (*from)[i]->work;
    if (work.parameters != nullptr) {
      auto* const own = static_cast<char*>(malloc(work.parameter_bytes + 1));
      if (own == nullptr) abort();
      memcpy(own, work.parameters, work.parameter_bytes);
      work.parameters = own;
    }
    Add(to, work);
  }
}

template <class T>
T* Make() {
  return static_cast<T*>(calloc(1, sizeof(T)));
}

cudaError_t Do(const Work& work) {
  switch (work.kind) {
    case Work::kKernel:
      return LaunchWork(work);
    case Work::kCopy:
      return cudaMemcpy2D(work.to, work.to_pitch, work.from, work.from_pitch, work.width,
                          work.height, work.direction);
    case Work::kSet:
      return cudaMemset2D(work.to, work.to_pitch, work.value, work.width, work.height);
    case Work::kHost:
      work.host(work.data);
      return cudaSuccess;
    default:
      return cudaSuccess;
  }
}

cudaError_t AddNode(cudaGraphNode_t* node, cudaGraph_t graph, const Work& work) {
  if (graph == nullptr || node == nullptr) return Fail(cudaErrorInvalidValue);
  *node = Add(&graph->nodes, work);
  return cudaSuccess;
}

cudaError_t Instantiate(cudaGraphExec_t* made, cudaGraph_t graph) {
  Guard guard;
  if (made == nullptr || graph == nullptr) return Fail(cudaErrorInvalidValue);
  *made = Make<CUgraphExec_st>();
  if (*made == nullptr) return Fail(cudaErrorMemoryAllocation);
  CopyNodes(&(*made)->nodes, &graph->nodes);
  return cudaSuccess;
}

}  // namespace

namespace flagstone::cuda {

bool Captures(cudaStream_t stream) {
  return captured != nullptr && stream != nullptr && stream != cudaStreamLegacy;
}

cudaError_t Capture(const Work& work) {
  Add(&captured->nodes, work);
  return cudaSuccess;
}

}  // namespace flagstone::cuda

FLAGSTONE_API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  Guard guard;
  const cudaError_t error = Ready();
  if (error != cudaSuccess) return error;
  if (captured != nullptr || stream == nullptr || stream == cudaStreamLegacy) {
    return Fail(cudaErrorStreamCaptureUnsupported);
  }
  captured = Make<CUgraph_st>();
  return captured == nullptr ? Fail(cudaErrorMemoryAllocation) : cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
  Guard guard;
  if (captured == nullptr || graph == nullptr) return Fail(cudaErrorIllegalState);
  *graph = captured;
  captured = nullptr;
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                                cudaStreamCaptureStatus* status) {
  Guard guard;
  *status = Captures(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

FLAGSTONE_API cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  Guard guard;
  *graph = Make<CUgraph_st>();
  return *graph == nullptr ? Fail(cudaErrorMemoryAllocation) : cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  const cudaError_t error = cudaGraphCreate(clone, 0);
  if (error == cudaSuccess) CopyNodes(&(*clone)->nodes, &graph->nodes);
  return error;
}
FLAGSTONE_API cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  Guard guard;
  if (graph == nullptr) return Fail(cudaErrorInvalidValue);
  Free(&graph->nodes);
  free(graph);
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes,
                                            size_t* count) {
  Guard guard;
  for (size_t i = 0; nodes != nullptr && i < *count && i < graph->nodes.size(); ++i) {
    nodes[i] = graph->nodes[i];
  }
  *count = graph->nodes.size();
  return cudaSuccess;
}

FLAGSTONE_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                 const cudaGraphNode_t*, size_t,
                                                 const cudaKernelNodeParams* p) {
  Guard guard;
  Work work;
  const cudaError_t error =
      MakeKernelWork(p->func, {p->gridDim, p->blockDim, kNoCluster, p->sharedMemBytes, false},
                     p->kernelParams, &work);
  return error == cudaSuccess ? AddNode(node, graph, work) : error;
}
FLAGSTONE_API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                                   const cudaGraphNode_t*, size_t, void* to,
                                                   const void* from, size_t bytes,
                                                   cudaMemcpyKind direction) {
  Guard guard;
  Work work;
  work.kind = Work::kCopy;
  work.to = to;
  work.from = from;
  work.width = work.to_pitch = work.from_pitch = bytes;
  work.direction = direction;
  return AddNode(node, graph, work);
}
// Between linear memory; a box of several slices has rows without gaps between the slices.
FLAGSTONE_API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                 const cudaGraphNode_t*, size_t,
                                                 const cudaMemcpy3DParms* p) {
  Guard guard;
  if (p->srcArray != nullptr || p->dstArray != nullptr) return Fail(cudaErrorNotSupported);
  const auto place = [](const cudaPitchedPtr& base, const cudaPos& at) {
    return static_cast<char*>(base.ptr) + (at.z * base.ysize + at.y) * base.pitch + at.x;
  };
  Work work;
  work.kind = Work::kCopy;
  work.to = place(p->dstPtr, p->dstPos);
  work.from = place(p->srcPtr, p->srcPos);
  work.to_pitch = p->dstPtr.pitch;
  work.from_pitch = p->srcPtr.pitch;
  work.width = p->extent.width;
  work.height = p->extent.height * p->extent.depth;
  work.direction = p->kind;
  const bool slices = p->extent.depth > 1 &&
                      (p->extent.height != p->dstPtr.ysize || p->extent.height != p->srcPtr.ysize);
  return slices ? Fail(cudaErrorNotSupported) : AddNode(node, graph, work);
}
FLAGSTONE_API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                 const cudaGraphNode_t*, size_t,
                                                 const cudaMemsetParams* p) {
  Guard guard;
  const unsigned byte = p->value & 0xff;
  const unsigned same = p->elementSize == 1   ? byte
                        : p->elementSize == 2 ? byte * 0x101
                                              : byte * 0x1010101;
  if (p->value != same) return Fail(cudaErrorNotSupported);  // bytes that differ
  Work work;
  work.kind = Work::kSet;
  work.to = p->dst;
  work.width = p->width * p->elementSize;
  work.height = p->height;
  work.to_pitch = p->height > 1 ? p->pitch : work.width;
  work.value = static_cast<int>(byte);
  return AddNode(node, graph, work);
}
FLAGSTONE_API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t*, size_t,
                                               const cudaHostNodeParams* p) {
  Guard guard;
  Work work;
  work.kind = Work::kHost;
  work.host = p->fn;
  work.data = p->userData;
  return AddNode(node, graph, work);
}
FLAGSTONE_API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                const cudaGraphNode_t*, size_t) {
  Guard guard;
  return AddNode(node, graph, Work());
}
// Nodes are in order already.
FLAGSTONE_API cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t*,
                                                   const cudaGraphNode_t*, size_t) {
  return cudaSuccess;
}

// CUDA 12 has flags in the place of the last three arguments.
FLAGSTONE_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph,
                                               cudaGraphNode_t*, char*, size_t) {
  return Instantiate(made, graph);
}
FLAGSTONE_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph,
                                                        unsigned long long) {
  return Instantiate(made, graph);
}
FLAGSTONE_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t made, cudaGraph_t graph, void*,
                                              void*) {
  Guard guard;
  Free(&made->nodes);
  CopyNodes(&made->nodes, &graph->nodes);
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t made) {
  Guard guard;
  if (made == nullptr) return Fail(cudaErrorInvalidValue);
  Free(&made->nodes);
  free(made);
  return cudaSuccess;
}
FLAGSTONE_API cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
// In a capture its nodes are noted down once more.
FLAGSTONE_API cudaError_t cudaGraphLaunch(cudaGraphExec_t made, cudaStream_t stream) {
  if (made == nullptr) return Fail(cudaErrorInvalidValue);
  if (Captures(stream)) {
    CopyNodes(&captured->nodes, &made->nodes);
    return cudaSuccess;
  }
  for (size_t i = 0; i < made->nodes.size(); ++i) {
    const cudaError_t error = Do(made->nodes[i]->work);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
