// What the host's side of a launch needs, and how managed variables are made known.
#ifndef FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_LAUNCH_H_
#define FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_LAUNCH_H_

#ifndef __CUDA_ARCH__
extern "C" {
void __flagstoneManagedSection(void* start, void* stop) __attribute__((weak));
extern char __start_flagstone_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_flagstone_managed[] __attribute__((weak, visibility("hidden")));
}
// Before the constructors that register variables.
__attribute__((constructor(101), used)) static void FlagstoneManagedSection() {
  if (__start_flagstone_managed != __stop_flagstone_managed && __flagstoneManagedSection) {
    __flagstoneManagedSection(__start_flagstone_managed, __stop_flagstone_managed);
  }
}
#endif

#endif  // FLAGSTONE_KERNELS_CUDA_TOOLKIT_INCLUDE_FLAGSTONE_LAUNCH_H_
