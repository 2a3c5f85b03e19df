// Convolution of a cube of data with a fixed window of eleven points, one plane a launch: plane
// `plane` is done, `plane - 1` and `plane + 1` are read too. The border stays as it is.
extern "C" __global__ void conv3d(const float* in, float* out, int plane, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= size - 1 || y < 1 || y >= size - 1) return;
  const int layer = size * size;
  const float* here = in + plane * layer + y * size + x;
  const float* before = here - layer;
  const float* after = here + layer;
  // Left: the corners above in the planes before and after. Middle: the column of the same plane.
  // Right: the whole columns of the planes before and after.
  out[plane * layer + y * size + x] = 2.5F * before[-size - 1] - 0.4F * after[-size - 1] -       //
                                      0.3F * here[-size] + 0.6F * here[0] - 0.9F * here[size] +  //
                                      0.2F * before[-size + 1] + 0.4F * after[-size + 1] +       //
                                      0.5F * before[1] + 0.7F * after[1] -                       //
                                      0.8F * before[size + 1] + 0.1F * after[size + 1];
}
