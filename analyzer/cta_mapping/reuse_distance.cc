#include "analyzer/cta_mapping/reuse_distance.h"

#include <fmt/core.h>
#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/cta_mapping/pair_problem.h"

namespace flagstone {
namespace {

// Steps of isl for one pair: some hundredths of a second, and half a second.
constexpr uint64_t kMaxSymbolicOperations = 50000;
constexpr uint64_t kMaxOperations = 5000000;

constexpr const char* kParameters = "[gx, gy, gz]";

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

// The largest distance of a pair's problem: a function of the grid, or nothing where there is no
// reuse. A launch has many pairs that lie alike, and a workload launches that do, so that each
// problem is solved once.
struct Solution {
  bool solved = false;
  Function distance;  // null: no reuse
};
struct Solver {
  std::unique_ptr<isl_ctx, Deleter<isl_ctx_free>> context{isl_ctx_alloc()};
  std::unordered_map<std::string, Solution> solutions;

  Solver() { isl_options_set_on_error(context.get(), ISL_ON_ERROR_CONTINUE); }
};
isl_ctx* Context(const std::shared_ptr<Solver>& solver) { return solver->context.get(); }

std::shared_ptr<Solver> SolverOfThisThread() {
  thread_local const std::shared_ptr<Solver> solver = std::make_shared<Solver>();
  return solver;
}

// Within so many steps of isl.
template <class Solve>
bool Within(isl_ctx* context, uint64_t operations, Solve solve) {
  isl_ctx_reset_operations(context);
  isl_ctx_set_max_operations(context, operations);
  const bool solved = solve();
  isl_ctx_set_max_operations(context, 0);
  isl_ctx_reset_error(context);
  return solved;
}

// The distances of the problem: a set of one dimension whose parameters are the grid's extents.
Set DistancesOf(isl_ctx* context, const PairProblem& problem) {
  const auto others = static_cast<int>(problem.variables()) - 4;
  isl_space* space = isl_space_set_alloc(context, 3, static_cast<unsigned>(1 + others));
  constexpr const char* kNames[] = {"gx", "gy", "gz"};
  for (unsigned axis = 0; axis < 3; ++axis) {
    space = isl_space_set_dim_name(space, isl_dim_param, axis, kNames[axis]);
  }
  isl_basic_set* set = isl_basic_set_universe(isl_space_copy(space));
  isl_local_space* local = isl_local_space_from_space(space);
  for (const PairProblem::Constraint& constraint : problem.constraints()) {
    isl_constraint* row = constraint.equality
                              ? isl_constraint_alloc_equality(isl_local_space_copy(local))
                              : isl_constraint_alloc_inequality(isl_local_space_copy(local));
    row = isl_constraint_set_constant_val(row, isl_val_int_from_si(context, constraint.constant));
    for (const auto& [variable, coefficient] : constraint.terms) {
      const bool extent = variable < PairProblem::kExtents;
      const isl_dim_type type = extent ? isl_dim_param : isl_dim_set;
      const int at = static_cast<int>(extent ? variable : variable - PairProblem::kDistance);
      // A variable may have several terms, which add up.
      isl_val* sum = isl_constraint_get_coefficient_val(row, type, at);
      sum = isl_val_add(sum, isl_val_int_from_si(context, coefficient));
      row = isl_constraint_set_coefficient_val(row, type, at, sum);
    }
    set = isl_basic_set_add_constraint(set, row);
  }
  isl_local_space_free(local);
  set = isl_basic_set_project_out(set, isl_dim_set, 1, static_cast<unsigned>(others));
  return Set(isl_set_from_basic_set(set));
}

Solution Solve(isl_ctx* context, const PairProblem& problem) {
  Solution solution;
  solution.solved = Within(context, kMaxSymbolicOperations, [&] {
    Set set = DistancesOf(context, problem);
    if (!set) return false;
    const isl_bool empty = isl_set_is_empty(set.get());
    if (empty != isl_bool_false) return empty == isl_bool_true;
    solution.distance.reset(isl_set_dim_max(set.release(), 0));
    return solution.distance != nullptr;
  });
  return solution;
}

// With the launch's grid in the place of its extents.
Set AtGrid(Set set, const Dim3& grid) {
  const std::array<uint32_t, 3> extents = {grid.x, grid.y, grid.z};
  isl_set* at = set.release();
  for (unsigned axis = 0; axis < 3; ++axis) {
    at = isl_set_fix_si(at, isl_dim_param, axis, static_cast<int>(extents[axis]));
  }
  return Set(at);
}

}  // namespace

struct ReuseDistance::State {
  PairScene scene;
  std::shared_ptr<Solver> solver;   // it outlives the functions
  std::vector<Function> distances;  // of the pairs with reuse, each function once
  int64_t at_launch = 0;            // of the pairs that were solved for the launch's grid alone
  bool symbolic = true;
  std::optional<bool> largest;  // what IsLargest() gives; nothing: not known

  void AddFunction(const Function& of_pair);
  bool AddNumber(const PairProblem& problem);
};

ReuseDistance::ReuseDistance(CtaDirection direction, const AddressAnalysis& analysis,
                             const KernelLaunch& launch, uint64_t block_bytes)
    : state_(new State) {
  state_->scene = {direction, &analysis, &launch, block_bytes};
  state_->solver = SolverOfThisThread();
}

ReuseDistance::~ReuseDistance() = default;

void ReuseDistance::State::AddFunction(const Function& of_pair) {
  for (const Function& known : distances) {
    if (isl_pw_aff_plain_is_equal(known.get(), of_pair.get()) == isl_bool_true) return;
  }
  distances.emplace_back(isl_pw_aff_copy(of_pair.get()));
  largest.reset();
}

bool ReuseDistance::State::AddNumber(const PairProblem& problem) {
  Set set = AtGrid(DistancesOf(Context(solver), problem), scene.launch->grid);
  if (!set) return false;
  const isl_bool empty = isl_set_is_empty(set.get());
  if (empty != isl_bool_false) return empty == isl_bool_true;
  const Value value(isl_set_dim_max_val(set.release(), 0));
  if (!value || isl_val_is_int(value.get()) != isl_bool_true) return false;
  at_launch = std::max<int64_t>(at_launch, isl_val_get_num_si(value.get()));
  return true;
}

bool ReuseDistance::Add(const SubscriptedAccess& first, const SubscriptedAccess& second) {
  isl_ctx* const context = Context(state_->solver);
  const PairProblem problem(state_->scene, first, second);
  const auto [known, is_new] = state_->solver->solutions.try_emplace(problem.Key());
  Solution& solution = known->second;
  if (is_new) solution = Solve(context, problem);
  if (solution.solved) {
    if (solution.distance) state_->AddFunction(solution.distance);
    return true;
  }
  state_->symbolic = false;
  return Within(context, kMaxOperations, [&] { return state_->AddNumber(problem); });
}

bool ReuseDistance::IsSymbolic() const { return state_->symbolic; }

bool ReuseDistance::IsLargest() const {
  if (state_->distances.empty()) return false;
  if (state_->largest) return *state_->largest;
  const bool along_x = state_->scene.direction == CtaDirection::kX;
  const Function largest(isl_pw_aff_read_from_str(
      Context(state_->solver),
      fmt::format("{} -> {{ [{}] : {} >= 2 and gx >= 1 and gy >= 1 and gz >= 1 }}", kParameters,
                  along_x ? "gx - 1" : "gy - 1", along_x ? "gx" : "gy")
          .c_str()));
  const bool is_largest =
      std::any_of(state_->distances.begin(), state_->distances.end(), [&](const Function& f) {
        return isl_pw_aff_is_equal(f.get(), largest.get()) == isl_bool_true;
      });
  state_->largest = is_largest;
  return is_largest;
}

int64_t ReuseDistance::At(const Dim3& grid) const {
  int64_t largest = state_->at_launch;
  const std::string at = fmt::format("{} -> {{ : gx = {} and gy = {} and gz = {} }}", kParameters,
                                     grid.x, grid.y, grid.z);
  for (const Function& distance : state_->distances) {
    const Function here(
        isl_pw_aff_intersect_params(isl_pw_aff_copy(distance.get()),
                                    isl_set_read_from_str(Context(state_->solver), at.c_str())));
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
