// Graphs by capture and node by node, and pools of memory.
#include "check.h"

__global__ void scale(int* p, int by) { p[threadIdx.x] *= by; }
__global__ void add(int* p, const int* q) { p[threadIdx.x] += q[threadIdx.x]; }

void Count(void* data) { ++*static_cast<int*>(data); }

int main() {
  cudaMemPool_t pool, own;
  unsigned long long keep = 1 << 20, kept = 0;
  OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
  CHECK(kept == keep);
  cudaMemPoolProps properties = {};
  OK(cudaMemPoolCreate(&own, &properties));
  int *p, *q, host[32], calls = 0;
  OK(cudaMallocFromPoolAsync(&p, 128, own, 0));
  OK(cudaMallocAsync(&q, 128, 0));
  OK(cudaMemPoolTrimTo(own, 0));

  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t made;
  OK(cudaStreamCreate(&stream));
  for (int i = 0; i < 32; ++i) host[i] = i;
  OK(cudaMemcpy(p, host, 128, cudaMemcpyHostToDevice));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  cudaStreamCaptureStatus status;
  OK(cudaStreamIsCapturing(stream, &status));
  CHECK(status == cudaStreamCaptureStatusActive);
  scale<<<1, 32, 0, stream>>>(p, 3);
  OK(cudaMemcpyAsync(q, p, 128, cudaMemcpyDeviceToDevice, stream));
  add<<<1, 32, 0, stream>>>(p, q);
  OK(cudaLaunchHostFunc(stream, Count, &calls));
  OK(cudaMemsetAsync(q, 0, 64, stream));
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaMemcpy(host, p, 128, cudaMemcpyDeviceToHost));
  CHECK(host[5] == 5 && calls == 0);  // noted down, not done
  size_t nodes = 0;
  OK(cudaGraphGetNodes(graph, 0, &nodes));
  CHECK(nodes == 5);
  OK(cudaGraphInstantiate(&made, graph, 0, 0, 0));
  OK(cudaGraphDestroy(graph));
  for (int i = 0; i < 2; ++i) OK(cudaGraphLaunch(made, stream));
  OK(cudaStreamSynchronize(stream));
  OK(cudaMemcpy(host, p, 128, cudaMemcpyDeviceToHost));
  CHECK(host[5] == 5 * 36 && calls == 2);
  OK(cudaMemcpy(host, q, 128, cudaMemcpyDeviceToHost));
  CHECK(host[5] == 0 && host[20] == 20 * 18);
  OK(cudaGraphExecDestroy(made));

  OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t first, second;
  int by = 7;
  void* arguments[] = {&p, &by};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void*)scale;
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(32);
  kernel.kernelParams = arguments;
  OK(cudaGraphAddKernelNode(&first, graph, 0, 0, &kernel));
  by = 1000;  // the node has its own
  OK(cudaGraphAddMemcpyNode1D(&second, graph, &first, 1, host, p, 128, cudaMemcpyDeviceToHost));
  OK(cudaGraphInstantiate(&made, graph));
  OK(cudaGraphLaunch(made, 0));
  OK(cudaDeviceSynchronize());
  CHECK(host[5] == 5 * 36 * 7);
  OK(cudaMemPoolDestroy(own));
  printf("graphs: good\n");
}
