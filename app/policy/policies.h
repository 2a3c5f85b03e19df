// The table of TB scheduling policies: the one place where a policy's name, TB scheduler and
// partitioner meet.
#ifndef FLAGSTONE_APP_POLICY_POLICIES_H_
#define FLAGSTONE_APP_POLICY_POLICIES_H_

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "app/policy/policy.h"
#include "gpu_model/machines/machine.h"

namespace flagstone {

// Throws kBadInput for a policy for several nodes on a machine of one, and the other way round.
void RequireFits(const Policy& policy, const MachineConfig& machine);

// What a machine runs where nobody says: lrr, or on several nodes rr-node.
std::string_view DefaultPolicy(const MachineConfig& machine);

// All policies, in the order in which they are listed.
std::span<const Policy> Policies();

// Of "manual:FILE" and "groups:FILE" the file, which the policy reads at each launch; of all others
// nothing.
std::string_view FileOfPolicy(std::string_view name);
// The policy with its file, where it has one, in the folder.
std::string PolicyBeside(std::string_view name, const std::filesystem::path& folder);

// Whether both do the same: one policy with the same values of its parameters, or the same file.
bool AreAlike(const Policy& a, const Policy& b);

// A name, "NAME:PARAMETER=VALUE", with more parameters after more colons, or "NAME:FILE". Throws
// kBadInput, with what is known, for any other text. The policy lives as long as the program. Not
// for several threads at once.
const Policy& FindPolicy(std::string_view name);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_POLICY_POLICIES_H_
