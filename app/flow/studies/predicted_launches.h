// What each launch of a workload is predicted to take under orders of its TBs. Internal to this
// folder.
#ifndef FLAGSTONE_APP_FLOW_STUDIES_PREDICTED_LAUNCHES_H_
#define FLAGSTONE_APP_FLOW_STUDIES_PREDICTED_LAUNCHES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/address/address_analysis.h"
#include "analyzer/replay/traces.h"
#include "app/flow/studies/order_study.h"
#include "kernels/launch/workload.h"

namespace flagstone {

class PredictedLaunches {
 public:
  // Analyzes the launches: fills in what is known of them in the study, which must outlive it, as
  // must `request` and `bound`, whose memory changes where data must be known.
  PredictedLaunches(const OrderRequest& request, BoundWorkload* bound, OrderStudy* study);

  // The launch's TBs, those that do most first, others as their ids are. Empty where some dozens of
  // them all do as much, or where it would take long to find out.
  std::vector<uint32_t> LongestFirst(size_t launch) const;

  // So many orders will be predicted, for who hears of it.
  void Expect(size_t orders);
  // Predicts all launches under these orders, by about so many steps of each; as many orders at
  // once as there are cores.
  void Predict(uint64_t steps, std::span<OrderCandidate> orders);

 private:
  struct Analyzed {
    AddressAnalysis addresses;
    std::unique_ptr<replay::Traces> traces;
    std::optional<size_t> alike;  // an earlier launch that does the same to other buffers
    std::optional<bool> shares;   // its TBs touch the same data
  };

  void Analyze(size_t index);
  OrderMachine ShapeOf(size_t index) const;
  std::vector<Replayed> PredictOne(size_t index, uint64_t steps,
                                   std::span<const OrderCandidate> orders);

  const OrderRequest& request_;
  BoundWorkload& bound_;
  OrderStudy& study_;
  std::vector<Analyzed> analyzed_;
  size_t executed_ = 0;  // launches
  size_t done_ = 0, all_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_STUDIES_PREDICTED_LAUNCHES_H_
