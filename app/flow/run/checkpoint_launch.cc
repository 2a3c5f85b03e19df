#include "app/flow/run/checkpoint_launch.h"

#include <cstdint>
#include <vector>

namespace flagstone {
namespace {

using Json = CheckpointJson;

Json NodesToJson(const NodesRecord& record) {
  Json nodes = Json::array();
  for (const NodesRecord::Node& n : record.nodes) {
    nodes.push_back({n.tbs, n.cycles_busy, n.l2_accesses, n.dram_reads, n.dram_writes});
  }
  Json links = Json::array();
  for (const LinkLoad& l : record.links) {
    links.push_back({static_cast<uint8_t>(l.kind), l.from, l.to, l.packets, l.bytes, l.capacity});
  }
  return {{"nodes", nodes}, {"traffic", record.traffic}, {"links", links}};
}

NodesRecord NodesFromJson(const Json& json) {
  NodesRecord record;
  for (const Json& n : json.at("nodes")) {
    record.nodes.push_back({n.at(0), n.at(1), n.at(2), n.at(3), n.at(4)});
  }
  record.traffic = json.at("traffic").get<std::vector<std::vector<uint64_t>>>();
  for (const Json& l : json.at("links")) {
    record.links.push_back({static_cast<LinkLoad::Kind>(l.at(0).get<uint8_t>()), l.at(1), l.at(2),
                            l.at(3), l.at(4), l.at(5)});
  }
  return record;
}

}  // namespace

CheckpointJson LaunchToCheckpoint(const LaunchRecord& launch) {
  Json json = {{"entry", launch.entry},
               {"grid", {launch.grid.x, launch.grid.y, launch.grid.z}},
               {"block", {launch.block.x, launch.block.y, launch.block.z}},
               {"occupancy", nullptr},
               {"load_prefetches", Json::array()},
               {"analysis", nullptr},
               {"nodes", nullptr}};
  if (launch.nodes) json["nodes"] = NodesToJson(*launch.nodes);
  if (launch.occupancy) {
    const Occupancy& o = *launch.occupancy;
    json["occupancy"] = {o.tbs_per_sm, o.limit, o.registers_per_thread, o.registers_estimated};
  }
  if (launch.analysis) {
    const AnalysisSummary& a = *launch.analysis;
    json["analysis"] = {a.tbs, a.edges, a.parts, a.kept_weight, a.union_ratio};
  }
  for (const LoadPrefetches& l : launch.load_prefetches) {
    json["load_prefetches"].push_back({l.pc, l.line, l.indirect, l.demand_fetches, l.issued, l.used,
                                       l.late, l.early_evicted, l.too_early, l.distance_cycles});
  }
  return json;
}

LaunchRecord LaunchFromCheckpoint(const CheckpointJson& json) {
  LaunchRecord launch;
  const auto dim = [](const Json& d) {
    return Dim3{d.at(0).get<uint32_t>(), d.at(1).get<uint32_t>(), d.at(2).get<uint32_t>()};
  };
  launch.entry = json.at("entry");
  launch.grid = dim(json.at("grid"));
  launch.block = dim(json.at("block"));
  if (const Json& o = json.at("occupancy"); !o.is_null()) {
    launch.occupancy = Occupancy{o.at(0), o.at(1), o.at(2), o.at(3)};
  }
  if (const Json& a = json.at("analysis"); !a.is_null()) {
    launch.analysis = AnalysisSummary{a.at(0), a.at(1), a.at(2), a.at(3), a.at(4)};
  }
  if (const Json& nodes = json.at("nodes"); !nodes.is_null()) launch.nodes = NodesFromJson(nodes);
  for (const Json& l : json.at("load_prefetches")) {
    launch.load_prefetches.push_back(
        {l.at(0), l.at(1), l.at(2), l.at(3), l.at(4), l.at(5), l.at(6), l.at(7), l.at(8), l.at(9)});
  }
  return launch;
}

}  // namespace flagstone
