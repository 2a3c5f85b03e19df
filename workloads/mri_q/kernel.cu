// MRI reconstruction's matrix Q in two kernels: the squared magnitudes of the samples in k-space,
// and for every voxel the sum over the samples of magnitude * e^(2 pi i k.x). The samples lie in
// constant memory; a launch takes some of them and adds to what the ones before left.
constexpr int kMostSamples = 2048;

__constant__ float4 samples[kMostSamples];  // k in x, y, z, and the magnitude

extern "C" __global__ void mri_q_magnitude(const float* real, const float* imaginary,
                                           float* magnitude, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) magnitude[i] = real[i] * real[i] + imaginary[i] * imaginary[i];
}

extern "C" __global__ void mri_q(int first, int count, const float* x, const float* y,
                                 const float* z, float* q_real, float* q_imaginary) {
  const int voxel = blockIdx.x * blockDim.x + threadIdx.x;
  const float vx = x[voxel];
  const float vy = y[voxel];
  const float vz = z[voxel];
  float real = q_real[voxel];
  float imaginary = q_imaginary[voxel];
  for (int i = first; i < first + count; ++i) {
    const float4 sample = samples[i];
    // In turns; only what is left of whole ones matters, and the approximations want small angles.
    float turns = sample.x * vx + sample.y * vy + sample.z * vz;
    turns -= floorf(turns + 0.5F);
    const float angle = 6.2831853071795865F * turns;
    real += sample.w * cosf(angle);
    imaginary += sample.w * sinf(angle);
  }
  q_real[voxel] = real;
  q_imaginary[voxel] = imaginary;
}
