// Device functions as compilers print them: scalars, structs and arrays by value, early returns,
// a switch, a chain of calls, shared and local memory inside a function.
struct Item {
  int count;
  double weight __attribute__((aligned(8)));  // also where the host has 32 bits
  char tag;
  short parts[3];
};
struct Pair {
  float x, y;
};

__device__ __attribute__((noinline)) int Mix(int x, signed char c, bool b, short s) {
  return x * 3 + c + (b ? 7 : 0) + s;
}

__device__ __attribute__((noinline)) Item Bump(Item item, int i) {
  Item out = item;
  out.parts[i] = (short)(out.parts[i] + 1);
  out.weight += item.count;
  out.tag = (char)(out.tag - 1);
  return out;
}

__device__ __attribute__((noinline)) Pair Pick(Pair a, Pair b, int k) {
  Pair pairs[2] = {a, b};
  Pair p = pairs[k & 1];
  p.y += pairs[(k >> 1) & 1].x;
  return p;
}

__device__ __attribute__((noinline)) int Choose(int x) {
  switch (x) {
    case 0:
      return 12;
    case 1:
      x = 99;
      break;
    case 2:
    case 3:
      return x * 5;
    case 4:
      if (threadIdx.x & 1) return -4;
      x += 1000;
      break;
    case 5:
      return 55;
    case 6:
      return 3 - x;
    case 7:
      x = x * x;
      break;
    default:
      return -1;
  }
  return x + 1;
}

__device__ __attribute__((noinline)) int Chain(int depth, int x) {
  int sum = 0;
  for (int i = 0; i < depth; ++i) {
    if ((x + i) % 3 == 0) continue;
    sum += Choose((x + i) & 7);
    if (sum > 1000) break;
  }
  return sum;
}

__device__ __attribute__((noinline)) int Neighbour(int x) {
  __shared__ int tile[64];
  tile[threadIdx.x] = x;
  __syncthreads();
  int other = tile[threadIdx.x ^ 1];
  __syncthreads();
  return other;
}

__device__ __attribute__((noinline)) void Store(int* out, int value) {
  if (value & 1) return;
  *out = value;
}

extern "C" __global__ void calls(int* out, Item item, int n) {
  int i = threadIdx.x;
  Item bumped = Bump(item, i % 3);
  int value = Mix(i, (signed char)(i * 9), i > 3, (short)n) + bumped.parts[1] + bumped.tag +
              (int)bumped.weight;
  Pair a = {1.0f, (float)i}, b = {2.0f, (float)n};
  Pair p = Pick(a, b, i);
  value += (int)(p.x * 100 + p.y);
  value += Chain(i & 15, i);
  value += Neighbour(i * i);
  out[i] = value;
  Store(out + 64 + i, value);
}
