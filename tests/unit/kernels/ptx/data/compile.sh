#!/bin/sh
# Rebuilds the compiled samples in this folder: needs clang++-14 and nvcc 13, which no test needs.
# usage: compile.sh SHIM (the CUDA shim with which clang compiles without NVIDIA's headers)
set -e
shim=$1
clang="clang++-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_35 --cuda-path=/nonexistent
  -nocudainc -nocudalib -fdeclspec -fdebug-compilation-dir=. -S -include $shim"
nvcc="nvcc -ptx -w -arch=compute_75"
for source in features ops; do
  $clang -O2 $source.cu -o $source.clang14.ptx
  $nvcc $source.cu -o $source.nvcc13.ptx
done
$clang -O1 -g features.cu -o features.clang14_debug.ptx
$clang -O0 features.cu -o features.clang14_calls.ptx
$clang -O2 -m32 ops.cu -o ops.clang14_32bit.ptx
$nvcc -lineinfo features.cu -o features.nvcc13_lineinfo.ptx
sed -i "s|$PWD/||" features.nvcc13_lineinfo.ptx
nvcc -ptx -w -arch=compute_100 cuda_only.cu -o cuda_only.nvcc13_sm100.ptx
$nvcc cuda_only.cu -o cuda_only.nvcc13.ptx

# Device functions: the same source by all compilers; clang-16 and clang-19 are Debian's too.
calls() { # COMPILER OUTPUT OPTIONS...
  compiler=$1 output=$2
  shift 2
  $compiler -x cuda --cuda-device-only --cuda-path=/nonexistent -nocudainc -nocudalib -fdeclspec \
    -fdebug-compilation-dir=. -S -include $shim "$@" calls.cu -o calls.$output.ptx
}
calls clang++-14 clang14 --cuda-gpu-arch=sm_35 -O2
calls clang++-14 clang14_O0 --cuda-gpu-arch=sm_35 -O0
calls clang++-14 clang14_debug --cuda-gpu-arch=sm_70 -O1 -g
calls clang++-14 clang14_32bit --cuda-gpu-arch=sm_20 -O2 -m32 -Xclang -target-feature -Xclang +ptx32
calls clang++-16 clang16 --cuda-gpu-arch=sm_70 -O2
calls clang++-19 clang19 --cuda-gpu-arch=sm_90 -O2
calls clang++-19 clang19_debug --cuda-gpu-arch=sm_60 -O0 -g
calls clang++-19 clang19_32bit --cuda-gpu-arch=sm_35 -O2 -m32
$nvcc calls.cu -o calls.nvcc13.ptx
$nvcc -G calls.cu -o calls.nvcc13_debug.ptx
nvcc -ptx -w -arch=compute_120 -rdc=true calls.cu -o calls.nvcc13_sm120_rdc.ptx
sed -i "s|$PWD/||" calls.*.ptx
