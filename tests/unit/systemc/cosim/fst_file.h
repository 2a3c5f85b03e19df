// Reads back what a test wrote as FST, with the library that wrote it.
#ifndef FLAGSTONE_TESTS_UNIT_SYSTEMC_COSIM_FST_FILE_H_
#define FLAGSTONE_TESTS_UNIT_SYSTEMC_COSIM_FST_FILE_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace flagstone {

class FstFile {
 public:
  // Expects (GoogleTest) that the file can be read.
  explicit FstFile(const std::filesystem::path& file);
  ~FstFile();
  FstFile(const FstFile&) = delete;
  FstFile& operator=(const FstFile&) = delete;

  // Of the first and of the last value in the file; a cycle is 1 ns.
  uint64_t FirstCycle() const;
  uint64_t LastCycle() const;
  const std::set<std::string>& scopes() const { return scopes_; }  // "gpu.tb_scheduler"
  bool HasSignal(const std::string& path) const { return handles_.count(path) != 0; }
  // The signal's value in the second half of a cycle, as binary digits.
  std::string Value(const std::string& path, uint64_t cycle) const;

 private:
  void ReadHierarchy();

  void* reader_ = nullptr;
  std::set<std::string> scopes_;
  std::map<std::string, uint32_t> handles_;
};

}  // namespace flagstone

#endif  // FLAGSTONE_TESTS_UNIT_SYSTEMC_COSIM_FST_FILE_H_
