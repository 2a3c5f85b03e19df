#include "app/sweep/plan.h"

#include <algorithm>
#include <utility>

#include "app/flow/run/perturbation.h"
#include "app/flow/run/run_request.h"
#include "app/flow/sample/sampled_launch.h"
#include "app/policy/policies.h"
#include "app/sweep/plan_axes.h"
#include "base/error.h"
#include "base/file.h"
#include "base/numbers.h"
#include "base/toml_reader.h"
#include "gpu_model/machines/settings.h"

namespace flagstone {
namespace {

namespace fs = std::filesystem;

// The names under `workloads`, or those of all sets.
void ReadWorkloads(const TomlReader& root, const std::string& size, SweepPlan* plan) {
  const auto read = [&](const TomlReader& reader) {
    for (const toml::node& node : reader.Array("workloads")) {
      plan->workloads.push_back(GridWorkload::Parse(reader, node, size));
    }
  };
  if (root.Has("set")) {
    for (const toml::node& node : root.Array("set")) {
      const TomlReader reader = root.TableOf(node, "[[set]]");
      reader.AllowOnly({"name", "workloads"});
      reader.Line("name");
      read(reader);
    }
  } else {
    read(root);
  }
  if (plan->workloads.empty()) {
    root.Fail(root.position(), "the plan has no workloads: expected at least one");
  }
}

void ReadVariants(const TomlReader& root, SweepPlan* plan) {
  if (!root.Has("variant")) {
    plan->variants.push_back({"lrr", "lrr", "", "", {}});
    return;
  }
  for (const toml::node& node : root.Array("variant")) {
    const TomlReader reader = root.TableOf(node, "[[variant]]");
    GridVariant& variant = plan->variants.emplace_back(GridVariant::Parse(reader));
    variant.policy = FindPolicy(variant.policy).name;
  }
}

void RefuseMany(const SweepPlan& plan, uint64_t points, bool any_size) {
  if (points <= SweepPlan::kMostPoints || any_size) return;
  ThrowBadInput("{}: {} points are more than {}: expected fewer, a [sample], or --yes",
                plan.file.string(), Grouped(points), Grouped(SweepPlan::kMostPoints));
}

// The points of all axes, or of a sample of them, under all that is no axis.
void ChoosePoints(const SweepSample& sample, const SweepFilter& filter, bool any_size,
                  SweepPlan* plan) {
  const uint64_t size = plan->space.Size();
  if (sample.kind == SweepSample::Kind::kAll) {
    RefuseMany(*plan, size, any_size);
    for (uint64_t point = 0; point < size; ++point) {
      if (filter.Keeps(plan->space.PlacesOf(point))) plan->points.push_back(point);
    }
    return;
  }
  const auto& all = plan->space.dimensions;
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(plan->FirstAxis());
  const SweepSpace axes = {{first, all.end() - 1}};
  const size_t others = plan->machines.size() * plan->workloads.size() * plan->variants.size();
  RefuseMany(*plan, sample.points * others, any_size);
  const std::vector<uint64_t> drawn = DrawSample(axes, sample);
  for (size_t m = 0; m < plan->machines.size(); ++m) {
    for (size_t w = 0; w < plan->workloads.size(); ++w) {
      for (const uint64_t combination : drawn) {
        SweepPlaces places = axes.PlacesOf(combination);
        places.insert(places.begin(), {m, w});
        places.push_back(0);
        for (; places.back() < plan->variants.size(); ++places.back()) {
          if (filter.Keeps(places)) plan->points.push_back(plan->space.PointOf(places));
        }
      }
    }
  }
}

template <class Parts>
SweepDimension DimensionOf(const char* key, const Parts& parts, const auto& name,
                           const SweepPlan& plan) {
  SweepDimension dimension = {key, {}};
  for (const auto& part : parts) {
    if (std::count(dimension.values.begin(), dimension.values.end(), name(part)) != 0) {
      ThrowBadInput("{}: two of its {}s are {}: expected different names", plan.file.string(), key,
                    Quoted(name(part)));
    }
    dimension.values.push_back(name(part));
  }
  return dimension;
}

}  // namespace

SweepPlan SweepPlan::Load(const fs::path& file, bool any_size) {
  SweepPlan plan;
  plan.text = ReadFile(file);
  plan.file = fs::absolute(file).lexically_normal();
  plan.name = file.stem().string();
  const toml::table table = ParseToml(plan.text, file.string());
  const TomlReader root(table, file.string(), "the plan");
  root.AllowOnly({"description", "source", "machines", "workloads", "set", "size", "data", "engine",
                  "values", "cold_l2", "miss_classes", "max_cycles", "perturb", "sample_percent",
                  "variant", "axes", "sample", "only", "skip"});
  plan.description = root.Line("description");
  for (const std::string& machine : ReadStrings(root, "machines")) {
    plan.machines.push_back(PathBeside(root, machine));
    plan.machine_values.push_back(MachineConfig::Load(plan.machines.back(), {}));
  }
  if (plan.machines.empty()) root.Fail(root.position(), "missing key 'machines'");
  ReadWorkloads(root, root.String("size", "paper"), &plan);
  ReadVariants(root, &plan);
  RunOptions& common = plan.common;
  common.known_data = ReadKnownData(root);
  common.cold_l2 = root.Has("cold_l2") && root.Boolean("cold_l2");
  common.miss_classes = root.Has("miss_classes") && root.Boolean("miss_classes");
  common.max_cycles = static_cast<uint64_t>(root.Integer("max_cycles", 1, INT64_MAX, 0));
  if (root.Has("perturb")) {
    common.perturb =
        static_cast<uint32_t>(root.Integer("perturb", 2, static_cast<int64_t>(kPerturbations), 2));
  }
  if (root.Has("sample_percent")) {
    common.sample_percent = root.Number("sample_percent", kLeastSamplePercent, kMostSamplePercent);
  }
  const std::string engine = root.String("engine", "rtl");
  const std::string values = root.String("values", "full");
  if ((engine != "rtl" && engine != "model") || (values != "full" && values != "slice")) {
    root.Fail(root.position(),
              "keys 'engine' and 'values' are {} and {}: expected rtl or model, and full or slice",
              Quoted(engine), Quoted(values));
  }
  common.engine = engine == "rtl" ? Engine::kRtl : Engine::kModel;
  common.values = values == "full" ? Values::kFull : Values::kSlice;
  common.skip_checks = values == "slice";

  auto& dimensions = plan.space.dimensions;
  const auto itself = [](const std::string& name) { return name; };
  dimensions.push_back(DimensionOf("machine", plan.machines, itself, plan));
  dimensions.push_back(DimensionOf(
      "workload", plan.workloads, [](const GridWorkload& w) { return w.label; }, plan));
  for (SweepDimension& axis : ReadAxes(root)) dimensions.push_back(std::move(axis));
  dimensions.push_back(DimensionOf(
      "variant", plan.variants, [](const GridVariant& v) { return v.name; }, plan));
  const SweepFilter filter = {ReadConditions(root, "only", plan.space),
                              ReadConditions(root, "skip", plan.space)};
  ChoosePoints(ReadSample(root), filter, any_size, &plan);
  if (plan.points.empty()) root.Fail(root.position(), "the filters leave no point");
  return plan;
}

RunOptions SweepPlan::OptionsOf(size_t index) const {
  const SweepPlaces places = PlacesOf(index);
  const GridWorkload& workload = WorkloadOf(places);
  const GridVariant& variant = VariantOf(places);
  RunOptions options = common;
  options.workload = workload.workload;
  options.size = workload.size;
  options.policy = variant.policy;
  std::vector<std::string> settings = variant.settings;
  for (size_t d = FirstAxis(); d < AxesEnd(); ++d) {
    const SweepDimension& axis = space.dimensions[d];
    const std::string& value = axis.values[places[d]];
    if (axis.key == kSeedAxis) {
      options.seed = std::stoull(value);
    } else {
      settings.push_back(axis.key + "=" + value);
    }
  }
  // A message of a point names the machine as the plan does, not a file of this host.
  options.machine = WithSettings(machine_values[places[0]], settings, MachineOf(places));
  ChooseBlocks(variant.warp_scheduler, variant.prefetcher, &options.machine);
  return options;
}

}  // namespace flagstone
