// NVTX names for streams and devices, which nobody reads here.
#include "nvToolsExt.h"
