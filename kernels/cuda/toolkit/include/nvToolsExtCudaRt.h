// NVTX by its older name.
#include "nvtx3/nvToolsExtCudaRt.h"
