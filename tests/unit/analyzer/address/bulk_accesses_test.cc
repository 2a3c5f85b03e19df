// What bulk copies access, as far as the analysis can know it.
#include "analyzer/address/bulk_accesses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "analyzer/address/address_analysis.h"
#include "analyzer/address/address_dump.h"
#include "analyzer/coalescing/coalescing.h"
#include "kernels/launch/tensor_map.h"
#include "kernels/ptx/parser.h"
#include "tests/unit/analyzer/address/kernel_under_analysis.h"

namespace flagstone {
namespace bulk_accesses_test {

using ::testing::HasSubstr;

const std::string kLoad = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes ";
const std::string kStore = "cp.async.bulk.global.shared::cta.bulk_group ";
// %rd11: a + 512 * ctaid.x; %r22: in shared memory; %p1: threads but the first.
const std::string kPlace =
    "setp.ne.u32 %p1, %r3, 0; mul.wide.s32 %rd10, %r4, 512; add.s64 %rd11, %rd1, %rd10; "
    "mov.u32 %r22, tile; ";

AddressForm Only(const std::string& body, uint32_t n = 0) {
  const KernelUnderAnalysis kernel(kPlace + body + " ret;", {4, 1, 1}, {64, 1, 1}, n);
  const AddressAnalysis analysis = kernel.Analyze();
  EXPECT_EQ(analysis.accesses.size(), 1U) << Dump(analysis);
  return analysis.accesses.empty() ? AddressForm() : analysis.accesses[0];
}

TEST(BulkAccesses, OfTheFirstThreadAreAffineWithAllTheirBytes) {
  for (const std::string size : {"mov.u32 %r21, 512; ", "shl.b32 %r21, %r1, 2; "}) {
    const AddressForm access =
        Only(size + "@!%p1 " + kLoad + "[%r22], [%rd11+32], %r21, [%r22];", 128);
    EXPECT_EQ(access.address_class, AddressClass::kAffine) << access.reason;
    EXPECT_TRUE(access.is_copy);
    EXPECT_FALSE(access.is_store);
    EXPECT_EQ(access.array, "a");
    EXPECT_EQ(access.bytes, 512U);
    EXPECT_EQ(access.form.ctaid[0], 512);
    EXPECT_EQ(access.guards.size(), 1U);
  }
}

TEST(BulkAccesses, ToGlobalMemoryAreStoresAndThoseThatReduceAtomics) {
  const std::string operands = "[%rd11], [%r22], 256;";
  const AddressForm store = Only(kStore + operands);
  EXPECT_EQ(store.address_class, AddressClass::kAffine) << store.reason;
  EXPECT_TRUE(store.is_store);
  EXPECT_FALSE(store.is_atomic);
  EXPECT_EQ(store.array, "a");
  EXPECT_EQ(store.bytes, 256U);
  const AddressForm reduce =
      Only("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 " + operands);
  EXPECT_TRUE(reduce.is_store);
  EXPECT_TRUE(reduce.is_atomic);
  EXPECT_EQ(reduce.bytes, 256U);
}

TEST(BulkAccesses, ThatPrefetchAreLoads) {
  const AddressForm access = Only("@!%p1 cp.async.bulk.prefetch.L2.global [%rd11+64], 256;");
  EXPECT_EQ(access.address_class, AddressClass::kAffine) << access.reason;
  EXPECT_TRUE(access.is_copy);
  EXPECT_FALSE(access.is_store);
  EXPECT_EQ(access.bytes, 256U);
  EXPECT_EQ(access.form.ctaid[0], 512);
}

TEST(BulkAccesses, BetweenSharedMemoriesAreNone) {
  const KernelUnderAnalysis kernel(
      kPlace +
          "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r22], "
          "[%r22], 256, [%r22]; ret;",
      {1, 1, 1}, {64, 1, 1});
  EXPECT_TRUE(kernel.Analyze().accesses.empty());
}

TEST(BulkAccesses, OfAnElectedLaneAreThatOfLane0) {
  const AddressForm access =
      Only("setp.gt.u32 %p2, %r3, 31; @%p2 bra DONE; elect.sync _|%p3, -1; @%p3 " + kLoad +
           "[%r22], [%rd11], 512, [%r22]; DONE:");
  EXPECT_EQ(access.address_class, AddressClass::kAffine) << access.reason;
  EXPECT_EQ(access.bytes, 512U);
  // Of a part of a warp the leader is another one.
  const AddressForm part =
      Only("setp.gt.u32 %p2, %r3, 31; @%p2 bra DONE; elect.sync _|%p3, 0xfff0; @%p3 " + kLoad +
           "[%r22], [%rd11], 512, [%r22]; DONE:");
  EXPECT_THAT(part.reason, HasSubstr("an elected lane"));
}

TEST(BulkAccesses, OfAnUnknownSizeSayWhy) {
  const AddressForm loaded = Only("ld.param.u64 %rd20, [b]; mov.u32 %r21, %clock; " + kLoad +
                                  "[%r22], [%rd11], %r21, [%r22];");
  EXPECT_EQ(loaded.address_class, AddressClass::kIndirect);
  EXPECT_THAT(loaded.reason, HasSubstr("bulk copy of a size that is not known: "));
  EXPECT_EQ(loaded.bytes, 0U);
  const AddressForm varying =
      Only("shl.b32 %r21, %r4, 4; " + kLoad + "[%r22], [%rd11], %r21, [%r22];");
  EXPECT_EQ(varying.address_class, AddressClass::kIndirect);
  EXPECT_EQ(varying.reason, "bulk copy of a size that is not the same everywhere");
}

// Of boxes of 16 x 4 elements, at 16 ctaid.x and `row`, in a tensor of 64 x 16 floats whose rows
// begin `stride` bytes apart.
const std::string kBoxLoad =
    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd20, "
    "{%r10, %r11}], [bar];";
AddressForm OnlyTensorCopy(const std::string& row, uint64_t stride,
                           const std::string& copy = kBoxLoad) {
  const auto module = ptx::Parse(
      ".version 8.0 .target sm_90 .address_size 64\n"
      ".visible .entry k(.param .align 64 .b8 map[128]) { .reg .b32 %r<16>; .reg .b64 %rd<32>;\n"
      ".shared .align 128 .b8 tile[1024]; .shared .align 8 .b64 bar;\n"
      "mov.u32 %r4, tile; mov.b64 %rd20, map; cvta.param.u64 %rd20, %rd20;\n"
      "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; shl.b32 %r10, %r1, 4; " +
          row + copy + " ret; }",
      "k.ptx");
  DeviceMemory memory;
  TensorMap map;
  map.base = memory.Allocate("a", 4096);
  map.strides = {4, stride};
  map.shape = {64, 16, 1, 1, 1};
  map.box = {16, 4, 1, 1, 1};
  map.dimensions = 2;
  KernelLaunch launch;
  launch.module = module.get();
  launch.kernel = module->kernels[0].get();
  launch.grid = {4, 4, 1};
  launch.block = {32, 1, 1};
  launch.parameters.resize(TensorMap::kBytes);
  std::memcpy(launch.parameters.data(), &map, sizeof(map));
  AddressForm access = AnalyzeAddresses(launch, memory).accesses.at(0);
  access.form.constant -= static_cast<int64_t>(map.base);
  return access;
}

TEST(BulkAccesses, OfATensorAreAffineWithTheirRows) {
  const AddressForm access = OnlyTensorCopy("shl.b32 %r11, %r2, 2; ", 256);
  EXPECT_EQ(access.address_class, AddressClass::kAffine) << access.reason;
  EXPECT_EQ(access.array, "a");
  EXPECT_EQ(ToString(access.form), "0 + 64*ctaid.x + 1024*ctaid.y");
  EXPECT_EQ(access.bytes, 64U);
  ASSERT_EQ(access.rows.size(), 1U);
  EXPECT_EQ(access.TotalBytes(), 256U);
}

TEST(BulkAccesses, OfATensorThatPrefetchOrReduceHaveTheSameRows) {
  const std::string row = "shl.b32 %r11, %r2, 2; ", place = " [%rd20, {%r10, %r11}]";
  const AddressForm load = OnlyTensorCopy(row, 256);
  const AddressForm prefetch =
      OnlyTensorCopy(row, 256, "cp.async.bulk.prefetch.tensor.2d.L2.global.tile" + place + ";");
  const AddressForm reduce = OnlyTensorCopy(
      row, 256,
      "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group" + place + ", [%r4];");
  for (const AddressForm& access : {prefetch, reduce}) {
    EXPECT_EQ(access.address_class, AddressClass::kAffine) << access.reason;
    EXPECT_EQ(access.form, load.form);
    EXPECT_EQ(access.rows, load.rows);
    EXPECT_EQ(access.bytes, load.bytes);
  }
  EXPECT_FALSE(prefetch.is_store);
  EXPECT_TRUE(reduce.is_store);
  EXPECT_TRUE(reduce.is_atomic);
}

TEST(BulkAccesses, OfPixelsAndOfFourRowsSayThatTheyAreLeftOut) {
  EXPECT_EQ(OnlyTensorCopy("mov.u32 %r11, 0; ", 256,
                           "cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4 [%rd20, "
                           "{%r10, 0, 3, 1, 2}];")
                .reason,
            "tensor copy of four rows");
  EXPECT_EQ(OnlyTensorCopy("mov.u32 %r11, 0; ", 256,
                           "cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [%rd20, {%r10, 0, "
                           "0}], {0};")
                .reason,
            "tensor copy of pixels of images");
}

TEST(BulkAccesses, OfATensorBeyond64BitsSaySo) {
  const AddressForm access = OnlyTensorCopy("shl.b32 %r11, %r2, 2; ", uint64_t{1} << 62);
  EXPECT_NE(access.address_class, AddressClass::kAffine);
  EXPECT_EQ(access.reason, "an address beyond 64 bits");
  EXPECT_EQ(access.bytes, 0U);
}

TEST(BulkAccesses, AreNoRequestsOfWarps) {
  const KernelUnderAnalysis kernel(
      kPlace + kLoad + "[%r22], [%rd11], 512, [%r22]; ld.global.f32 %f1, [%rd11]; ret;", {4, 1, 1},
      {64, 1, 1});
  const auto loads = AnalyzeCoalescing(kernel.Analyze(), kernel.launch());
  ASSERT_EQ(loads.size(), 2U);
  EXPECT_THAT(loads[0].problem, HasSubstr("a bulk copy"));
  EXPECT_EQ(loads[0].requests, 0);
  EXPECT_EQ(loads[1].requests, 8);
}

}  // namespace bulk_accesses_test
}  // namespace flagstone
