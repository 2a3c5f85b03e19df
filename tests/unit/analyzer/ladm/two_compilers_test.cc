// One source, two compilers, two levels of each: the same types, strides, scheduler and caching.
#include "tests/unit/analyzer/two_compilers.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "analyzer/address/address_analysis.h"
#include "analyzer/ladm/ladm.h"

namespace flagstone {
namespace two_compilers_test {

std::string Text(const LadmAnalysis& analysis) {
  std::string text(ToString(analysis.scheduler.value()));
  text += analysis.caching == RemoteCaching::kOnce ? ", once" : "";
  for (const LadmArgument& argument : analysis.arguments) {
    text += ", " + argument.name + ": " + std::string(ToString(argument.type));
    if (argument.stride_bytes) text += " by " + std::to_string(*argument.stride_bytes);
  }
  return text;
}

class OneSource : public testing::TestWithParam<two_compilers::Subject> {};

TEST_P(OneSource, HasOneClassWhoeverCompilesIt) {
  const two_compilers::Subject& subject = GetParam();
  std::map<std::string, std::string> by_text;  // -> who has it
  for (const char* compiler : two_compilers::kCompilers) {
    const two_compilers::CompiledSubject compiled(subject, compiler);
    const KernelLaunch& launch = compiled.launch;
    const DeviceMemory& memory = compiled.memory;
    const LadmAnalysis analysis = AnalyzeLadm(AnalyzeAddresses(launch, memory), launch, memory);
    by_text[Text(analysis)] += std::string(" ") + compiler;
  }
  EXPECT_EQ(by_text.size(), 1U) << testing::PrintToString(by_text);
  const std::string text = by_text.begin()->first;
  std::string shortened = text.substr(0, text.find(", b:"));
  shortened = shortened.substr(0, shortened.find(", out:"));
  if (const size_t once = shortened.find(", once"); once != std::string::npos) {
    shortened.erase(once, std::string(", once").size());
  }
  EXPECT_EQ(shortened, subject.expected);
}

INSTANTIATE_TEST_SUITE_P(Kernels, OneSource, testing::ValuesIn(two_compilers::kSubjects),
                         [](const auto& of) { return std::string(of.param.entry); });

}  // namespace two_compilers_test
}  // namespace flagstone
