#include "kernels/inputs/graph_generators.h"

#include <bit>
#include <vector>

#include "base/random.h"

namespace flagstone {
namespace {

void Add(uint64_t from, uint64_t to, bool symmetric, std::vector<MatrixElement>* edges) {
  edges->push_back({static_cast<uint32_t>(from), static_cast<uint32_t>(to)});
  if (symmetric) edges->push_back({static_cast<uint32_t>(to), static_cast<uint32_t>(from)});
}

}  // namespace

SparseMatrix GenerateRmat(const RmatShape& shape) {
  SplitMix64 random(shape.seed);
  const auto bits = std::bit_width(shape.nodes - 1);
  const double ab = shape.a + shape.b;
  const double abc = ab + shape.c;
  std::vector<MatrixElement> edges;
  edges.reserve(shape.nodes * shape.edge_factor * (shape.symmetric ? 2 : 1));
  for (uint64_t edge = 0; edge < shape.nodes * shape.edge_factor; ++edge) {
    uint64_t from = 0;
    uint64_t to = 0;
    do {
      from = to = 0;
      for (auto bit = bits; bit > 0; --bit) {
        const double draw = random.Unit();
        from = from << 1 | (draw >= ab ? 1 : 0);
        to = to << 1 | ((draw >= shape.a && draw < ab) || draw >= abc ? 1 : 0);
      }
    } while (from == to || from >= shape.nodes || to >= shape.nodes);
    Add(from, to, shape.symmetric, &edges);
  }
  return FromElements(shape.nodes, shape.nodes, edges, false);
}

SparseMatrix GenerateUniformGraph(const UniformGraphShape& shape) {
  SplitMix64 random(shape.seed);
  std::vector<MatrixElement> edges;
  edges.reserve(shape.nodes * shape.degree * (shape.symmetric ? 2 : 1));
  for (uint64_t from = 0; from < shape.nodes; ++from) {
    for (uint64_t k = 0; k < shape.degree; ++k) {
      const uint64_t other = random.Below(shape.nodes - 1);
      Add(from, other < from ? other : other + 1, shape.symmetric, &edges);
    }
  }
  return FromElements(shape.nodes, shape.nodes, edges, false);
}

SparseMatrix GenerateMesh2d(const Mesh2dShape& shape) {
  SparseMatrix mesh;
  mesh.columns = shape.width * shape.height;
  mesh.starts.reserve(mesh.columns + 1);
  mesh.column.reserve(shape.Edges());
  for (uint64_t y = 0; y < shape.height; ++y) {
    for (uint64_t x = 0; x < shape.width; ++x) {
      const auto node = static_cast<uint32_t>(y * shape.width + x);
      const auto width = static_cast<uint32_t>(shape.width);
      if (y > 0) mesh.column.push_back(node - width);
      if (x > 0) mesh.column.push_back(node - 1);
      if (x + 1 < shape.width) mesh.column.push_back(node + 1);
      if (y + 1 < shape.height) mesh.column.push_back(node + width);
      mesh.starts.push_back(mesh.column.size());
    }
  }
  return mesh;
}

}  // namespace flagstone
