#include "tests/unit/conformance/spelled_forms.h"

#include <fmt/core.h>

#include "kernels/ptx/matrix_forms.h"
#include "tests/unit/gpu_model/simt/kernel_run.h"

namespace flagstone::conformance {
namespace {

// "{p}" stands for the type of a pointer, "{r}" for the beginning of a register that holds one.
std::string WithPointers(std::string text, ptx::Type type) {
  const bool narrow = type == ptx::Type::kU32;
  const auto replace = [&](const std::string& mark, const std::string& by) {
    for (size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += by.size()) {
      text.replace(at, mark.size(), by);
    }
  };
  replace("{p}", narrow ? "b32" : "b64");
  replace("{r}", narrow ? "%r" : "%rd");
  return text;
}

std::string Vector(const std::string& name, uint32_t first, uint32_t count) {
  std::string text = "{";
  for (uint32_t i = 0; i < count; ++i) {
    text += fmt::format("{}{}{}", i == 0 ? "" : ", ", name, first + i);
  }
  return text + "}";
}

// All of tcgen05 that one TB executes.
void AddTensorMemory(std::vector<std::string>* texts) {
  const auto add = [&](const std::string& text) { texts->push_back("tcgen05." + text + ";"); };
  add("alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], %r2");
  add("dealloc.cta_group::1.sync.aligned.b32 %r1, 32");
  add("relinquish_alloc_permit.cta_group::1.sync.aligned");
  add("wait::ld.sync.aligned");
  add("wait::st.sync.aligned");
  add("fence::before_thread_sync");
  add("fence::after_thread_sync");
  add("commit.cta_group::1.mbarrier::arrive::one.b64 [%rd1]");
  add("commit.cta_group::1.mbarrier::arrive::one.multicast::cluster.b64 [%rd1], %rs1");
  add("shift.cta_group::1.down [%r1]");
  for (const std::string shape : {"128x256b", "4x256b", "128x128b", "64x128b.warpx2::02_13",
                                  "64x128b.warpx2::01_23", "32x128b.warpx4"}) {
    for (const std::string from : {"", ".b8x16.b4x16_p64", ".b8x16.b6x16_p32"}) {
      add("cp.cta_group::1." + shape + from + " [%r1], %rd1");
    }
  }
  for (const std::string kind : {"f16", "tf32", "f8f6f4", "i8"}) {
    for (const std::string a : {"%rd1", "[%r2]"}) {
      add("mma.cta_group::1.kind::" + kind + " [%r1], " + a + ", %rd2, %r3, %p1");
    }
  }
  const auto registers = [](uint32_t count) {
    std::string list = "{%r1";
    for (uint32_t i = 1; i < count; ++i) list += fmt::format(", %r{}", 1 + i % 30);
    return list + "}";
  };
  const std::pair<const char*, uint32_t> shapes[] = {
      {"32x32b", 1}, {"16x64b", 1}, {"16x128b", 2}, {"16x256b", 4}, {"16x32bx2", 1}};
  for (const auto& [shape, each] : shapes) {
    const std::string half = shape == std::string("16x32bx2") ? ", 8" : "";
    for (uint32_t count = 1; count * each <= 128; count *= 2) {
      const std::string name = fmt::format(".sync.aligned.{}.x{}", shape, count);
      const std::string list = registers(count * each);
      for (const std::string packed : {"", "pack::16b"}) {
        const std::string dot = packed.empty() ? "" : ".";
        add("ld" + name + dot + packed + ".b32 " + list + ", [%r31]" + half);
        add("st" + name + dot + (packed.empty() ? "" : "un" + packed) + ".b32 [%r31]" + half +
            ", " + list);
      }
      if (count < 2 || each != 1 || shape == std::string("16x64b")) continue;
      for (const std::string operation : {"min", "max"}) {
        for (const std::string type : {"u32", "s32", "f32", "abs.f32", "NaN.f32", "abs.NaN.f32"}) {
          add("ld.red" + name + "." + operation + "." + type + " " + list + ", %r32, [%r31]" +
              half);
        }
      }
    }
  }
}

// Sparse products and those of kinds, with each kind of metadata and scales that they may have.
void AddNarrowProducts(std::vector<std::string>* texts) {
  using ptx::MatrixKind;
  using ptx::MmaForm;
  using ptx::Type;
  constexpr const char* kKinds[] = {"", ".kind::f8f6f4", ".kind::mxf8f6f4", ".kind::mxf4",
                                    ".kind::mxf4nvf4"};
  const auto name = [](Type type) {
    return type == Type::kE2m1Packed ? "e2m1" : std::string(ptx::ToString(type));
  };
  for (const MmaForm& f : ptx::MmaForms()) {
    if (!f.sparse && f.kind == MatrixKind::kNone) continue;
    const bool scaled = f.kind >= MatrixKind::kMxf8f6f4;
    std::vector<std::string> heads = {"mma"};
    if (f.sparse) heads = {"mma.sp::ordered_metadata"};
    if (f.sparse && f.kind == MatrixKind::kNone) heads.push_back("mma.sp");
    std::vector<std::pair<std::string, std::string>> scales = {{"", ""}};
    if (scaled) scales = {{".block_scale", ".ue8m0"}};
    if (f.kind == MatrixKind::kMxf4nvf4) {
      scales = {{".block_scale.scale_vec::2X", ".ue8m0"},
                {".block_scale.scale_vec::4X", ".ue8m0"},
                {".block_scale.scale_vec::4X", ".ue4m3"}};
    }
    std::vector<std::string> finite = {""};
    if (f.d == Type::kS32) finite.push_back(".satfinite");
    const auto registers = [](Type type, uint32_t elements) {
      return MmaForm::Registers(type, elements);
    };
    const std::string sums =
        Vector(f.d == Type::kF32 ? "%f" : "%r", 10, registers(f.d, f.ElementsOfC()));
    const std::string operands =
        " " + sums + ", " + Vector("%r", 20, registers(f.a, f.ElementsOfA())) + ", " +
        Vector("%r", 30, registers(f.b, f.ElementsOfB())) + ", " + sums +
        (f.sparse ? ", %r1, 0" : "") + (scaled ? ", %r2, {0, 0}, %r3, {0, %rs1}" : "") + ";";
    for (const std::string& head : heads) {
      for (const auto& [block, type] : scales) {
        for (const std::string& how : finite) {
          texts->push_back(fmt::format("{}.sync.aligned.m16n8k{}.row.col{}{}{}.{}.{}.{}.{}{}{}",
                                       head, f.k, kKinds[static_cast<size_t>(f.kind)], block, how,
                                       name(f.d), name(f.a), name(f.b), name(f.c), type, operands));
        }
      }
    }
  }
}

}  // namespace

std::string CallText(std::string_view name, ptx::Type type) {
  if (name == "call") return "call.uni nothing;";
  if (name == "brx") return "TARGETS: .branchtargets END, END;\nbrx.idx %r1, TARGETS;";
  std::string text;
  if (name == "call malloc") {
    text =
        "{ .param .{p} n; st.param.{p} [n], {r}5; .param .{p} r; call.uni (r), malloc, (n);\n"
        "ld.param.{p} {r}6, [r]; }";
  } else if (name == "call free") {
    text = "{ .param .{p} q; st.param.{p} [q], {r}6; call.uni free, (q); }";
  } else if (name == "call vprintf") {
    text =
        "{ .param .{p} f; st.param.{p} [f], {r}5; .param .{p} a; st.param.{p} [a], {r}6;\n"
        ".param .b32 r; call.uni (r), vprintf, (f, a); ld.param.b32 %r7, [r]; }";
  } else if (name == "call too deep") {
    text = type == ptx::Type::kU32 ? "alloca.u32 %r5, 64;" : "alloca.u64 %rd5, 64;";
  } else if (name == "call __assertfail") {
    text =
        "{ .param .{p} m; st.param.{p} [m], {r}5; .param .{p} f; st.param.{p} [f], {r}6;\n"
        ".param .b32 l; st.param.b32 [l], %r7; .param .{p} n; st.param.{p} [n], {r}8;\n"
        ".param .{p} c; st.param.{p} [c], {r}8; call.uni __assertfail, (m, f, l, n, c); }";
  }
  return WithPointers(text, type);
}

std::string CallPrototypes(ptx::Type type) {
  return WithPointers(
      ".extern .func (.param .{p} r) malloc (.param .{p} n);\n"
      ".extern .func free (.param .{p} q);\n"
      ".extern .func (.param .b32 r) vprintf (.param .{p} f, .param .{p} a);\n"
      ".extern .func __assertfail (.param .{p} m, .param .{p} f, .param .b32 l, .param .{p} n, "
      ".param .{p} c);\n"
      ".func nothing { ret; }\n",
      type);
}

const std::vector<std::string>& OtherForms() {
  static const std::vector<std::string> forms = [] {
    const std::string load = ".shared::cluster.global.mbarrier::complete_tx::bytes";
    const std::string store = ".global.shared::cta.bulk_group";
    std::vector<std::string> texts = {
        "cp.async.mbarrier.arrive.shared::cta.b64 [%r1];",
        "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r1];",
        "cp.async.bulk" + load + " [%r1], [%rd1], %r2, [%r3];",
        "cp.async.bulk" + load + ".multicast::cluster [%r1], [%rd1], %r2, [%r3], %rs1;",
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r1], [%r4], %r2, "
        "[%r3];",
        "cp.async.bulk" + store + " [%rd1], [%r1], %r2;",
        "mbarrier.arrive.expect_tx.shared.b64 _, [%r1], %r2;",
        "mbarrier.arrive_drop.shared.b64 _, [%r1];",
        "mbarrier.arrive_drop.expect_tx.shared.b64 _, [%r1], %r2;",
    };
    for (const std::string query :
         {"width", "height", "depth", "array_size", "channel_data_type", "channel_order",
          "normalized_coords", "num_mipmap_levels", "num_samples", "filter_mode", "addr_mode_0",
          "addr_mode_1", "addr_mode_2", "force_unnormalized_coords", "level.width", "level.height",
          "level.depth"}) {
      const std::string level = query.starts_with("level") ? ", %r2" : "";
      texts.push_back("txq." + query + ".b32 %r1, [%rd1]" + level + ";");
    }
    for (const std::string query : {"width", "height", "depth", "array_size", "channel_data_type",
                                    "channel_order", "memory_layout"}) {
      texts.push_back("suq." + query + ".b32 %r1, [%rd1];");
    }
    texts.push_back("tex.1d.v4.f32.f32 {%f10, %f11, %f12, %f13}, [%rd1, %rd2, {%f1}];");
    const std::string halves = "{%r10, %r11, %r12, %r13}";
    const std::string floats = "{%f10, %f11, %f12, %f13, %f14, %f15, %f16, %f17}";
    for (const char* const layouts : {"row.row", "row.col", "col.row", "col.col"}) {
      const std::string name = fmt::format("mma.sync.aligned.m8n8k4.{}", layouts);
      const std::string factors = ", {%r1, %r2}, {%r3, %r4}, ";
      texts.push_back(name + ".f16.f16.f16.f16 " + halves + factors + halves + ";");
      texts.push_back(name + ".f32.f16.f16.f16 " + floats + factors + halves + ";");
      texts.push_back(name + ".f32.f16.f16.f32 " + floats + factors + floats + ";");
    }
    AddNarrowProducts(&texts);
    AddTensorMemory(&texts);
    const auto add_wgmma = [&](const std::string& types, const std::string& sums,
                               const std::string& rest) {
      const std::string name = "wgmma.mma_async.sync.aligned.m64n8" + types;
      texts.push_back(name + " " + sums + ", %rd1, %rd2, %p1" + rest + ";");
    };
    const std::string four = "{%f10, %f11, %f12, %f13}", two = "{%r10, %r11}";
    add_wgmma("k16.f32.f16.f16", four, ", 1, 1, 0, 0");
    add_wgmma("k16.f16.f16.f16", two, ", 1, 1, 0, 0");
    add_wgmma("k16.f32.bf16.bf16", four, ", 1, 1, 0, 0");
    add_wgmma("k8.f32.tf32.tf32", four, ", 1, 1");
    for (const std::string factors : {"e4m3.e4m3", "e4m3.e5m2", "e5m2.e4m3", "e5m2.e5m2"}) {
      add_wgmma("k32.f32." + factors, four, ", 1, 1");
      add_wgmma("k32.f16." + factors, two, ", 1, 1");
    }
    for (const std::string factors : {"s8.s8", "s8.u8", "u8.s8", "u8.u8"}) {
      add_wgmma("k32.s32." + factors, halves, "");
      add_wgmma("k32.satfinite.s32." + factors, halves, "");
    }
    add_wgmma("k256.s32.b1.b1.and.popc", halves, "");
    texts.insert(texts.end(), {"wgmma.fence.sync.aligned;", "wgmma.commit_group.sync.aligned;",
                               "wgmma.wait_group.sync.aligned 0;"});
    const auto add_access = [&](const std::string& vector, const std::string& elements) {
      texts.push_back("ld.global." + vector + " {" + elements + "}, [%rd1];");
      texts.push_back("st.global." + vector + " [%rd1], {" + elements + "};");
    };
    for (const std::string type : {"b32", "u32", "s32"}) {
      add_access("v8." + type, "%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17");
    }
    add_access("v8.f32", "%f10, %f11, %f12, %f13, %f14, %f15, %f16, %f17");
    for (const std::string type : {"b64", "u64", "s64"}) {
      add_access("v4." + type, "%rd10, %rd11, %rd12, %rd13");
    }
    add_access("v4.f64", "%fd10, %fd11, %fd12, %fd13");
    const auto add_reductions = [&](const std::string& to, const std::string& operands,
                                    const std::vector<std::string>& operations) {
      for (const std::string& operation : operations) {
        texts.push_back("cp.reduce.async.bulk" + to + "." + operation + " " + operands + ";");
      }
    };
    add_reductions(
        store, "[%rd1], [%r1], %r2",
        {"add.u32", "add.s32", "add.u64", "add.f32", "add.f64",  "add.noftz.f16", "add.noftz.bf16",
         "min.u32", "min.s32", "min.u64", "min.s64", "min.f16",  "min.bf16",      "max.u32",
         "max.s32", "max.u64", "max.s64", "max.f16", "max.bf16", "inc.u32",       "dec.u32",
         "and.b32", "and.b64", "or.b32",  "or.b64",  "xor.b32",  "xor.b64"});
    add_reductions(".shared::cluster.shared::cta.mbarrier::complete_tx::bytes",
                   "[%r1], [%r4], %r2, [%r3]",
                   {"add.u32", "add.s32", "add.u64", "min.u32", "min.s32", "max.u32", "max.s32",
                    "inc.u32", "dec.u32", "and.b32", "or.b32", "xor.b32"});
    texts.push_back("createpolicy.cvt.L2.b64 %rd1, %rd2;");
    for (const std::string primary : {"unchanged", "first", "last", "normal"}) {
      for (const std::string secondary : {"", ".L2::evict_first", ".L2::evict_unchanged"}) {
        const std::string words = ".L2::evict_" + primary + secondary + ".b64 %rd1";
        texts.push_back("createpolicy.fractional" + words + ", %f1;");
        texts.push_back("createpolicy.range" + words + ", [%rd2], %r1, %r2;");
      }
    }
    const std::string rows = "[%rd1, {%r4, %r5, %r6, %r7, %r8}]";
    texts.push_back(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::"
        "complete_tx::bytes [%r1], " +
        rows + ", [%r3];");
    texts.push_back("cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group " + rows +
                    ", [%r1];");
    texts.push_back("cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4 " + rows + ";");
    texts.push_back("cp.async.bulk.prefetch.L2.global [%rd1], %r2;");
    for (const std::string field : {"rank", "elemtype", "interleave_layout", "swizzle_mode",
                                    "swizzle_atomicity", "fill_mode"}) {
      texts.push_back("tensormap.replace.tile." + field + ".shared::cta.b1024.b32 [%r1], 0;");
    }
    for (const std::string field : {"box_dim", "global_dim", "element_stride"}) {
      texts.push_back("tensormap.replace.tile." + field + ".shared::cta.b1024.b32 [%r1], 0, %r2;");
    }
    texts.push_back("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%r1], %rd1;");
    texts.push_back("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%r1], 0, %rd1;");
    texts.push_back(
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
        "[%rd1], [%r1], 128;");
    std::string coordinates = "%r4", offsets = "%rs2";
    for (int dimensions = 1; dimensions <= 5; ++dimensions) {
      const std::string name = fmt::format("cp.async.bulk.tensor.{}d", dimensions);
      const std::string map = "[%rd1, {" + coordinates + "}]";
      texts.push_back(name + load + " [%r1], " + map + ", [%r3];");
      texts.push_back(name + load + ".multicast::cluster [%r1], " + map + ", [%r3], %rs1;");
      texts.push_back(name + store + " " + map + ", [%r1];");
      const std::string prefetch =
          fmt::format("cp.async.bulk.prefetch.tensor.{}d.L2.global", dimensions);
      texts.push_back(prefetch + " " + map + ";");
      const std::string reduce = fmt::format("cp.reduce.async.bulk.tensor.{}d", dimensions);
      for (const std::string operation : {"add", "min", "max", "inc", "dec", "and", "or", "xor"}) {
        const std::string to = reduce + ".global.shared::cta." + operation;
        texts.push_back(to + ".bulk_group " + map + ", [%r1];");
        if (dimensions < 3) continue;
        texts.push_back(to + ".im2col_no_offs.bulk_group " + map + ", [%r1];");
      }
      if (dimensions >= 3) {
        const std::string by = ", {" + offsets + "}";
        const std::string pixels = name + ".shared::cluster.global.im2col.mbarrier::complete_tx::";
        texts.push_back(pixels + "bytes [%r1], " + map + ", [%r3]" + by + ";");
        texts.push_back(pixels + "bytes.multicast::cluster [%r1], " + map + ", [%r3]" + by +
                        ", %rs1;");
        for (const std::string mode : {"im2col::w", "im2col::w::128"}) {
          const std::string wide =
              name + ".shared::cluster.global." + mode + ".mbarrier::complete_tx::";
          const std::string halo = ", {%rs1, %rs2}";
          texts.push_back(wide + "bytes [%r1], " + map + ", [%r3]" + halo + ";");
          texts.push_back(wide + "bytes.multicast::cluster [%r1], " + map + ", [%r3]" + halo +
                          ", %rs1;");
          texts.push_back(prefetch + "." + mode + " " + map + halo + ";");
        }
        texts.push_back(name + ".global.shared::cta.im2col_no_offs.bulk_group " + map + ", [%r1];");
        texts.push_back(prefetch + ".im2col " + map + by + ";");
        offsets += fmt::format(", %rs{}", dimensions);
      }
      coordinates += fmt::format(", %r{}", 4 + dimensions);
    }
    return texts;
  }();
  return forms;
}

std::string ModuleText(const std::string& parameters, const std::string& body, ptx::Type type) {
  std::string text = KernelText(parameters, body, CallPrototypes(type));
  if (type == ptx::Type::kU32) {
    const std::string size = ".address_size 64";
    text.replace(text.find(size), size.size(), ".address_size 32");
  }
  return text;
}

}  // namespace flagstone::conformance
