// The reader of FST waves: GTKWave's own, which Verilator brings along as sources.
#define HAVE_LIBPTHREAD
#define FST_CONFIG_INCLUDE "fst_config.h"
#include "gtkwave/fastlz.c"
#include "gtkwave/fstapi.c"
#include "gtkwave/lz4.c"
