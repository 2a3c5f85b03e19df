// How well a stride between warps predicts their loads, by the distance of the warps, and how far
// ahead (CAPS paper, Fig. 1).
#ifndef FLAGSTONE_APP_FLOW_STUDIES_WARP_DISTANCE_H_
#define FLAGSTONE_APP_FLOW_STUDIES_WARP_DISTANCE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "gpu_model/sm/load_log.h"

namespace flagstone {

// At one distance. A target is a load of which there was a prediction.
struct WarpDistanceFigures {
  uint64_t targets = 0;
  uint64_t correct = 0;  // the line was predicted
  uint64_t same_tb = 0;  // targets in the predicting warp's TB
  uint64_t same_tb_correct = 0;
  uint64_t cycles = 0;  // from the predicting load to the target, summed
};

// Of one SM. A load predicts the same load of the warps that follow it on the SM, at every distance
// up to `most`, once two strides between the warps that executed it in turn were equal (assumption:
// the paper does not say how its strides are found). The n-th execution of a load by a warp's TB
// predicts the n-th of others that have not come to it yet.
class WarpDistance {
 public:
  // figures: of distance 1 and up.
  explicit WarpDistance(uint32_t most) : figures_(most) {}

  void Add(const LoadEvent& load);
  const std::vector<WarpDistanceFigures>& figures() const { return figures_; }

 private:
  static constexpr uint64_t kLineBytes = 128;

  struct Stride {
    uint32_t warp = 0;  // of the last execution, as is the address
    uint64_t address = 0;
    int64_t stride = 0;
    bool has_stride = false;
  };
  struct Prediction {
    uint64_t address = 0;
    uint64_t cycle = 0;
    uint64_t tb = 0;
    bool valid = false;
  };
  // One load of one warp.
  struct WarpLoad {
    uint64_t tb = 0;          // the warp's, at its last execution
    uint64_t executions = 0;  // in that TB
    // By number of the execution that they are for: a prediction from each distance.
    std::map<uint64_t, std::vector<Prediction>> predictions;
  };

  void Score(const LoadEvent& load, WarpLoad* target);
  bool Learn(const LoadEvent& load, int64_t* stride);

  std::vector<WarpDistanceFigures> figures_;
  std::map<uint32_t, Stride> strides_;                       // by pc
  std::map<std::pair<uint32_t, uint32_t>, WarpLoad> loads_;  // by pc and warp
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_STUDIES_WARP_DISTANCE_H_
