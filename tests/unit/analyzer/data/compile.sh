#!/bin/sh
# Rebuilds the compiled samples in this folder: needs clang++-14 and nvcc 13, which no test needs.
# usage: compile.sh SHIM (the CUDA shim with which clang compiles without NVIDIA's headers)
set -e
shim=$1
for level in 1 2; do
  clang++-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 --cuda-path=/nonexistent \
    -Xclang -target-feature -Xclang +ptx60 -nocudainc -nocudalib -fdeclspec -O$level -S \
    -include "$shim" two_compilers.cu -o two_compilers.clang14_O$level.ptx
done
for level in 1 3; do
  nvcc -ptx -w -arch=compute_75 -Xcicc -O$level two_compilers.cu -o two_compilers.nvcc13_O$level.ptx
done
