/* A simulator in C that dispatches a kernel's TBs by paver_wide_tb_scheduler (dispatch.c).
 * usage: c_client KERNEL.ptx model|rtl|lockstep */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulator.h"

static char* read_text(const char* path) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) return NULL;
  char* text = calloc(1, 1 << 20);
  if (fread(text, 1, (1 << 20) - 1, file) == 0) text[0] = 0;
  fclose(file);
  return text;
}

int main(int argc, char** argv) {
  char* ptx = argc == 3 ? read_text(argv[1]) : NULL;
  if (ptx == NULL || flagstone_abi() != FLAGSTONE_BLOCKS_ABI) return 2;
  const flagstone_body body = strcmp(argv[2], "rtl") == 0        ? FLAGSTONE_RTL
                              : strcmp(argv[2], "lockstep") == 0 ? FLAGSTONE_LOCKSTEP
                                                                 : FLAGSTONE_MODEL;
  /* C += alpha * A * A^T: 256 x 256. */
  const uint64_t a = 0x200000000, c = 0x200100000;
  const float alpha = 1.5f, beta = 0.5f;
  const uint32_t n = 256, m = 256;
  const void* arguments[] = {&a, &c, &alpha, &beta, &n, &m};
  const flagstone_launch launch = {ptx, "syrk", {8, 32, 1}, {32, 8, 1}, 0, arguments, 6};

  struct gpu* gpu = calloc(1, sizeof *gpu);
  dispatch_build("NumSm=15 IdWidth=16", body);
  for (int kernel = 0; kernel < 2; ++kernel) { /* one after the other, on the same hardware */
    memset(gpu->issued, 0, sizeof gpu->issued);
    dispatch_kernel(gpu, &launch);
    const uint64_t begin = gpu->cycle;
    do ++gpu->cycle;
    while (dispatch_cycle(gpu) && gpu->cycle - begin < 100000);
    for (uint32_t tb = 0; tb < TBS; ++tb) {
      if (gpu->issued[tb] == 1) continue;
      fprintf(stderr, "TB %u was issued %d times\n", tb, gpu->issued[tb]);
      return 1;
    }
    printf("256 TBs, each once, in %u cycles\n", (unsigned)(gpu->cycle - begin));
  }
  free(gpu);
  free(ptx);
  return 0;
}
