// Rows of a sweep to files, one after another: nothing but a row is in memory.
#ifndef FLAGSTONE_APP_SWEEP_TABLE_WRITERS_H_
#define FLAGSTONE_APP_SWEEP_TABLE_WRITERS_H_

#include <memory>
#include <string>
#include <vector>

#include "app/results/run_json.h"
#include "app/sweep/collect.h"

namespace flagstone {

class TableWriter {
 public:
  virtual ~TableWriter() = default;
  virtual void Add(const std::vector<Json>& row) = 0;
  // The file is there when this returns, whole; without it nothing is. Throws kInternal.
  virtual void Finish() = 0;
};

// A header line, then a line for each row; text in quotes where it holds a comma, a quote or the
// end of a line, empty for null.
std::unique_ptr<TableWriter> MakeCsvWriter(const std::string& file,
                                           const std::vector<SweepColumn>& columns);
// {schema, description, rows[]}: an object of each row, on a line of its own.
std::unique_ptr<TableWriter> MakeJsonWriter(const std::string& file,
                                            const std::vector<SweepColumn>& columns,
                                            const std::string& description);
// A table `points` with a column of each type.
std::unique_ptr<TableWriter> MakeSqliteWriter(const std::string& file,
                                              const std::vector<SweepColumn>& columns);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_SWEEP_TABLE_WRITERS_H_
