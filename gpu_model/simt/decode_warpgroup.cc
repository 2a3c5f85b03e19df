// wgmma (PTX ISA, section 9.7.15): operands of products, and which products a wait waits for.
#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "gpu_model/simt/decoder.h"
#include "gpu_model/simt/instruction_class.h"
#include "gpu_model/simt/warpgroup.h"

namespace flagstone::simt {
namespace {

using ptx::Operand;
using ptx::Type;
using ptx::WarpgroupOp;

bool IsSet(const Operand& number) { return number.bits == 1; }
bool IsNegative(const Operand& sign) { return sign.bits != 1; }

}  // namespace

void Decoder::DecodeWarpgroup() {
  inst_->action = Action::kWarpgroup;
  info_->pipe = Pipe::kControl;
  const WarpgroupOp op = instruction_->modifiers.warpgroup_op;
  if (op == WarpgroupOp::kMmaAsync) return DecodeProduct();
  if (op != WarpgroupOp::kWaitGroup) return;
  inst_->offset = instruction_->operands[0].bits;
  waits_for_products_.push_back(inst_->pc);
}

// The sums are no registers of the scoreboard: who reads them has waited for their group.
void Decoder::DecodeProduct() {
  const std::vector<Operand>& operands = instruction_->operands;
  if (code_->warpgroup == nullptr) code_->warpgroup = std::make_unique<WarpgroupCode>();
  WarpgroupSlots& slots = code_->warpgroup->products.emplace_back();
  inst_->product = &slots;
  slots.form = ptx::WgmmaFormOf(*instruction_);
  for (size_t i = 0; i < operands[0].elements.size(); ++i) {
    slots.d[i] = slots_.OfRegister(operands[0].elements[i].reg).slot;
  }
  slots.a_in_registers = operands[1].kind == Operand::Kind::kVector;
  if (slots.a_in_registers) {
    for (size_t i = 0; i < slots.a.size(); ++i) {
      slots.a[i] = SourceOf(operands[1].elements[i], Type::kB32).slot;
    }
  } else {
    slots.a_descriptor = SourceOf(operands[1], Type::kB64).slot;
  }
  slots.b_descriptor = SourceOf(operands[2], Type::kB64).slot;
  slots.scale = SourceOf(operands[3], Type::kPred).slot;
  slots.scale_flip = operands[3].negated ? kAllLanes : 0;
  size_t next = 4;
  if (slots.form.Negates()) {
    slots.negates_a = IsNegative(operands[next++]);
    slots.negates_b = IsNegative(operands[next++]);
  }
  if (slots.form.Transposes()) {
    if (!slots.a_in_registers) slots.transposes_a = IsSet(operands[next++]);
    slots.transposes_b = IsSet(operands[next++]);
  }
  info_->pipe = Pipe::kTensor;
  info_->tensor_work = TensorWorkOf(slots.form);
  products_.push_back({inst_->pc, slots_.ProductNumber()});
  info_->destinations[info_->destination_count++] = products_.back().number;
  const std::vector<bool>& needed = launch_.needed_values;
  if (!needed.empty() && !needed[inst_->pc]) inst_->action = Action::kNothing;
}

// Behind each product of which more groups have been committed, whichever way the wait was come to,
// than may still be under way. One of a loop that a way with fewer commits leads from, too, has
// waited for itself before.
void Decoder::WaitForProducts(uint32_t wait) {
  constexpr uint32_t kNever = ~uint32_t{0};
  const std::vector<ptx::Instruction>& instructions = launch_.kernel->instructions;
  std::vector<uint32_t> commits(instructions.size(), kNever);  // on the way with the fewest
  std::deque<uint32_t> open;
  const auto come_from = [&](uint32_t pc, uint32_t count, bool nearer) {
    if (commits[pc] <= count) return;
    commits[pc] = count;
    nearer ? open.push_front(pc) : open.push_back(pc);
  };
  const auto go_back = [&](uint32_t pc, uint32_t count, bool nearer) {
    const ptx::BasicBlock& block = flow_.blocks()[flow_.BlockOf(pc)];
    if (pc != block.begin) return come_from(pc - 1, count, nearer);
    for (const ptx::BlockId before : block.predecessors) {
      come_from(flow_.blocks()[before].end - 1, count, nearer);
    }
  };
  go_back(wait, 0, true);
  while (!open.empty()) {
    const uint32_t pc = open.front();
    open.pop_front();
    const bool is_commit = instructions[pc].modifiers.warpgroup_op == WarpgroupOp::kCommitGroup;
    go_back(pc, commits[pc] + (is_commit ? 1 : 0), !is_commit);
  }
  const uint64_t pending = code_->insts[wait].offset;
  std::vector<uint16_t> numbers;
  for (const Product& product : products_) {
    const uint32_t count = commits[product.pc];
    const bool is_new = std::find(numbers.begin(), numbers.end(), product.number) == numbers.end();
    if (count != kNever && count > pending && is_new) numbers.push_back(product.number);
  }
  WaitFor(numbers, &(*infos_)[wait]);
}

}  // namespace flagstone::simt
