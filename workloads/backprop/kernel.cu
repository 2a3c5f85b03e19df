// Two kernels of the training of a neural network with one hidden layer of 16 units. A thread block
// of 16 x 16 threads owns 16 input units (y) and their weights to the hidden units (x); element 0
// of each layer is a bias, so that the matrix of weights has (inputs + 1) x (hidden + 1) elements.
constexpr int kSide = 16;

// The block's part of the sums that the hidden units see: one sum of 16 products per hidden unit,
// added up as a tree in shared memory. `products` keeps the summed tile, as the program does.
extern "C" __global__ void backprop_forward(const float* input, const float* weights,
                                            float* products, float* partial_sums, int hidden) {
  __shared__ float unit[kSide];
  __shared__ float tile[kSide][kSide];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kSide + ty + 1;
  const int index = row * (hidden + 1) + tx + 1;

  if (tx == 0) unit[ty] = input[row];
  __syncthreads();
  tile[ty][tx] = weights[index];
  __syncthreads();
  tile[ty][tx] *= unit[ty];
  __syncthreads();
  for (int stride = 1; stride < kSide; stride *= 2) {
    if (ty % (2 * stride) == 0) tile[ty][tx] += tile[ty + stride][tx];
    __syncthreads();
  }
  products[index] = tile[ty][tx];
  if (ty == 0) partial_sums[blockIdx.y * hidden + tx] = tile[0][tx];
}

// Moves each weight along its gradient, with momentum; the first block moves the biases too.
extern "C" __global__ void backprop_adjust(const float* delta, const float* input, float* weights,
                                           float* last_change, int hidden, float rate,
                                           float momentum) {
  const int x = threadIdx.x + 1;
  const int y = blockIdx.y * kSide + threadIdx.y + 1;
  const int index = y * (hidden + 1) + x;
  const float change = rate * delta[x] * input[y] + momentum * last_change[index];
  weights[index] += change;
  last_change[index] = change;
  __syncthreads();
  if (threadIdx.y == 0 && blockIdx.y == 0) {
    const float bias_change = rate * delta[x] + momentum * last_change[x];
    weights[x] += bias_change;
    last_change[x] = bias_change;
  }
}
