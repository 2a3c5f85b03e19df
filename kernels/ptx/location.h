// A place in a text: of PTX, or of a file of ours.
#ifndef FLAGSTONE_KERNELS_PTX_LOCATION_H_
#define FLAGSTONE_KERNELS_PTX_LOCATION_H_

namespace flagstone::ptx {

struct Location {
  int line = 0;    // from 1
  int column = 0;  // from 1
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_LOCATION_H_
