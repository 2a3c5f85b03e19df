// clang includes this name; what it needs of it is in flagstone/device.h.
