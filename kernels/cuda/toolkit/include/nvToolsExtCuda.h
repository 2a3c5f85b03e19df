// NVTX by its older name.
#include "nvtx3/nvToolsExtCuda.h"
