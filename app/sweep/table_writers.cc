#include "app/sweep/table_writers.h"

#include <fmt/core.h>

#include <fstream>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/toml_reader.h"

namespace flagstone {
namespace {

class TextFile {
 public:
  explicit TextFile(const std::string& file)
      : shown_(file), file_(file), stream_(file_.path(), std::ios::binary) {}

  void Write(const std::string& text) { stream_ << text; }
  void Finish() {
    stream_.close();
    if (!stream_) ThrowInternal("cannot write '{}'", shown_);
    file_.Commit();
  }

 private:
  std::string shown_;
  StagedFile file_;
  std::ofstream stream_;
};

std::string CsvText(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "TRUE" : "FALSE";  // R knows no other
  return CsvCell(value);
}

class CsvWriter final : public TableWriter {
 public:
  CsvWriter(const std::string& file, const std::vector<SweepColumn>& columns) : file_(file) {
    std::string header;
    for (const SweepColumn& column : columns) header += (header.empty() ? "" : ",") + column.name;
    file_.Write(header + "\n");
  }
  void Add(const std::vector<Json>& row) override {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) line += (i == 0 ? "" : ",") + CsvText(row[i]);
    file_.Write(line + "\n");
  }
  void Finish() override { file_.Finish(); }

 private:
  TextFile file_;
};

class JsonWriter final : public TableWriter {
 public:
  JsonWriter(const std::string& file, const std::vector<SweepColumn>& columns,
             const std::string& description)
      : file_(file), columns_(columns) {
    file_.Write(
        fmt::format("{{\n\"schema\": \"flagstone.sweep/1\",\n\"description\": {},\n\"rows\": [",
                    Json(description).dump()));
  }
  void Add(const std::vector<Json>& row) override {
    Json object;
    for (size_t i = 0; i < row.size(); ++i) object[columns_[i].name] = row[i];
    file_.Write((first_ ? "\n" : ",\n") + object.dump());
    first_ = false;
  }
  void Finish() override {
    file_.Write("\n]\n}\n");
    file_.Finish();
  }

 private:
  TextFile file_;
  std::vector<SweepColumn> columns_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<TableWriter> MakeCsvWriter(const std::string& file,
                                           const std::vector<SweepColumn>& columns) {
  return std::make_unique<CsvWriter>(file, columns);
}

std::unique_ptr<TableWriter> MakeJsonWriter(const std::string& file,
                                            const std::vector<SweepColumn>& columns,
                                            const std::string& description) {
  return std::make_unique<JsonWriter>(file, columns, description);
}

}  // namespace flagstone
