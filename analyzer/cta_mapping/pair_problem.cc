#include "analyzer/cta_mapping/pair_problem.h"

#include <cstring>

namespace flagstone {
namespace {

uint64_t TurnsOf(const CountedLoop& loop) {
  return loop.known || loop.bounded ? loop.trip_count : 1;
}

// All forms that the access's place in memory and its execution depend on.
template <class Visit>
void ForEachForm(const SubscriptedAccess& access, Visit visit) {
  for (const AffineForm& form : *access.subscripts) visit(form);
  for (const Guard& guard : access.access->guards) visit(guard.form);
}

}  // namespace

void PairProblem::Add(bool equality, int64_t constant, std::initializer_list<Term> terms) {
  Constraint& constraint = constraints_.emplace_back();
  constraint.equality = equality;
  constraint.constant = constant;
  constraint.terms = terms;
}

uint32_t PairProblem::Between(uint64_t end) {
  const uint32_t variable = variables_++;
  Add(false, 0, {{variable, 1}});
  Add(false, static_cast<int64_t>(end) - 1, {{variable, -1}});
  return variable;
}

uint32_t PairProblem::BelowExtent(uint32_t extent) {
  const uint32_t variable = variables_++;
  Add(false, 0, {{variable, 1}});
  Add(false, -1, {{extent, 1}, {variable, -1}});
  return variable;
}

void PairProblem::AtLeast(uint32_t extent, int64_t n) { Add(false, -n, {{extent, 1}}); }

std::array<bool, 3> PairProblem::BlocksRead(const SubscriptedAccess& access) const {
  std::array<bool, 3> read = {};
  ForEachForm(access, [&](const AffineForm& form) {
    for (size_t axis = 0; axis < 3; ++axis) read[axis] = read[axis] || form.ctaid[axis] != 0;
  });
  return read;
}

PairProblem::Side PairProblem::Domain(const SubscriptedAccess& access,
                                      const std::array<uint32_t, 3>& blocks) {
  Side side;
  side.blocks = blocks;
  side.loops.assign(scene_.analysis->loops.size(), 0);
  const std::array<uint32_t, 3> extents = {scene_.launch->block.x, scene_.launch->block.y,
                                           scene_.launch->block.z};
  for (const uint32_t loop : access.access->loops) {
    if (TurnsOf(scene_.analysis->loops[loop]) == 0) Add(false, -1, {});
  }
  ForEachForm(access, [&](const AffineForm& form) {
    for (size_t axis = 0; axis < 3; ++axis) {
      if (form.tid[axis] == 0 || extents[axis] == 1 || side.threads[axis] != 0) continue;
      side.threads[axis] = Between(extents[axis]);
    }
    for (const uint32_t loop : access.access->loops) {
      if (loop >= form.loops.size() || form.loops[loop] == 0 || side.loops[loop] != 0) continue;
      const uint64_t turns = TurnsOf(scene_.analysis->loops[loop]);
      if (turns > 1) side.loops[loop] = Between(turns);
    }
  });
  for (const Guard& guard : access.access->guards) {
    Constraint holds;
    Put(guard.form, side, 1, &holds);
    constraints_.push_back(std::move(holds));
  }
  return side;
}

void PairProblem::Put(const AffineForm& form, const Side& side, int64_t times,
                      Constraint* into) const {
  into->constant += times * form.constant;
  const auto put = [&](uint32_t variable, int64_t coefficient) {
    if (coefficient != 0 && variable != 0) into->terms.emplace_back(variable, times * coefficient);
  };
  for (size_t axis = 0; axis < 3; ++axis) put(side.threads[axis], form.tid[axis]);
  for (size_t axis = 0; axis < 3; ++axis) put(side.blocks[axis], form.ctaid[axis]);
  for (size_t l = 0; l < form.loops.size(); ++l) put(side.loops[l], form.loops[l]);
}

PairProblem::PairProblem(const PairScene& scene, const SubscriptedAccess& first,
                         const SubscriptedAccess& second)
    : scene_(scene) {
  const bool along_x = scene.direction == CtaDirection::kX;
  const bool planes = !along_x && scene.launch->grid.z != 1;
  const std::array<bool, 3> differs = {along_x, !along_x, planes};
  const std::array<bool, 3> read_first = BlocksRead(first), read_second = BlocksRead(second);
  std::array<uint32_t, 3> here = {}, there = {};
  for (uint32_t axis = 0; axis < 3; ++axis) {
    if (!differs[axis] && !read_first[axis] && !read_second[axis]) {
      AtLeast(axis, 1);  // the TBs may have any id
      continue;
    }
    here[axis] = BelowExtent(axis);
    there[axis] = differs[axis] ? BelowExtent(axis) : here[axis];
  }
  const Side a = Domain(first, here);
  const Side b = Domain(second, there);
  for (size_t i = 0; i + 1 < first.subscripts->size(); ++i) {
    Constraint equal{true, 0, {}};
    Put((*first.subscripts)[i], a, 1, &equal);
    Put((*second.subscripts)[i], b, -1, &equal);
    constraints_.push_back(std::move(equal));
  }
  // bytes * block <= last <= bytes * block + bytes - 1, for both.
  const auto bytes = static_cast<int64_t>(scene.block_bytes);
  const int64_t constant = first.subscripts->back().constant;
  const int64_t start = constant - (constant % bytes + bytes) % bytes;
  const uint32_t block = variables_++;
  for (const auto& [form, side] :
       {std::pair{&first.subscripts->back(), &a}, std::pair{&second.subscripts->back(), &b}}) {
    Constraint from{false, -start, {{block, -bytes}}};
    Put(*form, *side, 1, &from);
    Constraint to{false, start + bytes - 1, {{block, bytes}}};
    Put(*form, *side, -1, &to);
    constraints_.push_back(std::move(from));
    constraints_.push_back(std::move(to));
  }
  // Along y, the planes of the grid lie below one another: their height has to be a number.
  Constraint distance{true, 0, {{kDistance, -1}}};
  const uint32_t axis = along_x ? 0 : 1;
  distance.terms.emplace_back(there[axis], 1);
  distance.terms.emplace_back(here[axis], -1);
  if (planes) {
    const auto height = static_cast<int64_t>(scene.launch->grid.y);
    distance.terms.emplace_back(there[2], height);
    distance.terms.emplace_back(here[2], -height);
    Add(true, -height, {{1, 1}});
  }
  constraints_.push_back(std::move(distance));
  AtLeast(kDistance, 1);
}

std::string PairProblem::Key() const {
  std::string key;
  const auto add = [&](auto value) {
    char bytes[sizeof(value)];
    std::memcpy(bytes, &value, sizeof(value));
    key.append(bytes, sizeof(bytes));
  };
  for (const Constraint& constraint : constraints_) {
    add(constraint.equality ? uint32_t{1} : uint32_t{0});
    add(static_cast<uint32_t>(constraint.terms.size()));
    add(constraint.constant);
    for (const auto& [variable, coefficient] : constraint.terms) {
      add(variable);
      add(coefficient);
    }
  }
  return key;
}

}  // namespace flagstone
