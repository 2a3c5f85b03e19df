#include <sqlite3.h>

#include "app/sweep/table_writers.h"
#include "base/error.h"
#include "base/file.h"

namespace flagstone {
namespace {

const char* TypeName(SweepColumn::Type type) {
  switch (type) {
    case SweepColumn::Type::kInteger:
    case SweepColumn::Type::kBoolean:
      return "INTEGER";
    case SweepColumn::Type::kReal:
      return "REAL";
    case SweepColumn::Type::kText:
      return "TEXT";
  }
  return "";
}

// One transaction, in a file of its own until Finish().
class SqliteWriter final : public TableWriter {
 public:
  SqliteWriter(const std::string& file, const std::vector<SweepColumn>& columns)
      : shown_(file), file_(file) {
    Check(sqlite3_open(file_.path().c_str(), &database_));
    std::string names, places;
    for (const SweepColumn& column : columns) {
      names +=
          fmt::format("{}\"{}\" {}", names.empty() ? "" : ", ", column.name, TypeName(column.type));
      places += places.empty() ? "?" : ", ?";
    }
    // The file is new and nobody else's: it needs no journal.
    Do("PRAGMA journal_mode = OFF");
    Do("BEGIN");
    Do(fmt::format("CREATE TABLE points ({})", names));
    const std::string insert = fmt::format("INSERT INTO points VALUES ({})", places);
    Check(sqlite3_prepare_v2(database_, insert.c_str(), -1, &insert_, nullptr));
  }
  ~SqliteWriter() override {
    sqlite3_finalize(insert_);
    sqlite3_close(database_);
  }
  SqliteWriter(const SqliteWriter&) = delete;
  SqliteWriter& operator=(const SqliteWriter&) = delete;

  void Add(const std::vector<Json>& row) override {
    sqlite3_reset(insert_);
    for (size_t i = 0; i < row.size(); ++i) Check(Bind(static_cast<int>(i) + 1, row[i]));
    Check(sqlite3_step(insert_));
  }
  void Finish() override {
    Do("COMMIT");
    Check(sqlite3_finalize(insert_));
    insert_ = nullptr;
    Check(sqlite3_close(database_));
    database_ = nullptr;
    file_.Commit();
  }

 private:
  int Bind(int place, const Json& value) {
    if (value.is_null()) return sqlite3_bind_null(insert_, place);
    if (value.is_boolean()) return sqlite3_bind_int(insert_, place, value.get<bool>() ? 1 : 0);
    if (value.is_number_integer()) return sqlite3_bind_int64(insert_, place, value.get<int64_t>());
    if (value.is_number()) return sqlite3_bind_double(insert_, place, value.get<double>());
    // Of a histogram: its numbers as JSON.
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    return sqlite3_bind_text(insert_, place, text.c_str(), static_cast<int>(text.size()),
                             SQLITE_TRANSIENT);
  }
  void Do(const std::string& sql) {
    Check(sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr));
  }
  void Check(int code) const {
    if (code == SQLITE_OK || code == SQLITE_DONE) return;
    ThrowInternal("cannot write '{}': {}", shown_, sqlite3_errstr(code));
  }

  std::string shown_;
  StagedFile file_;
  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
};

}  // namespace

std::unique_ptr<TableWriter> MakeSqliteWriter(const std::string& file,
                                              const std::vector<SweepColumn>& columns) {
  return std::make_unique<SqliteWriter>(file, columns);
}

}  // namespace flagstone
