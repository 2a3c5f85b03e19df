#include "tests/unit/systemc/cosim/fst_file.h"

#include <gtest/gtest.h>
#include <gtkwave/fstapi.h>

#include <array>
#include <vector>

namespace flagstone {

FstFile::FstFile(const std::filesystem::path& file) {
  reader_ = fstReaderOpen(file.c_str());
  EXPECT_NE(reader_, nullptr) << file << " is no FST file";
  if (reader_ != nullptr) ReadHierarchy();
}

FstFile::~FstFile() {
  if (reader_ != nullptr) fstReaderClose(reader_);
}

void FstFile::ReadHierarchy() {
  std::vector<std::string> path;
  const auto join = [&path](const std::string& last) {
    std::string text;
    for (const std::string& part : path) text += part + ".";
    return text + last;
  };
  while (const fstHier* entry = fstReaderIterateHier(reader_)) {
    if (entry->htyp == FST_HT_SCOPE) {
      scopes_.insert(join(entry->u.scope.name));
      path.emplace_back(entry->u.scope.name);
    } else if (entry->htyp == FST_HT_UPSCOPE) {
      path.pop_back();
    } else if (entry->htyp == FST_HT_VAR) {
      // "tb_valid_o [1:0]" without its range.
      const std::string name = entry->u.var.name;
      handles_.emplace(join(name.substr(0, name.find(' '))), entry->u.var.handle);
    }
  }
}

uint64_t FstFile::FirstCycle() const {
  return reader_ == nullptr ? 0 : fstReaderGetStartTime(reader_) / 1000;
}

uint64_t FstFile::LastCycle() const {
  return reader_ == nullptr ? 0 : fstReaderGetEndTime(reader_) / 1000;
}

std::string FstFile::Value(const std::string& path, uint64_t cycle) const {
  const auto handle = handles_.find(path);
  EXPECT_NE(handle, handles_.end()) << "no signal " << path;
  if (handle == handles_.end()) return "";
  std::array<char, 8192> buffer = {};
  const char* value =
      fstReaderGetValueFromHandleAtTime(reader_, cycle * 1000 + 500, handle->second, buffer.data());
  return value == nullptr ? "" : value;
}

}  // namespace flagstone
