#include "analyzer/locality/footprints.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "analyzer/address/slice_evaluator.h"
#include "analyzer/locality/array_builder.h"
#include "analyzer/locality/byte_set.h"
#include "base/error.h"

namespace flagstone {
namespace {

// What one TB reads of one array, by warp.
using WarpRanges = std::vector<std::vector<Range>>;

// Lanes that go on where the one before them ends, or stay within, are one access with it.
void AddTogether(const SliceEvaluator::Together& access, uint64_t bytes, ByteSet& touched) {
  uint64_t begin = 0;
  uint64_t end = 0;
  for (uint32_t left = access.lanes; left != 0; left &= left - 1) {
    const uint64_t address = access.addresses[static_cast<size_t>(std::countr_zero(left))];
    if (address == end) {
      end += bytes;
      continue;
    }
    if (address >= begin && address + bytes <= end) continue;
    if (begin != end) touched.Add(begin, end - begin);
    begin = address;
    end = address + bytes;
  }
  if (begin != end) touched.Add(begin, end - begin);
}

// Evaluates the deterministic accesses of each TB. On failure all of them are skipped.
void AddDeterministic(const std::vector<const AddressForm*>& accesses, const KernelLaunch& launch,
                      const ConstantBytes* constants, std::map<std::string, ArrayBuilder>& builders,
                      bool joined, std::vector<SkippedLoad>& skipped) {
  if (accesses.empty()) return;
  const KernelStructure structure(*launch.kernel);
  std::vector<uint32_t> pcs;
  std::map<uint32_t, const AddressForm*> by_pc;
  for (const AddressForm* access : accesses) {
    pcs.push_back(access->pc);
    by_pc[access->pc] = access;
  }
  SliceEvaluator evaluator(launch, structure, pcs, constants);
  for (const SliceEvaluator::Refusal& refusal : evaluator.Refused()) {
    skipped.push_back({refusal.pc, by_pc.at(refusal.pc)->line, refusal.reason});
    by_pc.erase(refusal.pc);
  }
  if (!evaluator.HasAccesses()) return;
  struct Access {
    uint32_t bytes = 0;
    ByteSet* array = nullptr;
  };
  std::map<std::string, ByteSet> touched;  // by array, of one warp
  std::map<uint32_t, Access> access_of;    // by pc
  for (const auto& [pc, form] : by_pc) {
    access_of[pc] = {form->bytes, &touched[joined ? "?" : form->array]};
  }
  std::map<std::string, std::vector<WarpRanges>> found;  // by array, then TB
  for (const auto& [array, bytes] : touched) {
    found[array].assign(launch.TbCount(), WarpRanges(launch.WarpsPerTb()));
  }
  for (uint32_t tb = 0; tb < launch.TbCount(); ++tb) {
    for (uint32_t warp = 0; warp < launch.WarpsPerTb(); ++warp) {
      const bool evaluated =
          evaluator.VisitWarp(tb, warp, [&](const SliceEvaluator::Together& executed) {
            const Access& access = access_of.find(executed.pc)->second;
            AddTogether(executed, access.bytes, *access.array);
          });
      if (!evaluated) {
        for (const auto& [pc, access] : by_pc) {
          skipped.push_back({pc, access->line, evaluator.Problem()});
        }
        return;
      }
      for (auto& [array, bytes] : touched) found[array][tb][warp] = bytes.Take();
    }
  }
  for (const auto& [pc, access] : by_pc) {
    const auto builder = builders.find(joined ? "?" : access->array);
    builder->second.NoteElement(access->ElementBytes());
  }
  for (auto& [array, of_array] : found) {
    ArrayBuilder& builder = builders.at(array);
    for (uint32_t tb = 0; tb < of_array.size(); ++tb) {
      std::vector<Range> bytes;
      for (const std::vector<Range>& warp : of_array[tb]) {
        bytes.insert(bytes.end(), warp.begin(), warp.end());
      }
      builder.AddExplicit(tb, std::move(bytes), std::move(of_array[tb]));
    }
  }
}

}  // namespace

Footprints FindFootprints(const AddressAnalysis& addresses, const KernelLaunch& launch,
                          const FootprintRequest& request) {
  if (launch.TbCount() > kMaxAnalyzedTbs) {
    ThrowBadInput("{}: the locality analysis handles grids of at most {} TBs, this one has {}",
                  launch.kernel->name, kMaxAnalyzedTbs, launch.TbCount());
  }
  Footprints footprints;
  footprints.tb_count = static_cast<uint32_t>(launch.TbCount());
  std::vector<const AddressForm*> affine;
  std::vector<const AddressForm*> deterministic;
  for (const AddressForm& access : addresses.accesses) {
    if (access.is_store != (request.kind == AccessKind::kStores)) continue;
    if (request.known != nullptr && request.known->Holds(access.pc)) continue;
    if (access.address_class == AddressClass::kAffine) affine.push_back(&access);
    if (access.address_class == AddressClass::kDeterministic) deterministic.push_back(&access);
    if (access.address_class == AddressClass::kIndirect) {
      footprints.skipped.push_back({access.pc, access.line, access.reason});
    }
  }
  // A pointer of unknown origin may point into any array: then all are one.
  const auto nameless = [](const AddressForm* access) { return access->array == "?"; };
  const bool joined = std::any_of(affine.begin(), affine.end(), nameless) ||
                      std::any_of(deterministic.begin(), deterministic.end(), nameless);
  const auto name = [&](const AddressForm& access) { return joined ? "?" : access.array; };
  uint64_t ranges = 0;
  std::map<std::string, ArrayBuilder> builders;
  std::map<std::string, std::vector<const AddressForm*>> by_array;
  for (const AddressForm* access : affine) by_array[name(*access)].push_back(access);
  for (const AddressForm* access : deterministic) by_array[name(*access)];
  for (const auto& [array, accesses] : by_array) {
    ArrayBuilder& builder =
        builders.try_emplace(array, launch, addresses, array, ranges, request.by_warp)
            .first->second;
    builder.AddAffine(accesses);
  }
  AddDeterministic(deterministic, launch, addresses.constants.get(), builders, joined,
                   footprints.skipped);
  if (request.known != nullptr) {
    for (const KnownAccesses::Array& known : request.known->arrays) {
      const std::string array = joined ? "?" : known.array;
      ArrayBuilder& builder =
          builders.try_emplace(array, launch, addresses, array, ranges, request.by_warp)
              .first->second;
      builder.NoteElement(known.element_bytes);
      for (const KnownAccesses::Tb& tb : known.tbs) {
        builder.AddExplicit(tb.tb, tb.bytes, tb.warps);
      }
    }
  }
  for (auto& [array, builder] : builders) footprints.arrays.push_back(builder.Take());
  std::sort(footprints.skipped.begin(), footprints.skipped.end(),
            [](const SkippedLoad& a, const SkippedLoad& b) { return a.pc < b.pc; });
  return footprints;
}

bool TbBox::Contains(const TbCoordinate& tb) const {
  for (size_t axis = 0; axis < 3; ++axis) {
    if (tb[axis] < first[axis] || tb[axis] - first[axis] >= count[axis]) return false;
  }
  return true;
}

std::vector<uint32_t> TbBox::Ids(const Dim3& grid) const {
  std::vector<uint32_t> ids;
  ids.reserve(size_t{count[0]} * count[1] * count[2]);
  for (uint32_t z = first[2]; z < first[2] + count[2]; ++z) {
    for (uint32_t y = first[1]; y < first[1] + count[1]; ++y) {
      for (uint32_t x = first[0]; x < first[0] + count[0]; ++x) {
        ids.push_back((z * grid.y + y) * grid.x + x);
      }
    }
  }
  return ids;
}

std::vector<Range> BytesOf(const ArrayFootprints& array, uint32_t tb) {
  const Dim3 at = TbCoordinates(tb, array.grid);
  const TbCoordinate coordinate = {at.x, at.y, at.z};
  std::vector<Range> bytes;
  for (const FootprintClass& footprint : array.classes) {
    if (!footprint.tbs.Contains(coordinate)) continue;
    const int64_t base = footprint.BaseOf(coordinate);
    for (const Range& range : array.shapes[footprint.shape]) {
      bytes.push_back({range.begin + base, range.end + base});
    }
  }
  Normalize(bytes);
  return bytes;
}

}  // namespace flagstone
