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
