#include "gpu_model/simt/points_to.h"

#include <algorithm>
#include <cstring>

namespace flagstone::simt {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

bool PlaceSet::Add(const PlaceSet& other) {
  bool grew = false;
  for (size_t i = 0; i < bits_.size(); ++i) {
    const uint64_t sum = bits_[i] | other.bits_[i];
    grew = grew || sum != bits_[i];
    bits_[i] = sum;
  }
  return grew;
}

bool PlaceSet::Meets(const PlaceSet& other) const {
  for (size_t i = 0; i < bits_.size(); ++i) {
    if ((bits_[i] & other.bits_[i]) != 0) return true;
  }
  return false;
}

bool PlaceSet::Empty() const {
  return std::all_of(bits_.begin(), bits_.end(), [](uint64_t bits) { return bits == 0; });
}

void PlaceSet::Keep(const PlaceSet& other) {
  for (size_t i = 0; i < bits_.size(); ++i) bits_[i] &= other.bits_[i];
}

PointsTo::PointsTo(const KernelLaunch& launch, const DeviceMemory& memory)
    : launch_(launch),
      memory_(memory),
      regions_(memory.regions().size()),
      pointer_bytes_(static_cast<uint64_t>(launch.module->address_size) / 8),
      global_(regions_ + kOwnPlaces),
      registers_(launch.kernel->registers.size(), PlaceSet(regions_ + kOwnPlaces)) {
  for (size_t i = 0; i < regions_; ++i) global_.Add(i);
  do {
    changed_ = false;
    for (const Instruction& instruction : launch.kernel->instructions) Flow(instruction);
  } while (changed_);
}

PlaceSet PointsTo::Everything() const {
  PlaceSet all = global_;
  all.Add(shared());
  all.Add(local());
  return all;
}

PlaceSet PointsTo::SharedByLaunches(PlaceSet places) const {
  places.Keep(global_);
  return places;
}

void PointsTo::AddAddress(uint64_t address, PlaceSet* into) const {
  const DeviceMemory::Region* region = memory_.Find(address, 0);
  if (region != nullptr) into->Add(static_cast<size_t>(region - memory_.regions().data()));
}

void PointsTo::AddVariable(const ptx::Variable& variable, PlaceSet* into) const {
  switch (variable.space) {
    case ptx::Space::kShared:
      return into->Add(shared());
    case ptx::Space::kLocal:
      return into->Add(local());
    case ptx::Space::kGlobal:
    case ptx::Space::kConst: {
      const auto found = launch_.symbols.find(variable.name);
      if (found != launch_.symbols.end()) AddAddress(found->second, into);
      return;
    }
    default:
      return;
  }
}

void PointsTo::AddTargetsOf(const Operand& operand, PlaceSet* into) const {
  switch (operand.kind) {
    case Operand::Kind::kRegister:
      into->Add(registers_[operand.reg]);
      return;
    case Operand::Kind::kAddress:
      return AddVariable(*operand.variable, into);
    case Operand::Kind::kImmediate:
      return AddAddress(operand.bits, into);
    default:
      for (const Operand& element : operand.elements) AddTargetsOf(element, into);
      return;
  }
}

// A pointer among the arguments has a known value; one from memory may lead anywhere.
void PointsTo::FlowLoad(const Instruction& instruction, PlaceSet* into) const {
  const auto bytes = static_cast<uint64_t>(ptx::SizeInBytes(instruction.type));
  if (bytes < pointer_bytes_) return;
  if (instruction.space != ptx::Space::kParam) {
    into->Add(Everything());
    return;
  }
  // Any of the arguments: a parameter block has few pointers.
  const std::vector<std::byte>& block = launch_.parameters;
  for (size_t at = 0; at + pointer_bytes_ <= block.size(); at += pointer_bytes_) {
    const Operand& from = instruction.operands.back();
    const bool known = from.variable != nullptr && !from.has_register_base;
    const uint64_t first = known ? from.variable->offset + static_cast<uint64_t>(from.offset) : 0;
    const uint64_t end = first + bytes * instruction.modifiers.vector;
    if (known && (at + pointer_bytes_ <= first || at >= end)) continue;
    uint64_t value = 0;
    std::memcpy(&value, block.data() + at, pointer_bytes_);
    AddAddress(value, into);
  }
}

void PointsTo::Write(const Operand& operand, const PlaceSet& places) {
  if (operand.kind == Operand::Kind::kRegister) {
    changed_ |= registers_[operand.reg].Add(places);
  }
  for (const Operand& element : operand.elements) Write(element, places);
}

void PointsTo::Flow(const Instruction& instruction) {
  if (instruction.destinations == 0) return;
  PlaceSet places = Nothing();
  switch (instruction.opcode) {
    case Opcode::kLd:
      FlowLoad(instruction, &places);
      break;
    case Opcode::kAtom:
      if (static_cast<uint64_t>(ptx::SizeInBytes(instruction.type)) >= pointer_bytes_) {
        places = Everything();
      }
      break;
    case Opcode::kTex:
    case Opcode::kSuld:
      return;
    case Opcode::kAllocate:
      AddAddress(launch_.heap, &places);
      break;
    case Opcode::kMov:
      // A pointer put together from halves, which may come from memory.
      if (instruction.operands[1].kind == Operand::Kind::kVector &&
          static_cast<uint64_t>(ptx::SizeInBytes(instruction.type)) >= pointer_bytes_) {
        places = Everything();
        break;
      }
      [[fallthrough]];
    default:
      for (size_t i = instruction.destinations; i < instruction.operands.size(); ++i) {
        AddTargetsOf(instruction.operands[i], &places);
      }
      break;
  }
  for (size_t i = 0; i < instruction.destinations; ++i) Write(instruction.operands[i], places);
}

PlaceSet PointsTo::OfAccess(const Instruction& instruction) const {
  PlaceSet places = Nothing();
  if (instruction.opcode == Opcode::kTex || instruction.opcode == Opcode::kSuld) {
    for (const Texture& texture : launch_.textures) AddAddress(texture.base, &places);
    return places;
  }
  switch (instruction.space) {
    case ptx::Space::kShared:
      places.Add(shared());
      return places;
    case ptx::Space::kLocal:
      places.Add(local());
      return places;
    case ptx::Space::kParam:
      return places;
    default:
      break;
  }
  for (const Operand& operand : instruction.operands) {
    if (operand.kind != Operand::Kind::kMemory) continue;
    if (operand.has_register_base) {
      places.Add(registers_[operand.reg]);
    } else if (operand.variable != nullptr) {
      AddVariable(*operand.variable, &places);
    } else {
      AddAddress(operand.bits + static_cast<uint64_t>(operand.offset), &places);
    }
  }
  const bool generic = instruction.space == ptx::Space::kGeneric;
  if (!generic) places.Keep(global_);
  // An address that came from nowhere known.
  if (places.Empty()) return generic ? Everything() : global_;
  return places;
}

}  // namespace flagstone::simt
