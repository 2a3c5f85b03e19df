// Colour from a Bayer mosaic (red at even x and even y, blue at odd x and odd y, green elsewhere):
// the two colours that a pixel's sensor does not see are the means of its neighbours that do. The
// mosaic has a border of one pixel. Which mean is which is selected, not branched on.
extern "C" __global__ void demosaic(const float* mosaic, float4* colour, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int pitch = width + 2;
  const float* above = mosaic + y * pitch + x;
  const float* here = above + pitch;
  const float* below = here + pitch;

  const float centre = here[1];
  const float row = 0.5F * (here[0] + here[2]);
  const float column = 0.5F * (above[1] + below[1]);
  const float corners = 0.25F * (above[0] + above[2] + below[0] + below[2]);
  const float cross = 0.5F * (row + column);

  const bool odd_x = x & 1;
  const bool odd_y = y & 1;
  const bool green = odd_x != odd_y;
  // The colour of even rows' sensors (red), and that of odd rows' (blue), at this pixel.
  const float along = green ? row : centre;
  const float across = green ? column : corners;
  colour[y * width + x] = make_float4(odd_y ? across : along, green ? centre : cross,
                                      odd_y ? along : across, 1.0F);
}
