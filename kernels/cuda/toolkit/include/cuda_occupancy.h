// Thrust includes it and calls nothing of it; the runtime has functions of occupancy.
#include "cuda_runtime_api.h"
