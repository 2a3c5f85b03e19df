// What only NVIDIA's compiler takes: intrinsics, atomics on all types, inline PTX.
__device__ unsigned counter;
__device__ __managed__ int managed_value;
extern __shared__ unsigned char raw[];
__constant__ double cd[2][3] = {{1, 2, 3}, {4, 5, 6}};
__device__ const char* name = "text";
extern "C" __global__ void atomics(int* a, unsigned* b, float* f, double* d, unsigned long long* q) {
  __shared__ unsigned bins[32];
  bins[threadIdx.x & 31] = 0;
  __syncthreads();
  atomicAdd(&bins[b[threadIdx.x] & 31], 1);
  atomicAdd(a, 1); atomicSub(a + 1, 2); atomicMin(a + 2, 3); atomicMax(b, 4u);
  atomicInc(b + 1, 9); atomicDec(b + 2, 9); atomicExch(a + 3, 5);
  a[9] = atomicCAS(a + 4, 1, 2); atomicAnd(b + 3, 7); atomicOr(b + 4, 8); b[8] = atomicXor(b + 5, 1);
  f[1] = atomicAdd(f, 1.5f); d[1] = atomicAdd(d, 2.5); q[1] = atomicAdd(q, 1ull);
  atomicAdd(&counter, 1);
  __threadfence(); __threadfence_block(); __threadfence_system();
  __syncwarp();
  f[2] = raw[threadIdx.x]; managed_value = 4;
  f[3] = (float)cd[threadIdx.x & 1][threadIdx.y];
}
extern "C" __global__ void math(float* f, double* d, unsigned* b) {
  int i = threadIdx.x;
  f[0] = __sinf(f[i]); f[1] = __cosf(f[i]); f[2] = __expf(f[i]); f[3] = __logf(f[i]); f[4] = rsqrtf(f[i]);
  f[5] = sqrtf(f[i]); f[6] = 1.0f / f[i]; f[7] = __fdividef(f[i], f[i + 1]); f[8] = fmaf(f[i], f[1], f[2]);
  f[9] = floorf(f[i]); f[10] = ceilf(f[i]); f[11] = rintf(f[i]); f[12] = truncf(f[i]); f[13] = __saturatef(f[i]);
  f[14] = fminf(f[i], f[1]); f[15] = fmaxf(f[i], f[2]); f[16] = fabsf(f[i]); f[17] = expf(f[i]); f[18] = logf(f[i]); f[19] = powf(f[i], f[2]);
  f[20] = __fadd_rz(f[i], f[i+1]); f[21] = __fmul_rn(f[i], f[i+1]); f[22] = __frcp_rn(f[i]); f[23] = __fsqrt_rz(f[i]); f[24] = __fmaf_ru(f[i], f[1], f[2]);
  d[0] = sqrt(d[i]); d[1] = exp(d[i]); d[2] = 1.0 / d[i]; d[3] = log(d[i]); d[4] = fabs(d[i]); d[5] = fmin(d[i], d[2]); d[6] = floor(d[i]); d[7] = rsqrt(d[i]);
  b[0] = __brev(b[i]); b[1] = __popc(b[i]); b[2] = __clz(b[i]); b[3] = __byte_perm(b[i], b[1], 0x3210); b[4] = __sad(b[i], b[1], b[2]);
  b[5] = __float_as_uint(f[i]); b[6] = __umulhi(b[i], b[1]); b[7] = __mul24(b[i], b[1]); b[8] = (unsigned)clock(); b[9] = (unsigned)clock64();
  b[10] = __float2int_rn(f[i]); b[11] = __float2uint_ru(f[i]); b[12] = __double2loint(d[i]); b[13] = __double2hiint(d[i]); d[8] = __hiloint2double(b[1], b[2]);
  b[14] = warpSize;
}
extern "C" __global__ void barriers(float* f, float4* v, int4 k) {
  extern __shared__ float s[];
  s[threadIdx.x] = f[threadIdx.x];
  __syncthreads();
  float4 t = v[threadIdx.x]; t.x += s[0]; v[threadIdx.x + 1] = t;
  asm volatile("bar.sync 1, 64;");
  asm volatile("bar.arrive 2, 64;");
  int x;
  asm("{\n .reg .pred p;\n .reg .b32 t1;\n setp.lt.s32 p, %1, 4;\n @p bra DONE;\n mov.u32 t1, %%laneid;\n DONE: add.s32 %0, %1, 1;\n}" : "=r"(x) : "r"(k.x));
  asm("bfe.u32 %0, %1, 4, 8; // a comment; with a semicolon" : "=r"(k.y) : "r"(k.z));
  f[1] = x + k.y + __ldg(f + 7) + __ldcg(f + 8); 
  f[2] = __ldcs(f + 9); __stcg(f + 4, 1.0f);
}
