// The statements between the braces of an entry or a device function, with scopes and labels.
#ifndef FLAGSTONE_KERNELS_PTX_BODY_PARSER_H_
#define FLAGSTONE_KERNELS_PTX_BODY_PARSER_H_

#include <cstdint>
#include <vector>

#include "kernels/ptx/function.h"
#include "kernels/ptx/instruction_parser.h"
#include "kernels/ptx/parse_context.h"
#include "kernels/ptx/variable_parser.h"

namespace flagstone::ptx {

class BodyParser {
 public:
  BodyParser(ParseContext* context, Body* body);

  // Parameters are defined between OpenScope and Parse: they belong to the body's outermost scope.
  void OpenScope();
  // From '{' to '}'; closes the scope.
  void Parse();
  // Without a body, after OpenScope.
  void CloseScope();
  // After ".reg": ".b32 %r<8>", one name.
  void ParseRegister();

 private:
  void ParseStatement();
  void ParseDirective();
  uint8_t ParseVectorLength();  // ".v2", ".v4"; 1 where neither stands
  Type ParseRegisterType();
  // A vector is as many registers, one after the other: "V.x", "V.y".
  void DefineRegister(Type type, uint8_t vector);
  void DefineLabel(const Token& name);
  void DefineBranchTargets(const Token& name);
  void AddInstruction(const Token& begin);
  void AddIndexedBranch(const InstructionParser::Parsed& parsed);
  // The code may not run past its last instruction.
  void EndWithReturn(Location at);

  struct LabelUse {
    uint32_t instruction;
    Token label;
  };

  ParseContext& context_;
  Lexer& lexer_;
  Body& body_;
  Kernel& kernel_;
  VariableParser variables_;
  InstructionParser instructions_;
  std::vector<std::vector<LabelUse>> open_uses_;  // per scope: labels may be used before they stand
  std::vector<std::vector<Token>> branch_targets_;  // by Symbol::target
};

}  // namespace flagstone::ptx

#endif  // FLAGSTONE_KERNELS_PTX_BODY_PARSER_H_
