// Rows of a field table, made from pointers to the members of a block's In and Out structs.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_FIELD_ROWS_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_FIELD_ROWS_H_

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "gpu_model/blocks/field.h"

namespace flagstone {

template <class Member>
struct MemberOf;
template <class Struct, class Type>
struct MemberOf<Type Struct::*> {
  using Ports = Struct;
  using Value = Type;
};

// One number of up to 64 bits, or 128 as FieldValue.
template <auto kMember>
auto Scalar(std::string_view name, uint32_t width, std::string_view valid = {}) {
  using Ports = typename MemberOf<decltype(kMember)>::Ports;
  using Value = typename MemberOf<decltype(kMember)>::Value;
  Field<Ports> field;
  field.name = name;
  field.width = width;
  field.valid = valid;
  if constexpr (std::is_same_v<Value, FieldValue>) {
    field.get = [](const Ports& ports, uint32_t) -> FieldValue { return ports.*kMember; };
    field.set = [](Ports* ports, uint32_t, FieldValue value) { ports->*kMember = value; };
  } else {
    field.get = [](const Ports& ports, uint32_t) {
      return FieldValue{static_cast<uint64_t>(ports.*kMember), 0};
    };
    field.set = [](Ports* ports, uint32_t, FieldValue value) {
      ports->*kMember = static_cast<Value>(value[0]);
    };
  }
  field.place = [](const Ports& ports) -> const void* { return &(ports.*kMember); };
  field.lane_bytes = sizeof(Value);
  return field;
}

// One element of an array, under a name of its own.
template <auto kMember, uint32_t kIndex>
auto Element(std::string_view name, uint32_t width, std::string_view valid = {}) {
  using Ports = typename MemberOf<decltype(kMember)>::Ports;
  using Value = typename MemberOf<decltype(kMember)>::Value::value_type;
  Field<Ports> field;
  field.name = name;
  field.width = width;
  field.valid = valid;
  field.get = [](const Ports& ports, uint32_t) {
    return FieldValue{static_cast<uint64_t>((ports.*kMember)[kIndex]), 0};
  };
  field.set = [](Ports* ports, uint32_t, FieldValue value) {
    (ports->*kMember)[kIndex] = static_cast<Value>(value[0]);
  };
  field.place = [](const Ports& ports) -> const void* { return &(ports.*kMember)[kIndex]; };
  field.lane_bytes = sizeof(Value);
  return field;
}

// 128 bits: the first two elements of an array of 64-bit words.
template <auto kMember>
auto Pair(std::string_view name, std::string_view valid = {}) {
  using Ports = typename MemberOf<decltype(kMember)>::Ports;
  Field<Ports> field;
  field.name = name;
  field.width = 128;
  field.valid = valid;
  field.get = [](const Ports& ports, uint32_t) {
    return FieldValue{(ports.*kMember)[0], (ports.*kMember)[1]};
  };
  field.set = [](Ports* ports, uint32_t, FieldValue value) {
    (ports->*kMember)[0] = value[0];
    (ports->*kMember)[1] = value[1];
  };
  field.place = [](const Ports& ports) -> const void* { return (ports.*kMember).data(); };
  field.lane_bytes = sizeof(FieldValue);
  return field;
}

// An array with one element per lane.
template <auto kMember>
auto Lanes(std::string_view name, uint32_t width, uint32_t lanes, std::string_view valid = {}) {
  using Ports = typename MemberOf<decltype(kMember)>::Ports;
  using Element = typename MemberOf<decltype(kMember)>::Value::value_type;
  Field<Ports> field;
  field.name = name;
  field.width = width;
  field.lanes = lanes;
  field.valid = valid;
  field.get = [](const Ports& ports, uint32_t lane) {
    return FieldValue{static_cast<uint64_t>((ports.*kMember)[lane]), 0};
  };
  field.set = [](Ports* ports, uint32_t lane, FieldValue value) {
    (ports->*kMember)[lane] = static_cast<Element>(value[0]);
  };
  field.place = [](const Ports& ports) -> const void* { return (ports.*kMember).data(); };
  field.lane_bytes = sizeof(Element);
  return field;
}

// One bit per lane, in an array of 64-bit words (an SmMask).
template <auto kMember>
auto BitLanes(std::string_view name, uint32_t lanes) {
  using Ports = typename MemberOf<decltype(kMember)>::Ports;
  Field<Ports> field;
  field.name = name;
  field.lanes = lanes;
  field.get = [](const Ports& ports, uint32_t lane) {
    return FieldValue{((ports.*kMember)[lane / 64] >> (lane % 64)) & 1, 0};
  };
  field.set = [](Ports* ports, uint32_t lane, FieldValue value) {
    uint64_t& word = (ports->*kMember)[lane / 64];
    const uint64_t bit = uint64_t{1} << (lane % 64);
    word = value[0] != 0 ? word | bit : word & ~bit;
  };
  field.place = [](const Ports& ports) -> const void* { return (ports.*kMember).data(); };
  return field;
}

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_FIELD_ROWS_H_
