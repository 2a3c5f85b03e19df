#include "analyzer/locality/graph_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"

namespace flagstone {
namespace graph_writer_test {

// 0 -5- 1 -7- 2
LocalityGraph Path() {
  LocalityGraph graph;
  graph.tb_count = 3;
  graph.row_start = {0, 1, 3, 4};
  graph.neighbour = {1, 0, 2, 1};
  graph.weight = {5, 5, 7, 7};
  graph.universal_weight = 11;
  return graph;
}

TEST(GraphWriter, WritesMetisLines) {
  EXPECT_EQ(ToMetis(Path()),
            "% vertices are TBs from 1; 11 units shared by all are left out\n"
            "3 2 001\n2 5\n1 5 3 7\n2 7\n");
}

TEST(GraphWriter, WritesEachEdgeOnceInGraphMl) {
  const std::string text = ToGraphMl(Path());
  EXPECT_THAT(text, testing::HasSubstr("<data key=\"universal_weight\">11</data>"));
  EXPECT_THAT(text, testing::HasSubstr(
                        "<edge source=\"n1\" target=\"n2\"><data key=\"weight\">7</data></edge>"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("source=\"n2\"")));
  EXPECT_THAT(text, testing::HasSubstr("<node id=\"n0\"/>"));
  EXPECT_THAT(text, testing::HasSubstr("<node id=\"n2\"/>"));
}

TEST(GraphWriter, ChoosesTheFormatByTheExtension) {
  const std::filesystem::path folder = testing::TempDir();
  WriteGraph(Path(), folder / "path.graph");
  EXPECT_EQ(ReadFile(folder / "path.graph"), ToMetis(Path()));
  WriteGraph(Path(), folder / "path.graphml");
  EXPECT_EQ(ReadFile(folder / "path.graphml"), ToGraphMl(Path()));
}

TEST(GraphWriter, RefusesAnotherExtension) {
  try {
    WriteGraph(Path(), "path.dot");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_THAT(error.what(), testing::HasSubstr(".graph (METIS) or .graphml"));
  }
}

}  // namespace graph_writer_test
}  // namespace flagstone
