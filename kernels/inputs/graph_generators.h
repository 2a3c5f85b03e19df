// Seeded synthetic graphs. The same parameters give the same graph on every machine, and the
// number of edges follows from them alone.
#ifndef FLAGSTONE_KERNELS_INPUTS_GRAPH_GENERATORS_H_
#define FLAGSTONE_KERNELS_INPUTS_GRAPH_GENERATORS_H_

#include <cstdint>

#include "kernels/inputs/sparse_matrix.h"

namespace flagstone {

// R-MAT (Chakrabarti, Zhan, Faloutsos, SDM 2004): nodes * edge_factor edges. Each is drawn bit by
// bit from the highest, one number of SplitMix64(seed) a bit: with probability a, b, c, d = 1 - a -
// b - c the bits of source and target are 00, 01, 10, 11. An edge from a node to itself, or with an
// end past `nodes`, is drawn again. Low node numbers have most edges: they are not shuffled.
struct RmatShape {
  uint64_t nodes = 0;  // >= 2; a power of two is Graph500's `scale`
  uint64_t edge_factor = 0;
  double a = 0.57, b = 0.19, c = 0.19;  // all, and d, at least 0.01
  uint64_t seed = 1;
  bool symmetric = false;  // each edge also backwards: twice as many
};
SparseMatrix GenerateRmat(const RmatShape& shape);

// Each node has `degree` edges to nodes other than itself, all equally likely (and twice the same,
// sometimes): the k-th edge of node i goes to the number i * degree + k of SplitMix64(seed).
struct UniformGraphShape {
  uint64_t nodes = 0;  // >= 2
  uint64_t degree = 0;
  uint64_t seed = 1;
  bool symmetric = false;  // each edge also backwards: twice as many
};
SparseMatrix GenerateUniformGraph(const UniformGraphShape& shape);

// Nodes in `height` lines of `width`, each joined with its neighbours to the left, right, above and
// below.
struct Mesh2dShape {
  uint64_t width = 0;
  uint64_t height = 0;
  uint64_t Edges() const { return 2 * ((width - 1) * height + width * (height - 1)); }
};
SparseMatrix GenerateMesh2d(const Mesh2dShape& shape);

}  // namespace flagstone

#endif  // FLAGSTONE_KERNELS_INPUTS_GRAPH_GENERATORS_H_
