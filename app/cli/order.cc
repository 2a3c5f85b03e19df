// `flagstone order`: the order of a kernel's TBs that takes the least predicted time on a machine.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <thread>

#include "app/cli/options.h"
#include "app/cli/order_page.h"
#include "app/cli/report_option.h"
#include "app/cli/store_options.h"
#include "app/cli/terminal.h"
#include "app/cli/verbs.h"
#include "app/cli/version.h"
#include "app/flow/run/perturbation.h"
#include "app/flow/studies/order_study.h"
#include "app/order/emit_source.h"
#include "base/error.h"
#include "base/file.h"
#include "base/interrupts.h"

namespace flagstone {
namespace {

struct OrderOptions {
  CommonOptions common;
  ReportOption report;
  StoreOptions store;
  std::string level = "both";
  std::string orders;  // empty: the candidates
  uint32_t top = 3;
  std::string tiles;
  bool all = false;
  bool groups = false;
  bool verify = false;
  uint32_t perturb = 0;  // 0: kSettings
  bool cold_l2 = false;
  bool detail = false;
  uint64_t jobs = std::max(1U, std::thread::hardware_concurrency());
  std::string emit;
  std::string output;
};

// Of a simulated order, for the deviation of its time.
constexpr uint32_t kSettings = 5;

OrderLevel ParseLevel(const std::string& name) {
  if (name == "l1") return OrderLevel::kL1;
  if (name == "l2") return OrderLevel::kL2;
  if (name == "both") return OrderLevel::kBoth;
  ThrowBadInput("--level: unknown level '{}': expected l1, l2 or both", name);
}

// "32x32" or "32x32x4".
Dim3 ParseTiles(const std::string& text) {
  std::array<uint32_t, 3> tiles = {1, 1, 1};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (size_t axis = 0; axis < 3; ++axis) {
    const auto [rest, error] = std::from_chars(at, end, tiles[axis]);
    const bool last = rest == end && axis > 0;
    if (error != std::errc{} || tiles[axis] == 0 || (!last && (rest == end || *rest != 'x'))) break;
    if (last) return {tiles[0], tiles[1], tiles[2]};
    at = rest + 1;
  }
  ThrowBadInput("--tiles {}: expected WxH or WxHxD, such as 32x32", text);
}

void WriteText(const std::string& file, const std::string& text) {
  if (file.empty() || file == "-") {
    fmt::print("{}", text);
  } else {
    WriteFileAtomically(file, text);
  }
}

void Emit(const OrderOptions& options, const OrderRequest& request, const Workload& workload,
          const OrderStudy& study) {
  // What was asked for, or else the best.
  const auto asked = std::find_if(
      study.candidates.begin(), study.candidates.end(), [&](const OrderCandidate& candidate) {
        return request.orders.empty() || candidate.order.name == request.orders.front();
      });
  const TbOrder& order = asked->order;
  if (options.emit == "ptx") {
    const std::vector<EmittedPtx> emitted = EmitOrder(request, workload, study, order);
    for (size_t i = 0; i < emitted.size(); ++i) {
      WriteText(
          emitted.size() == 1 ? options.output : NumberedFile(options.output, i, emitted.size()),
          emitted[i].text);
    }
    if (!options.common.quiet) {
      fmt::print(stderr, "order {}: results equal to the original's in every bit\n", order.name);
      if (options.common.launch.FillsWithZeros()) {
        fmt::print(stderr, "note: its buffers began with zeros: --fill uniform would show more\n");
      }
    }
    return;
  }
  const OrderedLaunch& launch = study.launches.front();
  const OrderCode code = MakeOrderCode(order, launch.machine, launch.grid);
  const bool loops = launch.looping_tbs != 0;
  WriteText(options.output, options.emit == "triton" ? EmitTriton(code)
                            : loops                  ? EmitCudaTiles(code)
                                                     : EmitCuda(code));
}

void CheckOptions(const OrderOptions& options) {
  ParseLevel(options.level);
  if (!options.emit.empty() && options.emit != "ptx" && options.emit != "cuda" &&
      options.emit != "triton") {
    ThrowBadInput("--emit: unknown form '{}': expected ptx, cuda or triton", options.emit);
  }
  if (options.emit == "ptx" && options.output.empty()) {
    ThrowBadInput("--emit ptx writes a file: expected -o FILE");
  }
  if (!options.emit.empty() && options.output.empty() &&
      (options.common.json.OnStdout() || options.report.OnStdout())) {
    ThrowBadInput("only one of --emit and --json or --report can go to stdout: expected -o FILE");
  }
  if (options.perturb != 0 && !options.verify) {
    ThrowBadInput("--perturb {}: nothing is simulated: expected --verify too", options.perturb);
  }
  if (options.emit.empty() && !options.output.empty()) {
    ThrowBadInput("-o {}: nothing is written there: expected --emit too", options.output);
  }
}

int Order(OrderOptions options) {
  if (options.common.PrintedLaunch()) return 0;
  CheckOptions(options);
  OrderRequest request;
  request.options = options.common.Resolved();
  request.options.cold_l2 = options.cold_l2;
  request.options.engine = Engine::kModel;
  request.options.interrupted = nullptr;
  request.level = ParseLevel(options.level);
  if (!options.tiles.empty()) request.tiles = ParseTiles(options.tiles);
  request.groups = options.groups;
  if (!options.orders.empty()) request.orders = SplitList(options.orders, "--order");
  const Workload workload =
      options.common.Load(options.verify ? Workload::For::kRun : Workload::For::kAnalysis);
  WarnOfSize(workload);
  if (!options.common.quiet) NoteWhatIsNotExecuted(workload);
  if (options.verify) {
    const uint32_t settings = options.perturb == 0 ? kSettings : options.perturb;
    request.options.perturb = settings > 1 ? settings : 0;
    const MachineConfig scaled = ScaleToWorkload(request.options.machine, workload);
    if (scaled.sm.count != request.options.machine.sm.count && !options.common.quiet) {
      fmt::print(stderr,
                 "{} has too many SMs for the grid: verified on {} SMs, {} L2 slices and {} DRAM "
                 "channels of it\n",
                 scaled.name, scaled.sm.count, scaled.l2.slices, scaled.dram.channels);
    }
    request.options.machine = scaled;
  }
  ProgressBar predicts(options.common.quiet);
  request.predicted = [&](size_t done, size_t all) {
    predicts.Show("orders predicted", done, all);
  };
  OrderStudy study = PredictOrders(request, workload);
  predicts.Clear();
  const OpenedStore store(options.store);
  request.store = store.Use();
  if (options.verify) {
    ProgressBar bar(options.common.quiet);
    SimulateOrders(
        request, workload, options.all ? 0 : options.top, options.jobs,
        [&](size_t done, size_t all) { bar.Show("orders simulated", done, all); }, &study);
    bar.Clear();
  }
  if (!options.emit.empty()) Emit(options, request, workload, study);
  const JsonOption& json_option = options.common.json;
  if (json_option.wanted || options.report.wanted()) {
    Json json = {{"schema", "flagstone.order/1"},
                 {"version", Version()},
                 {"command", CommandLine()},
                 {"size", workload.size.empty() ? Json() : Json(workload.size)},
                 {"asked_size", workload.asked_size},
                 {"level", options.level},
                 {"data", options.common.run.known_data ? "known" : "static"}};
    json.update(ToJson(study, options.detail));
    if (json_option.wanted) json_option.Write(json);
    options.report.Write(json);
  }
  const bool stdout_taken = json_option.OnStdout() || options.report.OnStdout() ||
                            (!options.emit.empty() && options.output.empty());
  if (!stdout_taken) PrintOrderPage(study, options.all ? study.candidates.size() : options.top);
  if (!options.common.quiet) {
    fmt::print(stderr, "{} orders predicted in {:.1f} ms\n", study.candidates.size(),
               1e3 * study.seconds);
  }
  return 0;
}

}  // namespace

void AddOrderVerb(CommandLineParser* command) {
  Verb* verb = command->AddVerb("order", "Find the TB order that takes the least predicted time");
  auto options = std::make_shared<OrderOptions>();
  AddWorkload(verb, &options->common.run);
  verb->Add("--level", &options->level,
            "Rank by data between L1s and L2, between L2 and DRAM, or\nby the time of all levels")
      .Type("l1|l2|both")
      .ShowDefault();
  verb->Add("--order", &options->orders,
            "Only these orders, beside identity: column, band:N,\nband-x:N, tile:WxH[xD], "
            "axes:zxy, reverse, snake, longest,\nhilbert, morton, rb, traffic, each also with +sm, "
            "+wave or\n+xcd")
      .Type("O[,O...]")
      .Check([](const std::string& orders) {
        return orders.empty() ? "expected names of orders, found nothing" : "";
      });
  verb->AddFlag("--groups", &options->groups,
                "The analyzer's groups are candidates too: those of the\npolicies rb and traffic");
  verb->Add("--tiles", &options->tiles,
            "The grid of tiles behind the ids of a grid of one axis,\nwhere the kernel does not "
            "say it by quotients of them")
      .Type("WxH[xD]")
      .Check([](const std::string& tiles) {
        return tiles.empty() ? "expected WxH or WxHxD, found nothing" : "";
      });
  verb->Add("--top", &options->top, "How many are shown, and simulated by --verify")
      .Type("N")
      .Range(uint64_t{1}, uint64_t{1000})
      .ShowDefault();
  verb->AddFlag("--all", &options->all, "All of them");
  verb->AddFlag("--verify", &options->verify,
                "Simulate them too; on a part of the machine where the\ngrid has less than four "
                "times the TBs that fit at once");
  verb->Add("--perturb", &options->perturb,
            "Simulate under N settings that differ by a cycle of\nlatency or two lines of buffers: "
            "an "
            "order that gains less\nthan two deviations is equal (default: 5; 1: as it is alone)")
      .Type("N")
      .Range(uint64_t{1}, uint64_t{kPerturbations});
  verb->AddFlag("--cold-l2", &options->cold_l2, "The L2 begins empty");
  verb->Add("--jobs", &options->jobs, "Simulations at once")
      .Type("N")
      .Range(uint64_t{1}, uint64_t{1024});
  verb->Add("--emit", &options->emit,
            "Write the best order, or the first one of --order: the\nkernels with it applied and "
            "checked, or a function for\nthe source")
      .Type("ptx|cuda|triton");
  verb->Add("-o,--output", &options->output, "Where --emit writes").Type("FILE").Output();
  verb->AddFlag("--detail", &options->detail, "--json has the TB ids of orders on large grids too");
  AddData(verb, &options->common.run);
  AddMaxInstructions(verb, &options->common.run);
  options->report.AddTo(verb);
  options->store.AddTo(verb);
  options->common.launch.AddTo(verb);
  options->common.AddTo(verb);
  verb->Footer(
      "TB i of the launch does the work of TB order(i), and the hardware stays as it is: what\n"
      "CUTLASS calls swizzle and Triton groups.\n"
      "\n"
      "Examples:\n"
      "  flagstone order matmul --size paper --machine volta\n"
      "  flagstone order matmul --size paper --machine volta --verify\n"
      "  flagstone order matmul --size paper --machine volta --emit ptx -o faster.ptx\n"
      "  flagstone order matmul --size paper --order band:4,hilbert --verify --json");
  verb->Do([options] { return Order(*options); });
}

}  // namespace flagstone
