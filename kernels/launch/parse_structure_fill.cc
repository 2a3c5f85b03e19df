// The keys of the fills sphere, btree, suffix-tree and reads, checked so that filling cannot fail.
#include "kernels/inputs/btree.h"
#include "kernels/inputs/suffix_tree.h"
#include "kernels/launch/parse.h"

namespace flagstone {
namespace {

void RequireType(const TomlReader& table, const BufferSpec& buffer, ElementType type) {
  if (buffer.type == type) return;
  table.Fail(table.Require("type").source().begin, "key 'type' is '{}': expected '{}' for fill {}",
             ToString(buffer.type), ToString(type), Quoted(table.String("fill")));
}

void RequireCount(const TomlReader& table, const BufferSpec& buffer, uint64_t count,
                  std::string_view why) {
  if (buffer.count == count) return;
  table.Fail(table.Require("count").source().begin, "key 'count' is {}: expected {} ({})",
             buffer.count, count, why);
}

uint64_t Natural(const TomlReader& table, std::string_view key, int64_t least, int64_t most) {
  return static_cast<uint64_t>(table.Integer(key, least, most));
}

void ParseSphere(const TomlReader& table, BufferSpec& buffer) {
  if (buffer.type != ElementType::kF64) RequireType(table, buffer, ElementType::kF32);
  buffer.fill.axis = Natural(table, "axis", 0, 2);
}

void ParseBtree(const TomlReader& table, BufferSpec& buffer) {
  Fill& fill = buffer.fill;
  fill.keys = Natural(table, "keys", 1, int64_t{1} << 30);
  fill.order = Natural(table, "order", 2, 1 << 16);
  fill.per_node = Natural(table, "per_node", 2, static_cast<int64_t>(fill.order));
  RequireType(table, buffer, ElementType::kS32);
  const BtreeShape shape = {fill.keys, fill.order, fill.per_node};
  RequireCount(table, buffer, BtreeNodeCount(shape) * BtreeNodeWords(shape),
               fmt::format("{} nodes of 2 * order + 5", BtreeNodeCount(shape)));
}

constexpr int64_t kMostLetters = int64_t{1} << 27;  // places in the text are 32-bit integers

void ParseSuffixTree(const TomlReader& table, BufferSpec& buffer) {
  buffer.fill.letters = Natural(table, "letters", 1, kMostLetters);
  RequireType(table, buffer, ElementType::kS32);
  constexpr uint64_t kNodeWords = sizeof(SuffixTreeNode) / sizeof(int32_t);
  RequireCount(table, buffer, 2 * buffer.fill.letters * kNodeWords, "16 * letters");
}

void ParseReads(const TomlReader& table, BufferSpec& buffer) {
  buffer.fill.letters = Natural(table, "letters", 1, kMostLetters);
  buffer.fill.length = Natural(table, "length", 1, static_cast<int64_t>(buffer.fill.letters));
  RequireType(table, buffer, ElementType::kU8);
}

}  // namespace

void ParseStructureFill(const TomlReader& table, BufferSpec& buffer) {
  switch (buffer.fill.kind) {
    case Fill::Kind::kSphere:
      return ParseSphere(table, buffer);
    case Fill::Kind::kBtree:
      return ParseBtree(table, buffer);
    case Fill::Kind::kSuffixTree:
      return ParseSuffixTree(table, buffer);
    case Fill::Kind::kReads:
      return ParseReads(table, buffer);
    default:
      ThrowInternal("fill kind {} is no structure", static_cast<int>(buffer.fill.kind));
  }
}

}  // namespace flagstone
