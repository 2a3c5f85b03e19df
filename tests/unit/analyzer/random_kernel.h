// Random kernels for holding the address analysis against execution: straight arithmetic,
// branches, predication, early exits, counted loops, pointers that loops carry, wrap-around.
#ifndef FLAGSTONE_TESTS_UNIT_ANALYZER_RANDOM_KERNEL_H_
#define FLAGSTONE_TESTS_UNIT_ANALYZER_RANDOM_KERNEL_H_

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"

namespace flagstone {

// The text is a body for KernelUnderAnalysis. Each number is kept below 2^18 in size, so that
// a[number] stays within kReach bytes of the middle of buffer a.
class RandomKernel {
 public:
  static constexpr uint64_t kReach = uint64_t{1} << 21;

  explicit RandomKernel(uint64_t seed) : random_(seed) {
    numbers_ = {{"%r1", 64},  {"%r2", 64}, {"%r3", 64}, {"%r4", 8},
                {"%r6", 512}, {"%r7", 8},  {"%r8", 8}};
    Block(2 + Pick(3), 0);
    text_ += "  ret;\n";
  }
  const std::string& text() const { return text_; }

 private:
  struct Number {
    std::string reg;
    int64_t bound;  // largest magnitude
  };
  static constexpr int64_t kLargest = 1 << 18;
  static constexpr int kFirstFree = 100;  // registers below belong to the kernel's head and loops

  uint64_t Pick(uint64_t count) { return random_.Below(count); }
  const Number& Any() { return numbers_[Pick(numbers_.size())]; }
  int64_t Small() { return static_cast<int64_t>(Pick(17)) - 8; }
  template <class... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += "  " + fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  std::string NewRegister() { return fmt::format("%r{}", next_register_++); }
  std::string NewPredicate() { return fmt::format("%p{}", next_predicate_++ % 12); }
  std::string NewLabel() { return fmt::format("L{}", next_label_++); }
  void Define(const std::string& reg, int64_t bound) {
    std::erase_if(numbers_, [&](const Number& n) { return n.reg == reg; });
    numbers_.push_back({reg, bound});
  }

  void Arithmetic() {
    const Number a = Any();
    const Number b = Any();
    const std::string d = NewRegister();
    switch (Pick(17)) {
      case 0:
      case 1:
        if (a.bound + b.bound > kLargest) return;
        Line("add.s32 {}, {}, {};", d, a.reg, b.reg);
        return Define(d, a.bound + b.bound);
      case 2:
        if (a.bound + b.bound > kLargest) return;
        Line("sub.s32 {}, {}, {};", d, a.reg, b.reg);
        return Define(d, a.bound + b.bound);
      case 3: {
        if (a.bound * 8 + b.bound > kLargest) return;
        Line("mad.lo.s32 {}, {}, {}, {};", d, a.reg, Small(), b.reg);
        return Define(d, a.bound * 8 + b.bound);
      }
      case 4:
        if (a.bound * 4 > kLargest) return;
        Line("shl.b32 {}, {}, {};", d, a.reg, Pick(3));
        return Define(d, a.bound * 4);
      case 5:
        Line("and.b32 {}, {}, {};", d, a.reg, (1 << Pick(7)) - 1);
        return Define(d, 64);
      case 6:
        Line("and.b32 {}, {}, {};", d, a.reg, -(1 << Pick(5)));
        return Define(d, a.bound + 32);
      case 7:
        Line("min.s32 {}, {}, {};", d, a.reg, b.reg);
        return Define(d, std::max(a.bound, b.bound));
      case 8:
        Line("max.s32 {}, {}, {};", d, a.reg, Small());
        return Define(d, std::max<int64_t>(a.bound, 8));
      case 9:
        Line("shr.s32 {}, {}, {};", d, a.reg, Pick(4));
        return Define(d, a.bound);
      case 10: {
        const char* op = Pick(2) == 0 ? "div" : "rem";
        Line("{}.{} {}, {}, {};", op, "s32", d, a.reg, 1 + Pick(9));
        return Define(d, a.bound);
      }
      case 11: {
        const std::string p = Condition();
        Line("selp.b32 {}, {}, {}, {};", d, a.reg, b.reg, p);
        return Define(d, std::max(a.bound, b.bound));
      }
      case 12: {  // wraps around at 12 bits
        Line("shl.b32 {}, {}, 20;", d, a.reg);
        Line("shr.s32 {}, {}, 20;", d, d);
        return Define(d, 2048);
      }
      case 13: {
        if (a.bound > 1 << 12) return;
        Line("shl.b32 {}, {}, 3;", d, a.reg);
        Line("or.b32 {}, {}, {};", d, d, Pick(12));
        return Define(d, a.bound * 8 + 16);
      }
      case 14:
      case 15: {  // another definition of a register; masked, so that loops do not let it grow
        const bool free = std::stoi(b.reg.substr(2)) >= kFirstFree;
        if (!free || b.bound < 64) return;
        Line("and.b32 {}, {}, 63;", b.reg, a.reg);
        return;
      }
      default:  // as nvcc negates
        Line("not.b32 {}, {};", d, a.reg);
        return Define(d, a.bound + 1);
    }
  }

  std::string Condition() {
    static constexpr const char* kComparisons[] = {"lt.s32", "le.s32", "gt.s32", "ge.s32", "eq.s32",
                                                   "ne.s32", "lt.u32", "ge.u32", "gt.u32"};
    const std::string p = NewPredicate();
    const std::string a = Any().reg;
    const std::string comparison = kComparisons[Pick(9)];
    if (Pick(2) == 0) {
      Line("setp.{} {}, {}, {};", comparison, p, a, Small() * 3);
    } else {
      Line("setp.{} {}, {}, {};", comparison, p, a, Any().reg);
    }
    if (Pick(4) == 0) {
      const std::string q = NewPredicate();
      Line("setp.{} {}, {}, {};", kComparisons[Pick(9)], q, Any().reg, Small());
      static constexpr const char* kJoins[] = {"and", "or", "xor"};
      Line("{}.pred {}, {}, {};", kJoins[Pick(3)], p, p, q);
    }
    return p;
  }

  void Load() {
    const Number index = Any();
    const std::string guard =
        Pick(4) == 0 ? fmt::format("@{}{} ", Pick(2) == 0 ? "!" : "", Condition()) : "";
    Line("mul.wide.s32 %rd10, {}, 4;", index.reg);
    Line("add.s64 %rd11, %rd1, %rd10;");
    if (Pick(5) == 0) {  // a loaded index; the loaded value is 0..255
      const std::string d = NewRegister();
      Line("mov.u32 {}, 0;", d);
      Line("{}ld.global.u32 {}, [%rd11];", guard, d);
      Line("and.b32 {}, {}, 255;", d, d);
      return Define(d, 256);
    }
    if (Pick(4) == 0) {
      Line("{}st.global.f32 [%rd11+{}], %f1;", guard, 4 * Pick(3));
    } else {
      Line("{}ld.global.f32 %f2, [%rd11+{}];", guard, 4 * Pick(3));
    }
  }

  void If(int depth) {
    const std::string p = Condition();
    const std::string over = NewLabel();
    Line("@{}{} bra {};", Pick(2) == 0 ? "!" : "", p, over);
    Block(1 + Pick(3), depth + 1);
    if (Pick(3) == 0) {
      const std::string end = NewLabel();
      Line("bra {};", end);
      text_ += over + ":\n";
      Block(1 + Pick(2), depth + 1);
      text_ += end + ":\n";
    } else {
      text_ += over + ":\n";
    }
  }

  // A counter from `start` by `step` while below `limit`, a number and a pointer carried along.
  void Loop(int depth) {
    const std::string counter = fmt::format("%r{}", 45 + 4 * depth);
    const std::string limit = fmt::format("%r{}", 46 + 4 * depth);
    const std::string carried = fmt::format("%r{}", 47 + 4 * depth);
    const std::string pointer = fmt::format("%rd{}", 30 + depth);
    const std::string p = fmt::format("%p{}", 12 + depth);
    const int64_t step = 1 + static_cast<int64_t>(Pick(3));
    const bool tested_first = Pick(2) == 0;
    const bool by_equality = Pick(3) == 0;
    const Number start = Any();
    Line("and.b32 {}, {}, 7;", counter, Pick(2) == 0 ? start.reg : std::string("%r1"));
    if (Pick(2) == 0) Line("mov.u32 {}, {};", counter, Pick(3));
    Line("add.s32 {}, {}, {};", limit, counter, step * static_cast<int64_t>(1 + Pick(5)));
    if (!by_equality && Pick(2) == 0) Line("and.b32 {}, {}, 15;", limit, Any().reg);
    if (!by_equality && Pick(3) == 0) Line("mov.u32 {}, {};", limit, 1 + Pick(9));
    Line("mov.u32 {}, {};", carried, Small());
    Line("mul.wide.s32 %rd10, {}, 4;", Any().reg);
    Line("add.s64 {}, %rd1, %rd10;", pointer);
    const std::vector<Number> before = numbers_;
    const std::string head = NewLabel();
    const std::string end = NewLabel();
    if (!tested_first && Pick(2) == 0) {  // as compilers rotate loops
      Line("setp.ge.s32 {}, {}, {};", p, counter, limit);
      Line("@{} bra {};", p, end);
    }
    text_ += head + ":\n";
    if (tested_first) {
      Line("setp.{}.s32 {}, {}, {};", by_equality ? "eq" : "ge", p, counter, limit);
      Line("@{} bra {};", p, end);
    }
    Define(counter, 64);
    Define(carried, 512);
    Line("ld.global.f32 %f3, [{}];", pointer);
    Block(1 + Pick(3), depth + 1);
    const std::string next = NewLabel();
    if (Pick(4) == 0) {
      const std::string q = Condition();
      Line("@{} bra {};", q, next);
      Block(1 + Pick(2), depth + 1);
    }
    text_ += next + ":\n";
    if (Pick(6) == 0) {
      const std::string q = Condition();
      Line("@{} bra {};", q, end);
    }
    Line("add.s32 {}, {}, {};", counter, counter, step);
    Line("add.s32 {}, {}, {};", carried, carried, Small());
    Line("add.s64 {}, {}, {};", pointer, pointer, 4 * Small());
    if (tested_first) {
      Line("bra {};", head);
    } else {
      Line("setp.{}.s32 {}, {}, {};", by_equality ? "ne" : "lt", p, counter, limit);
      Line("@{} bra {};", p, head);
    }
    text_ += end + ":\n";
    // What the loop may have redefined, once more than its first turn, is not used after it.
    numbers_ = {{"%r1", 64}, {"%r2", 64}, {"%r3", 64},   {"%r4", 8},    {"%r6", 512},
                {"%r7", 8},  {"%r8", 8},  {counter, 64}, {carried, 512}};
  }

  void Block(uint64_t statements, int depth) {
    const std::vector<Number> outer = numbers_;
    for (uint64_t s = 0; s < statements; ++s) {
      for (uint64_t i = Pick(4); i > 0; --i) Arithmetic();
      switch (Pick(8)) {
        case 0:
        case 1:
          if (depth < 3) If(depth);
          break;
        case 2:
          if (depth < 3) Loop(depth);
          break;
        case 3:
          if (depth == 0 && Pick(2) == 0) Line("@{} ret;", Condition());
          break;
        default:
          break;
      }
      Load();
    }
    Widen(outer);
  }

  // After a branch a register may hold its old or its new number.
  void Widen(const std::vector<Number>& outer) {
    std::vector<Number> kept;
    for (const Number& old : outer) {
      for (const Number& now : numbers_) {
        if (now.reg == old.reg) kept.push_back({old.reg, std::max(old.bound, now.bound)});
      }
    }
    numbers_ = kept;
  }

  SplitMix64 random_;
  std::string text_;
  std::vector<Number> numbers_;
  int next_register_ = kFirstFree;
  int next_predicate_ = 0;
  int next_label_ = 0;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_ANALYZER_RANDOM_KERNEL_H_
