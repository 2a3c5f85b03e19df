#include "gpu_model/blocks/l2_policy/l2_remote_policy.h"

namespace flagstone {

void L2RemotePolicy::Tick(const L2PolicyIn& in) {
  out_.dec_valid = in.req_valid;
  out_.quiescent = !Any(in.req_valid);
  ForEachLane(in.req_valid, [&](uint32_t lane) { Decide(in, lane); });
  if (in.cfg_valid) {
    node_ = in.cfg_node;
    once_ = in.cfg_once;
    caching_ = in.cfg_remote_caching;
  }
}

void L2RemotePolicy::Decide(const L2PolicyIn& in, uint32_t lane) {
  const bool here = in.req_home[lane] == node_;
  const bool from_fabric = Test(in.req_from_fabric, lane);
  const L2Class request = from_fabric ? L2Class::kRemoteLocal
                          : here      ? L2Class::kLocalLocal
                                      : L2Class::kLocalRemote;
  const auto kind = static_cast<L2RequestKind>(in.req_kind[lane]);
  const L2Decision decision = DecideL2(request, kind, once_, caching_);
  out_.dec_class[lane] = static_cast<uint8_t>(request);
  Put(&out_.dec_probe, lane, decision.probe);
  Put(&out_.dec_keep, lane, decision.keep);
  Put(&out_.dec_forward, lane, decision.forward);
  Put(&out_.dec_update, lane, decision.update);
  Put(&out_.dec_invalidate, lane, decision.invalidate);
  Put(&out_.dec_fault, lane, from_fabric && !here);
}

L2Decision DecisionOf(const L2PolicyOut& out, uint32_t lane) {
  return {.request = static_cast<L2Class>(out.dec_class[lane]),
          .probe = Test(out.dec_probe, lane),
          .keep = Test(out.dec_keep, lane),
          .forward = Test(out.dec_forward, lane),
          .update = Test(out.dec_update, lane),
          .invalidate = Test(out.dec_invalidate, lane)};
}

}  // namespace flagstone
