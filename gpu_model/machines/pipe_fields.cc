#include "gpu_model/machines/pipe_fields.h"

#include <fmt/core.h>

#include <deque>

namespace flagstone {
namespace {

// Keys and sentences are made from a class's name once; the fields point to them.
struct Table {
  std::deque<std::string> texts;
  std::vector<MachineField> fields;

  std::string_view Keep(std::string text) { return texts.emplace_back(std::move(text)); }

  template <PipeConfig SmConfig::*kClass>
  void Add(std::string_view name, std::string_view what) {
    MachineField latency;
    latency.key = Keep(fmt::format("sm.{}.latency", name));
    latency.unit = "core cycles";
    latency.sentence = Keep(fmt::format("{}: from issue to result", what));
    latency.integer = [](MachineConfig& m) { return &(m.sm.*kClass).latency; };
    latency.min = 1;
    latency.max = 1000;
    fields.push_back(latency);
    MachineField interval = latency;
    interval.key = Keep(fmt::format("sm.{}.interval", name));
    interval.sentence = Keep(fmt::format("{}: until their pipe takes another", what));
    interval.integer = [](MachineConfig& m) { return &(m.sm.*kClass).interval; };
    fields.push_back(interval);
    MachineField unit;
    unit.key = Keep(fmt::format("sm.{}.unit", name));
    unit.sentence = Keep(fmt::format("{}: the pipe of a scheduler that they go down", what));
    unit.choice = [](MachineConfig& m) { return reinterpret_cast<uint8_t*>(&(m.sm.*kClass).unit); };
    unit.names = kPipeUnits;
    fields.push_back(unit);
  }
};

}  // namespace

std::span<const MachineField> PipeFields() {
  static const Table* const table = [] {
    auto* t = new Table;
    t->Add<&SmConfig::logic>("logic", "Moves, logic, shifts, compares, selects, conversions");
    t->Add<&SmConfig::int_add>("int_add", "Integer additions");
    t->Add<&SmConfig::int_minmax>("int_minmax", "Integer minima and maxima");
    t->Add<&SmConfig::int_mul>("int_mul", "Integer multiplications");
    t->Add<&SmConfig::int_mad>("int_mad", "Integer multiply-adds");
    t->Add<&SmConfig::int_div>("int_div", "Integer divisions");
    t->Add<&SmConfig::shuffle>("shuffle", "Shuffles within a warp");
    t->Add<&SmConfig::f32>("f32", "Single-precision additions, multiplications");
    t->Add<&SmConfig::f32_minmax>("f32_minmax", "Single-precision minima and maxima");
    t->Add<&SmConfig::f32_fma>("f32_fma", "Single-precision multiply-adds");
    t->Add<&SmConfig::f32_div>("f32_div", "Single-precision divisions and roots");
    t->Add<&SmConfig::f64>("f64", "Double-precision arithmetic");
    t->Add<&SmConfig::f64_minmax>("f64_minmax", "Double-precision minima and maxima");
    t->Add<&SmConfig::f64_div>("f64_div", "Double-precision divisions and roots");
    t->Add<&SmConfig::sfu>("sfu", "Special functions");
    t->Add<&SmConfig::tensor>("tensor", "Products of matrices, m16n8k16 of f16");
    return t;
  }();
  return table->fields;
}

}  // namespace flagstone
