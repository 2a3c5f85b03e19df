// Every key of a machine file, once: the table behind parsing, `--set` and Canonical().
#ifndef FLAGSTONE_GPU_MODEL_MACHINES_MACHINE_FIELDS_H_
#define FLAGSTONE_GPU_MODEL_MACHINES_MACHINE_FIELDS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu_model/machines/machine.h"

namespace flagstone {

// Exactly one of the four accessors is set; it decides the type of the value in the file.
struct MachineField {
  std::string_view key;       // "sm.l1.size_kib"
  std::string_view unit;      // "KiB"; empty: there is none
  std::string_view sentence;  // what it means, without a full stop
  uint32_t* (*integer)(MachineConfig&) = nullptr;
  uint64_t* (*wide)(MachineConfig&) = nullptr;
  std::string* (*text)(MachineConfig&) = nullptr;
  uint8_t* (*choice)(MachineConfig&) = nullptr;  // an enumeration, with `names` of its values
  uint64_t min = 0;                              // of integers
  uint64_t max = 0;
  std::span<const std::string_view> names = {};
  bool has_default = false;  // a file may leave it out: a one-node machine says nothing of nodes
};

std::span<const MachineField> MachineFields();
// Whether --set and the axes of sweeps may change it: name and description say which machine it is.
bool IsSetting(const MachineField& field);
const MachineField* FindMachineField(std::string_view key);  // null when unknown

// The known keys that are closest to a misspelt one, best first.
std::vector<std::string> NearestKeys(std::string_view key);

std::string ValueText(const MachineField& field, const MachineConfig& machine);

}  // namespace flagstone

#endif  // FLAGSTONE_GPU_MODEL_MACHINES_MACHINE_FIELDS_H_
