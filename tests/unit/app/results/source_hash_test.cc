// A change of any source file has another hash; a change of others has not.
#include "app/results/source_hash.h"

#include <gtest/gtest.h>

#include "app/results/results_id.h"
#include "base/error.h"
#include "tests/unit/base/temporary_folder.h"

namespace flagstone {
namespace source_hash_test {

TEST(SourceHash, IsOfTheBytesAndNamesOfItsKindOfFiles) {
  TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "in");
  folder.Write("in/a.sv", "module a;");
  folder.Write("b.sv", "module b;");
  const std::string before = HashRtl(folder.path());
  EXPECT_EQ(before.size(), 16U);
  folder.Write("notes.md", "text");
  EXPECT_EQ(HashRtl(folder.path()), before);
  folder.Write("in/a.sv", "module a ;");
  const std::string changed = HashRtl(folder.path());
  EXPECT_NE(changed, before);
  folder.Write("in/a.sv", "module a;");
  EXPECT_EQ(HashRtl(folder.path()), before);
  std::filesystem::rename(folder.path() / "b.sv", folder.path() / "c.sv");
  EXPECT_NE(HashRtl(folder.path()), before);
}

// What moves between files is seen too.
TEST(SourceHash, TellsWhereAFileEnds) {
  TemporaryFolder one, two;
  one.Write("a.sv", "x");
  one.Write("b.sv", "yz");
  two.Write("a.sv", "xb.svy");
  two.Write("b.sv", "z");
  EXPECT_NE(HashRtl(one.path()), HashRtl(two.path()));
}

// A room that moved, and is still listed by its old name, would otherwise count for nothing.
TEST(SourceHash, OfAFolderThatIsNotThereIsAnError) {
  TemporaryFolder folder;
  EXPECT_THROW(HashSources(folder.path() / "moved", {".cc"}), Error);
}

TEST(ResultsId, IsThatOfTheSourcesHere) { EXPECT_EQ(ResultsId().size(), 16U); }

}  // namespace source_hash_test
}  // namespace flagstone
