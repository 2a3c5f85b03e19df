// A wave on its way to its place: whole or not at all, also when a disk is full.
#ifndef FLAGSTONE_SYSTEMC_COSIM_WAVE_FILE_H_
#define FLAGSTONE_SYSTEMC_COSIM_WAVE_FILE_H_

#include <string>

#include "base/file.h"

namespace flagstone {

// The library that writes FST checks no write, and maps temporary files of /tmp, which ends in a
// bus error when that is full. From the first WaveFile on, such an error ends the program with one
// line, exit code 3 and no file left.
class WaveFile {
 public:
  explicit WaveFile(const std::string& target);  // throws as StagedFile does

  const std::string& path() const { return file_.path(); }  // for the library to write to
  // Before the library closes it and frees its temporary files: on a full disk it has lost some of
  // what it wrote.
  void LookForSpace() noexcept;
  // When the library has closed it. Does not throw, because a body may do this when its life ends:
  // ThrowWaveError does, later.
  void Close() noexcept;

 private:
  std::string target_;
  bool full_ = false;
  StagedFile file_;
  TemporaryName names_;  // of signals, until the library closes the wave
};

// Throws kInternal if a wave could not be finished since the last call.
void ThrowWaveError();

// Whether all blocks of the FST file are there.
bool IsWholeFst(const std::string& path);

}  // namespace flagstone

#endif  // FLAGSTONE_SYSTEMC_COSIM_WAVE_FILE_H_
