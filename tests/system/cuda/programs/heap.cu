// Lists on the heap of device code: a launch makes them, the next one walks and frees them.
#include "check.h"

struct Node {
  Node* next;
  int value;
};

constexpr int kThreads = 96, kNodes = 3;

__global__ void build(Node** lists) {
  const int me = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  Node* first = nullptr;
  for (int i = 0; i < kNodes; ++i) {
    Node* const node = static_cast<Node*>(malloc(sizeof(Node)));
    node->next = first;
    node->value = me + i;
    first = node;
  }
  lists[me] = first;
}

__global__ void sum(Node** lists, int* sums) {
  const int me = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  int total = 0;
  for (Node* node = lists[me]; node != nullptr;) {
    Node* const next = node->next;
    total += node->value;
    free(node);
    node = next;
  }
  sums[me] = total;
}

int main() {
  Node** lists;
  int *sums, *before;
  OK(cudaMalloc(&before, 4096));
  OK(cudaMalloc(&lists, kThreads * sizeof(Node*)));
  OK(cudaFree(before));
  OK(cudaMalloc(&sums, kThreads * sizeof(int)));
  build<<<kThreads / 32, 32>>>(lists);
  sum<<<kThreads / 32, 32>>>(lists, sums);
  int host[kThreads];
  OK(cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kThreads; ++i) CHECK(host[i] == kNodes * i + 3);
  puts("heap: good");
}
