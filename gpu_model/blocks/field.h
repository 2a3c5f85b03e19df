// The ports of a block as a table, so that one description serves lockstep, CSV and waves.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_FIELD_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_FIELD_H_

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flagstone {

// Low word first: no lane is wider than 128 bits.
using FieldValue = std::array<uint64_t, 2>;

inline constexpr int32_t kAlwaysValid = -1;

// One port. A port with several lanes (one per SM) is flat in RTL: lane i = bits [i*width +:
// width].
template <class Ports>
struct Field {
  std::string_view name;  // the RTL's, less `_i` or `_o`
  uint32_t width = 1;     // bits of one lane
  uint32_t lanes = 1;
  // Index in the table of the one-bit field under which this one means something (lane by lane
  // when that one has as many lanes), or kAlwaysValid.
  int32_t valid = kAlwaysValid;
  FieldValue (*get)(const Ports&, uint32_t lane) = nullptr;
  void (*set)(Ports*, uint32_t lane, FieldValue value) = nullptr;
  // Where no one-bit field says when this one means something: not null, and then it decides.
  bool (*governed)(const Ports&, uint32_t lane) = nullptr;

  // This row, under another condition.
  Field When(bool (*condition)(const Ports&, uint32_t)) const {
    Field field = *this;
    field.governed = condition;
    return field;
  }
};

template <class Ports>
using FieldTable = std::vector<Field<Ports>>;

// Whether lane `lane` of `field` means something in `ports`.
template <class Ports>
bool IsGoverned(const FieldTable<Ports>& table, const Field<Ports>& field, const Ports& ports,
                uint32_t lane) {
  if (field.governed != nullptr) return field.governed(ports, lane);
  if (field.valid == kAlwaysValid) return true;
  const Field<Ports>& valid = table[static_cast<size_t>(field.valid)];
  return valid.get(ports, valid.lanes == field.lanes ? lane : 0)[0] != 0;
}

template <class Ports>
struct FieldDifference {
  const Field<Ports>* field = nullptr;
  uint32_t lane = 0;
  FieldValue a = {};
  FieldValue b = {};
};

// The first field, in table order, in which `a` and `b` differ; a payload counts only where its
// valid is set in both. A valid that differs is itself a difference.
template <class Ports>
std::optional<FieldDifference<Ports>> FirstDifference(const FieldTable<Ports>& table,
                                                      const Ports& a, const Ports& b) {
  for (const Field<Ports>& field : table) {
    for (uint32_t lane = 0; lane < field.lanes; ++lane) {
      if (!IsGoverned(table, field, a, lane) || !IsGoverned(table, field, b, lane)) continue;
      const FieldValue value_a = field.get(a, lane);
      const FieldValue value_b = field.get(b, lane);
      if (value_a != value_b) return FieldDifference<Ports>{&field, lane, value_a, value_b};
    }
  }
  return std::nullopt;
}

// "busy", "tb_id[3]".
template <class Ports>
std::string FieldName(const Field<Ports>& field, uint32_t lane) {
  return field.lanes == 1 ? std::string(field.name) : fmt::format("{}[{}]", field.name, lane);
}

// One bit as 0 or 1, anything wider in hexadecimal.
inline std::string FieldText(FieldValue value, uint32_t width) {
  if (width == 1) return value[0] != 0 ? "1" : "0";
  if (value[1] != 0) return fmt::format("{:#x}{:016x}", value[1], value[0]);
  return fmt::format("{:#x}", value[0]);
}

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_BLOCKS_FIELD_H_
