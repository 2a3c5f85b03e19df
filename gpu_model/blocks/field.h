// The ports of a block as a table, so that one description serves lockstep, CSV and waves.
#ifndef FLAGSTONE_GPU_MODEL_BLOCKS_FIELD_H_
#define FLAGSTONE_GPU_MODEL_BLOCKS_FIELD_H_

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace flagstone {

// Low word first: no lane is wider than 128 bits.
using FieldValue = std::array<uint64_t, 2>;

// One port. A port with several lanes (one per SM) is flat in RTL: lane i = bits [i*width +:
// width].
template <class Ports>
struct Field {
  std::string_view name;  // the RTL's, less `_i` or `_o`
  uint32_t width = 1;     // bits of one lane
  uint32_t lanes = 1;
  // The one-bit field under which this one means something, lane by lane when that one has as many
  // lanes; empty: it always does.
  std::string_view valid = {};
  size_t valid_row = 0;  // of that field, which the table fills in
  FieldValue (*get)(const Ports&, uint32_t lane) = nullptr;
  void (*set)(Ports*, uint32_t lane, FieldValue value) = nullptr;
  // Where no one-bit field says when this one means something: not null, and then it decides.
  bool (*governed)(const Ports&, uint32_t lane) = nullptr;
  // Where lane 0 lies, and the bytes of a lane; 0: lanes are bits of words of 64. What knows the
  // place needs no call for each value (systemc/cosim/port_place.h).
  const void* (*place)(const Ports&) = nullptr;
  uint32_t lane_bytes = 0;

  Field Under(std::string_view valid_field) const {
    Field field = *this;
    field.valid = valid_field;
    return field;
  }
  // This row, under another condition.
  Field When(bool (*condition)(const Ports&, uint32_t)) const {
    Field field = *this;
    field.governed = condition;
    return field;
  }
};

// The fields of a block's inputs or outputs, each valid above what it governs.
template <class Ports>
class FieldTable {
 public:
  using Row = Field<Ports>;

  FieldTable() = default;
  FieldTable(std::initializer_list<Row> rows) {
    for (const Row& row : rows) push_back(row);
  }
  // Throws kInternal for a row whose valid is not the name of one above it.
  void push_back(Row row) {
    if (!row.valid.empty()) {
      const auto valid = Find(row.valid);
      if (valid == rows_.end()) {
        ThrowInternal("port {} is governed by {}: no such port stands above it", row.name,
                      row.valid);
      }
      row.valid_row = static_cast<size_t>(valid - rows_.begin());
    }
    rows_.push_back(row);
  }

  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }
  size_t size() const { return rows_.size(); }
  const Row& operator[](size_t index) const { return rows_[index]; }
  const Row& at(size_t index) const { return rows_.at(index); }
  // Throws kInternal where there is no such row.
  const Row& operator[](std::string_view name) const {
    const auto row = Find(name);
    if (row == rows_.end()) ThrowInternal("no port {} is known", name);
    return *row;
  }

 private:
  auto Find(std::string_view name) const {
    return std::find_if(rows_.begin(), rows_.end(),
                        [name](const Row& row) { return row.name == name; });
  }

  std::vector<Row> rows_;
};

// Whether lane `lane` of `field` means something in `ports`.
template <class Ports>
bool IsGoverned(const FieldTable<Ports>& table, const Field<Ports>& field, const Ports& ports,
                uint32_t lane) {
  if (field.governed != nullptr) return field.governed(ports, lane);
  if (field.valid.empty()) return true;
  const Field<Ports>& valid = table[field.valid_row];
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
