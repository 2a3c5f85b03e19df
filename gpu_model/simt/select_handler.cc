// The handler that executes a decoded instruction; those of accesses are in select_access.cc.
#include <bit>
#include <utility>

#include "gpu_model/simt/clusters.h"
#include "gpu_model/simt/decoder.h"
#include "gpu_model/simt/host_calls.h"
#include "gpu_model/simt/instruction_class.h"
#include "kernels/launch/findings.h"

namespace flagstone::simt {
namespace {

using ptx::Opcode;
using ptx::Type;

// What `set` gives where its comparison holds.
uint32_t TrueValueOf(Type type) {
  switch (type) {
    case Type::kF32:
      return std::bit_cast<uint32_t>(1.0F);
    case Type::kF16:
      return 0x3c00;
    case Type::kBf16:
      return 0x3f80;
    case Type::kU16:
      return 0xffff;
    default:
      return kAllLanes;
  }
}

// Which source of a lane exchange is its mask of lanes.
uint8_t MaskSource(Opcode opcode) {
  if (opcode == Opcode::kShfl) return 3;
  return opcode == Opcode::kElect ? 0 : 1;
}

}  // namespace

void Decoder::SelectClusterBarrier() {
  inst_->action = Action::kClusterBarrier;
  inst_->barrier = instruction_->modifiers.barrier_op;
  inst_->commit = CommitClusterArrival;
}

void Decoder::SelectHandler() {
  const ptx::Instruction& i = *instruction_;
  inst_->action = Action::kCompute;
  switch (i.opcode) {
    case Opcode::kBra:
      inst_->action = Action::kBranch;
      return;
    case Opcode::kRet:
    case Opcode::kExit:
      inst_->action = Action::kExit;
      inst_->commit = CommitClusterArrival;  // used in clusters alone
      return;
    case Opcode::kTrap:
      inst_->action = Action::kTrap;
      return;
    case Opcode::kFence:
      // Only who looks for races hears of it: copies are made at once.
      inst_->action =
          i.modifiers.async_proxy && launch_.findings != nullptr && launch_.findings->wants_races
              ? Action::kWarpgroup
              : Action::kNothing;
      return;
    case Opcode::kCall:
    // Stores become visible in the order of their commits, and all lanes of a warp move together.
    case Opcode::kMembar:
    case Opcode::kNanosleep:
    case Opcode::kPrefetch:
    case Opcode::kBrkpt:
    // Launches follow one another here, and registers stay with their warps.
    case Opcode::kGriddepcontrol:
    case Opcode::kSetmaxnreg:
      inst_->action = Action::kNothing;
      return;
    case Opcode::kBar:
      if (i.modifiers.barrier_op >= ptx::BarrierOp::kClusterArrive) return SelectClusterBarrier();
      inst_->barrier = i.modifiers.barrier_op;
      if (inst_->barrier == ptx::BarrierOp::kRed && inst_->source[2] == kNoSlot) {
        std::swap(inst_->source[1], inst_->source[2]);  // without a count
        std::swap(inst_->source_flip[1], inst_->source_flip[2]);
      }
      inst_->action = Action::kBarrier;
      inst_->modifiers.unaligned &= lanes_progress_;
      if (inst_->barrier == ptx::BarrierOp::kWarpSync) {
        inst_->action = lanes_progress_ ? Action::kWarpSync : Action::kNothing;
      }
      return;
    case Opcode::kLd:
    case Opcode::kSt:
    case Opcode::kAtom:
    case Opcode::kRed:
      SelectMemoryHandler();
      break;
    case Opcode::kSet:
      if (ptx::IsPacked(i.source_type)) {
        inst_->run = SelectHalf(i);
        break;
      }
      inst_->source[3] = slots_.Constant(TrueValueOf(i.type), false);
      inst_->elements[0] = inst_->destination;
      inst_->destination = slots_.HiddenPredicate();
      inst_->inner = handlers_.compare(i);
      if (inst_->inner == nullptr) inst_->inner = SelectHalf(i);
      inst_->run = inst_->inner != nullptr ? handlers_.set() : nullptr;
      break;
    case Opcode::kPrint:
      inst_->run = Print;
      info_->prints = true;
      break;
    case Opcode::kAssertFail:
      inst_->run = FailAssertion;
      break;
    case Opcode::kStackOverflow:
      inst_->run = OverflowStack;
      break;
    case Opcode::kSetp:
      inst_->run = handlers_.compare(i);
      if (inst_->run == nullptr) inst_->run = SelectHalf(i);
      break;
    case Opcode::kLdmatrix:
    case Opcode::kStmatrix:
      SelectWarpMemory(i.opcode == Opcode::kLdmatrix);
      inst_->access_bytes = 16;  // a row
      break;
    case Opcode::kCpAsync:
      if (i.modifiers.async_op == ptx::AsyncOp::kCopy) {
        SelectWarpMemory(true);
        inst_->access_bytes = inst_->element_bytes;
        info_->destinations[info_->destination_count++] = slots_.AsyncNumber();
        break;
      }
      if (i.modifiers.async_op == ptx::AsyncOp::kBulkCopy ||
          i.modifiers.async_op == ptx::AsyncOp::kTensorCopy) {
        return SelectBulkCopy();
      }
      inst_->action = i.modifiers.async_op == ptx::AsyncOp::kBulkCommit ? Action::kBulkCommit
                                                                        : Action::kNothing;
      // The copies are made: what arrives for them only counts where the barrier reckons with it.
      if (i.modifiers.no_increment) SelectMbarrierAccess();
      return;
    case Opcode::kTensormap:
      if (i.modifiers.async_op == ptx::AsyncOp::kBulkCopy) return SelectBulkCopy();
      SelectMapChange();
      break;
    case Opcode::kMbarrier:
      if (i.modifiers.mbarrier_op == ptx::MbarrierOp::kPendingCount) {
        inst_->run = SelectMbarrier(i).run;
      } else {
        SelectMbarrierAccess();
      }
      break;
    case Opcode::kAllocate:
    case Opcode::kFree:
      SelectHeapAccess();
      break;
    case Opcode::kSuld:
    case Opcode::kSust: {
      const MemoryHandler handler = SelectSurface(i);
      inst_->action = Action::kMemory;
      inst_->space = MemorySpace::kGlobal;
      inst_->access_bytes = static_cast<uint8_t>(inst_->element_bytes * inst_->vector);
      inst_->writes_memory = i.opcode == Opcode::kSust;
      info_->is_load = !inst_->writes_memory;
      info_->is_store = inst_->writes_memory;
      inst_->wide_second = inst_->writes_memory ? shape_.wide_source : shape_.wide_destination;
      inst_->run = handler.run;
      inst_->commit = handler.commit;
      break;
    }
    case Opcode::kMapa:
    case Opcode::kGetctarank:
      inst_->run = SelectClusterAddress(i);
      break;
    case Opcode::kMma:
      info_->tensor_work = TensorWorkOf(i);
      [[fallthrough]];
    case Opcode::kMovmatrix:
      inst_->run = SelectMatrix(i);
      break;
    case Opcode::kAddCarry:
    case Opcode::kSubCarry:
    case Opcode::kMadCarry:
      inst_->run = SelectCarry(i);
      break;
    case Opcode::kShfl:
    case Opcode::kVote:
    case Opcode::kMatch:
    case Opcode::kActivemask:
    case Opcode::kRedux:
    case Opcode::kElect:
      inst_->run = SelectLaneExchange(i);
      if (i.modifiers.lane_sync && lanes_progress_) inst_->mask_source = MaskSource(i.opcode);
      break;
    case Opcode::kCreatepolicy:
      inst_->space = MemorySpace::kNone;  // its address is a number
      inst_->run = SelectCachePolicy(i);
      break;
    case Opcode::kTex:
      inst_->action = Action::kMemory;
      inst_->space = MemorySpace::kGlobal;
      info_->is_load = true;
      info_->is_texture = true;
      inst_->run = SelectTexture();
      break;
    case Opcode::kTxq:
      inst_->run = SelectTextureQuery();
      break;
    case Opcode::kIsspacep:
      inst_->run = SelectSpaceTest();
      break;
    case Opcode::kCvta:
      inst_->run = handlers_.cvta(i);
      break;
    default: {
      inst_->run = SelectHalf(i);
      if (inst_->run == nullptr) inst_->run = SelectIntegerPairs(i);
      if (inst_->run == nullptr) inst_->run = SelectPairs(i);
      if (inst_->run == nullptr) inst_->run = SelectNarrowConvert(i, shape_);
      if (inst_->run == nullptr) inst_->run = handlers_.predicate(i);
      if (inst_->run == nullptr) inst_->run = DirectedRounding(i, shape_);
      if (inst_->run == nullptr) inst_->run = handlers_.approximate(i);
      if (inst_->run == nullptr) inst_->run = handlers_.floating(i);
      if (inst_->run == nullptr) inst_->run = handlers_.convert(i, shape_);
      if (inst_->run == nullptr) inst_->run = handlers_.move(i, shape_);
      if (inst_->run == nullptr) inst_->run = handlers_.bits(i);
      if (inst_->run == nullptr) inst_->run = handlers_.integer(i);
      if (inst_->run == nullptr) inst_->run = SelectRare(i);
    }
  }
  if (inst_->run == nullptr) Refuse("this instruction is not supported");
}

}  // namespace flagstone::simt
