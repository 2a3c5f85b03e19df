// f32 and f64 arithmetic to nearest even, .ftz, .sat, minimum, maximum and signs (PTX ISA 9.7.3).
// The host's own IEEE 754 arithmetic is the oracle.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/conformance/conformance.h"

namespace flagstone::conformance {
namespace {

float Saturated(float value) { return value > 0 ? (value < 1 ? value : 1.0F) : 0.0F; }

// The four forms of an operation on f32: plain, .ftz, .sat, .ftz.sat.
template <class... Args, class F>
void AllForms(const std::string& name, const std::string& operands, F operation) {
  const auto flushed = [=](Args... args) { return Flush(operation(Flush(args)...)); };
  Conforms<float, Args...>(name + ".f32 {r}, " + operands,
                           [=](Args... args) { return Canonical(operation(args...)); });
  Conforms<float, Args...>(name + ".ftz.f32 {r}, " + operands,
                           [=](Args... args) { return Canonical(flushed(args...)); });
  Conforms<float, Args...>(name + ".sat.f32 {r}, " + operands,
                           [=](Args... args) { return Saturated(operation(args...)); });
  Conforms<float, Args...>(name + ".ftz.sat.f32 {r}, " + operands,
                           [=](Args... args) { return Saturated(flushed(args...)); });
}

TEST(F32, AddsSubtractsAndMultiplies) {
  AllForms<float, float>("add", "{a}, {b};", [](float a, float b) { return a + b; });
  AllForms<float, float>("sub.rn", "{a}, {b};", [](float a, float b) { return a - b; });
  AllForms<float, float>("mul", "{a}, {b};", [](float a, float b) { return a * b; });
}

TEST(F32, FusesMultiplyAndAdd) {
  const auto fma = [](float a, float b, float c) { return std::fma(a, b, c); };
  AllForms<float, float, float>("fma.rn", "{a}, {b}, {c};", fma);
  Conforms<float, float, float, float>(
      "mad.rn.f32 {r}, {a}, {b}, {c};",
      [=](float a, float b, float c) { return Canonical(fma(a, b, c)); });
}

TEST(F32, DividesAndTakesRoots) {
  Conforms<float, float, float>("div.rn.f32 {r}, {a}, {b};",
                                [](float a, float b) { return Canonical(a / b); });
  Conforms<float, float, float>("div.rn.ftz.f32 {r}, {a}, {b};", [](float a, float b) {
    return Canonical(Flush(Flush(a) / Flush(b)));
  });
  Conforms<float, float>("rcp.rn.f32 {r}, {a};", [](float a) { return Canonical(1 / a); });
  Conforms<float, float>("sqrt.rn.f32 {r}, {a};", [](float a) { return Canonical(std::sqrt(a)); });
  Conforms<float, float>("sqrt.rn.ftz.f32 {r}, {a};",
                         [](float a) { return Canonical(std::sqrt(Flush(a))); });
}

// A NaN loses against a number; -0 is less than +0.
template <class T>
T Minimum(T a, T b) {
  if (a != a) return Canonical(b);
  if (b != b) return a;
  if (a == 0 && b == 0) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class T>
T Maximum(T a, T b) {
  return Canonical(-Minimum(-a, -b));
}

TEST(F32, MinimumAndMaximumOrderZerosAndDropNans) {
  Conforms<float, float, float>("min.f32 {r}, {a}, {b};", Minimum<float>);
  Conforms<float, float, float>("max.f32 {r}, {a}, {b};", Maximum<float>);
  Conforms<float, float, float>("min.ftz.f32 {r}, {a}, {b};",
                                [](float a, float b) { return Minimum(Flush(a), Flush(b)); });
}

TEST(F32, SignsAreBitOperations) {
  Conforms<float, float>("abs.f32 {r}, {a};", [](float a) { return std::fabs(a); });
  Conforms<float, float>("neg.f32 {r}, {a};", [](float a) { return -a; });
  Conforms<float, float>("neg.ftz.f32 {r}, {a};", [](float a) { return -Flush(a); });
}

TEST(F64, AddsSubtractsMultipliesAndFuses) {
  Conforms<double, double, double>("add.f64 {r}, {a}, {b};",
                                   [](double a, double b) { return Canonical(a + b); });
  Conforms<double, double, double>("sub.f64 {r}, {a}, {b};",
                                   [](double a, double b) { return Canonical(a - b); });
  Conforms<double, double, double>("mul.rn.f64 {r}, {a}, {b};",
                                   [](double a, double b) { return Canonical(a * b); });
  Conforms<double, double, double, double>(
      "fma.rn.f64 {r}, {a}, {b}, {c};",
      [](double a, double b, double c) { return Canonical(std::fma(a, b, c)); });
}

TEST(F64, DividesAndTakesRoots) {
  Conforms<double, double, double>("div.rn.f64 {r}, {a}, {b};",
                                   [](double a, double b) { return Canonical(a / b); });
  Conforms<double, double>("rcp.rn.f64 {r}, {a};", [](double a) { return Canonical(1 / a); });
  Conforms<double, double>("sqrt.rn.f64 {r}, {a};",
                           [](double a) { return Canonical(std::sqrt(a)); });
}

TEST(F64, MinimumMaximumAndSigns) {
  Conforms<double, double, double>("min.f64 {r}, {a}, {b};", Minimum<double>);
  Conforms<double, double, double>("max.f64 {r}, {a}, {b};", Maximum<double>);
  Conforms<double, double>("abs.f64 {r}, {a};", [](double a) { return std::fabs(a); });
  Conforms<double, double>("neg.f64 {r}, {a};", [](double a) { return -a; });
}

}  // namespace
}  // namespace flagstone::conformance
