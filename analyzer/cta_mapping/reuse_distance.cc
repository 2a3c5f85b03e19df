#include "analyzer/cta_mapping/reuse_distance.h"

#include <fmt/core.h>
#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/ilp.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>
#include <vector>

namespace flagstone {
namespace {

// Steps of isl for one pair: some hundredths of a second, and half a second.
constexpr uint64_t kMaxSymbolicOperations = 50000;
constexpr uint64_t kMaxOperations = 5000000;

constexpr const char* kParameters = "[gx, gy, gz]";
constexpr const char* kBlockIds[] = {"bx", "by", "bz"};
constexpr const char* kThreadIds[] = {"tx", "ty", "tz"};

template <auto Free>
struct Deleter {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
using Set = std::unique_ptr<isl_set, Deleter<isl_set_free>>;
using Function = std::unique_ptr<isl_pw_aff, Deleter<isl_pw_aff_free>>;
using Value = std::unique_ptr<isl_val, Deleter<isl_val_free>>;

// The variables of one of the two accesses: `mark` keeps them apart.
struct Names {
  std::string mark;

  std::string Of(const AffineForm& form) const {
    std::string text = std::to_string(form.constant);
    const auto put = [&](int64_t c, const std::string& name) {
      if (c != 0) text += fmt::format(" + {} * {}{}", c, name, mark);
    };
    for (size_t axis = 0; axis < 3; ++axis) put(form.tid[axis], kThreadIds[axis]);
    for (size_t axis = 0; axis < 3; ++axis) put(form.ctaid[axis], kBlockIds[axis]);
    for (size_t l = 0; l < form.loops.size(); ++l) put(form.loops[l], fmt::format("l{}_", l));
    return text;
  }
};

}  // namespace

struct ReuseDistance::State {
  CtaDirection direction;
  const AddressAnalysis* analysis;
  const KernelLaunch* launch;
  uint64_t block_bytes;
  std::unique_ptr<isl_ctx, Deleter<isl_ctx_free>> context;
  std::vector<Function> distances;  // of the pairs with reuse, each function once
  int64_t at_launch = 0;            // of the pairs that were solved for the launch's grid alone
  bool symbolic = true;

  // Where an access happens: ids, loops, guards. Appends the names of its variables.
  std::string DomainOf(const AddressForm& access, const Names& names, std::string& variables) const;
  // The pair's polyhedron; only `d`, the distance, is a dimension of it if `symbolic`.
  std::string Problem(const SubscriptedAccess& first, const SubscriptedAccess& second,
                      bool as_function) const;
  bool AddFunction(const std::string& problem);
  bool AddNumber(const std::string& problem);
};

std::string ReuseDistance::State::DomainOf(const AddressForm& access, const Names& names,
                                           std::string& variables) const {
  std::string text;
  const auto bound = [&](const std::string& name, const std::string& end) {
    variables += (variables.empty() ? "" : ", ") + name + names.mark;
    fmt::format_to(std::back_inserter(text), "0 <= {}{} < {} and ", name, names.mark, end);
  };
  const uint32_t threads[] = {launch->block.x, launch->block.y, launch->block.z};
  constexpr const char* kExtents[] = {"gx", "gy", "gz"};
  for (size_t axis = 0; axis < 3; ++axis) {
    bound(kBlockIds[axis], kExtents[axis]);
    bound(kThreadIds[axis], std::to_string(threads[axis]));
  }
  for (const uint32_t loop : access.loops) {
    const CountedLoop& counted = analysis->loops[loop];
    const bool turns = counted.known || counted.bounded;
    bound(fmt::format("l{}_", loop), std::to_string(turns ? counted.trip_count : 1));
  }
  for (const Guard& guard : access.guards) text += names.Of(guard.form) + " >= 0 and ";
  return text;
}

std::string ReuseDistance::State::Problem(const SubscriptedAccess& first,
                                          const SubscriptedAccess& second, bool as_function) const {
  const Names here{""};
  const Names there{"_"};
  std::string variables;
  std::string text = DomainOf(*first.access, here, variables);
  text += DomainOf(*second.access, there, variables);
  const Subscripts& a = *first.subscripts;
  const Subscripts& b = *second.subscripts;
  for (size_t i = 0; i + 1 < a.size(); ++i) {
    text += fmt::format("{} = {} and ", here.Of(a[i]), there.Of(b[i]));
  }
  for (const std::string& last : {here.Of(a.back()), there.Of(b.back())}) {
    text += fmt::format("{0} * block <= {1} and {1} <= {0} * block + {2} and ", block_bytes, last,
                        block_bytes - 1);
  }
  // Along y, the planes of the grid lie below one another: their height has to be a number.
  if (direction == CtaDirection::kX) {
    text += "by = by_ and bz = bz_ and d = bx_ - bx";
  } else if (launch->grid.z == 1) {
    text += "bx = bx_ and bz = bz_ and d = by_ - by";
  } else {
    text += fmt::format("bx = bx_ and gy = {0} and d = {0} * bz_ + by_ - {0} * bz - by",
                        launch->grid.y);
  }
  if (as_function) {
    return fmt::format("{} -> {{ [d] : exists {}, block : {} and d >= 1 }}", kParameters, variables,
                       text);
  }
  return fmt::format(
      "{{ [d, {}, block, gx, gy, gz] : {} and d >= 1 and gx = {} and gy = {} and gz = {} }}",
      variables, text, launch->grid.x, launch->grid.y, launch->grid.z);
}

ReuseDistance::ReuseDistance(CtaDirection direction, const AddressAnalysis& analysis,
                             const KernelLaunch& launch, uint64_t block_bytes)
    : state_(new State{direction, &analysis, &launch, block_bytes, nullptr, {}, 0, true}) {
  state_->context.reset(isl_ctx_alloc());
  isl_options_set_on_error(state_->context.get(), ISL_ON_ERROR_CONTINUE);
}

ReuseDistance::~ReuseDistance() = default;

bool ReuseDistance::State::AddFunction(const std::string& problem) {
  Set set(isl_set_read_from_str(context.get(), problem.c_str()));
  if (!set) return false;
  const isl_bool empty = isl_set_is_empty(set.get());
  if (empty != isl_bool_false) return empty == isl_bool_true;
  Function of_pair(isl_set_dim_max(set.release(), 0));
  if (!of_pair) return false;
  for (const Function& known : distances) {
    if (isl_pw_aff_plain_is_equal(known.get(), of_pair.get()) == isl_bool_true) return true;
  }
  distances.push_back(std::move(of_pair));
  return true;
}

bool ReuseDistance::State::AddNumber(const std::string& problem) {
  Set set(isl_set_read_from_str(context.get(), problem.c_str()));
  if (!set) return false;
  const isl_bool empty = isl_set_is_empty(set.get());
  if (empty != isl_bool_false) return empty == isl_bool_true;
  const Value value(isl_set_dim_max_val(set.release(), 0));
  if (!value || isl_val_is_int(value.get()) != isl_bool_true) return false;
  at_launch = std::max<int64_t>(at_launch, isl_val_get_num_si(value.get()));
  return true;
}

bool ReuseDistance::Add(const SubscriptedAccess& first, const SubscriptedAccess& second) {
  isl_ctx* context = state_->context.get();
  const auto within = [context](uint64_t operations, auto solve) {
    isl_ctx_reset_operations(context);
    isl_ctx_set_max_operations(context, operations);
    const bool solved = solve();
    isl_ctx_set_max_operations(context, 0);
    isl_ctx_reset_error(context);
    return solved;
  };
  if (within(kMaxSymbolicOperations,
             [&] { return state_->AddFunction(state_->Problem(first, second, true)); })) {
    return true;
  }
  state_->symbolic = false;
  return within(kMaxOperations,
                [&] { return state_->AddNumber(state_->Problem(first, second, false)); });
}

bool ReuseDistance::IsSymbolic() const { return state_->symbolic; }

bool ReuseDistance::IsLargest() const {
  if (state_->distances.empty()) return false;
  const bool along_x = state_->direction == CtaDirection::kX;
  const Function largest(isl_pw_aff_read_from_str(
      state_->context.get(),
      fmt::format("{} -> {{ [{}] : {} >= 2 and gx >= 1 and gy >= 1 and gz >= 1 }}", kParameters,
                  along_x ? "gx - 1" : "gy - 1", along_x ? "gx" : "gy")
          .c_str()));
  return std::any_of(state_->distances.begin(), state_->distances.end(), [&](const Function& f) {
    return isl_pw_aff_is_equal(f.get(), largest.get()) == isl_bool_true;
  });
}

int64_t ReuseDistance::At(const Dim3& grid) const {
  int64_t largest = state_->at_launch;
  const std::string at = fmt::format("{} -> {{ : gx = {} and gy = {} and gz = {} }}", kParameters,
                                     grid.x, grid.y, grid.z);
  for (const Function& distance : state_->distances) {
    const Function here(isl_pw_aff_intersect_params(
        isl_pw_aff_copy(distance.get()), isl_set_read_from_str(state_->context.get(), at.c_str())));
    const Set domain(isl_pw_aff_domain(isl_pw_aff_copy(here.get())));
    if (isl_set_is_empty(domain.get()) == isl_bool_true) continue;
    const Value value(isl_pw_aff_max_val(isl_pw_aff_copy(here.get())));
    largest = std::max<int64_t>(largest, isl_val_get_num_si(value.get()));
  }
  return largest;
}

std::string ReuseDistance::ToString() const {
  std::string text = std::to_string(state_->at_launch);
  for (const Function& distance : state_->distances) {
    const std::unique_ptr<char, Deleter<std::free>> function(isl_pw_aff_to_str(distance.get()));
    if (text == "0") text.clear();
    text += text.empty() ? "" : ", ";
    text += function.get();
  }
  return text;
}

}  // namespace flagstone
