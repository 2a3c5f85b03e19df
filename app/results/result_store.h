// Results in a folder, each in a file of its own, named by the hash of what determines it.
//
// A file is DIR/ab/abcd....json and holds two lines of JSON: {schema, checksum}, then the result.
// The checksum is of the name and the result. It is written under another name, flushed to the disk
// and renamed, so that it is there whole or not at all. Nothing is locked and nothing changes in
// place: any number of processes, on several nodes of a network file system too, may read and
// write. Two that write the same result write the same figures, and the last one stays.
#ifndef FLAGSTONE_APP_RESULTS_RESULT_STORE_H_
#define FLAGSTONE_APP_RESULTS_RESULT_STORE_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/results/run_json.h"

namespace flagstone {

// NOLINTNEXTLINE(bugprone-exception-escape): moving Json asserts, and does not throw
struct StoredResult {
  std::string code;      // ResultsId() of the build that computed it
  std::string version;   // of that build, for people
  std::string workload;  // the path of the workload's file: messages in `record` name it
  Json record;           // of schema flagstone.run/1, whose `command` is empty
};

class ResultStore {
 public:
  using Say = std::function<void(const std::string& line)>;

  // `say` gets a line about each damaged file. The folder is made by the first Put.
  ResultStore(std::filesystem::path folder, Say say);

  const std::filesystem::path& folder() const { return folder_; }
  const Say& say() const { return say_; }
  std::filesystem::path PathOf(const std::string& name) const;

  // Nothing where there is none. A file whose bytes are not those that were written is set aside,
  // in DIR/damaged, and is none.
  std::optional<StoredResult> Get(const std::string& name) const;
  // Throws kInternal ("cannot write in 'DIR': reason").
  void Put(const std::string& name, const StoredResult& result) const;

  // The first folder of the store that this user may not read, and how many there are: results in
  // it are not found. Empty where there is none.
  std::string Unreadable() const;

  // Visits the name of each result, in any order. None where the folder is not there.
  void ForEachName(const std::function<void(std::string_view name)>& visit) const;
  // The same, in order.
  std::vector<std::string> Names() const;
  // What is wrong with a result's file; empty where nothing is.
  std::string Problem(const std::string& name) const;
  // Moves a result's file to DIR/damaged, and gives its new name. Another process may be quicker.
  std::string SetAside(const std::string& name) const;
  // Whether another user keeps it to himself.
  bool IsClosed(const std::string& name) const;
  // Removes what was set aside, and gives the number of files.
  uint64_t RemoveDamaged() const;

 private:
  std::filesystem::path folder_;
  Say say_;
};

// Writes a file of a store: whole, on the disk, and with a temporary name that no other process of
// any node uses. Makes its folder. Throws kInternal ("cannot write in 'SHOWN': reason").
void WriteDurably(const std::filesystem::path& path, std::string_view bytes,
                  const std::filesystem::path& shown);

// Removes what writers that died have left below `folder`: temporary files that are older than an
// hour by the file system's own clock, as those of the nodes may differ. Gives their number.
uint64_t RemoveLeftTemporaries(const std::filesystem::path& folder);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_RESULTS_RESULT_STORE_H_
