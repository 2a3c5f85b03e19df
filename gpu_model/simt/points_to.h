// Where a kernel's pointers may lead in one launch: a flow-insensitive points-to analysis over the
// buffers and variables in device memory, shared and local memory.
#ifndef FLAGSTONE_GPU_MODEL_SIMT_POINTS_TO_H_
#define FLAGSTONE_GPU_MODEL_SIMT_POINTS_TO_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/launch/device_memory.h"
#include "kernels/launch/kernel_launch.h"
#include "kernels/ptx/kernel.h"

namespace flagstone::simt {

// A set of places: a bit for each region of device memory, and behind them shared and local memory.
class PlaceSet {
 public:
  explicit PlaceSet(size_t places) : bits_((places + 63) / 64, 0) {}
  void Add(size_t place) { bits_[place / 64] |= uint64_t{1} << (place % 64); }
  bool Add(const PlaceSet& other);  // whether it grew
  bool Meets(const PlaceSet& other) const;
  bool Empty() const;
  void Keep(const PlaceSet& other);

 private:
  std::vector<uint64_t> bits_;
};

inline constexpr size_t kOwnPlaces = 2;  // of a TB or thread: shared and local memory

class PointsTo {
 public:
  PointsTo(const KernelLaunch& launch, const DeviceMemory& memory);

  // The places that a load, store, atomic or texture fetch may touch.
  PlaceSet OfAccess(const ptx::Instruction& instruction) const;
  PlaceSet Nothing() const { return PlaceSet(regions_ + kOwnPlaces); }
  PlaceSet Everything() const;
  // Those of the places that other launches can see.
  PlaceSet SharedByLaunches(PlaceSet places) const;

 private:
  void Flow(const ptx::Instruction& instruction);
  void FlowLoad(const ptx::Instruction& instruction, PlaceSet* into) const;
  void AddTargetsOf(const ptx::Operand& operand, PlaceSet* into) const;
  void AddVariable(const ptx::Variable& variable, PlaceSet* into) const;
  void AddAddress(uint64_t address, PlaceSet* into) const;
  void Write(const ptx::Operand& operand, const PlaceSet& places);
  size_t shared() const { return regions_; }
  size_t local() const { return regions_ + 1; }

  const KernelLaunch& launch_;
  const DeviceMemory& memory_;
  size_t regions_;
  uint64_t pointer_bytes_;
  PlaceSet global_;                  // all regions of device memory
  std::vector<PlaceSet> registers_;  // by RegisterId
  bool changed_ = false;
};

}  // namespace flagstone::simt

#endif  // FLAGSTONE_GPU_MODEL_SIMT_POINTS_TO_H_
