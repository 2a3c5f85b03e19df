// The policies for machines of several nodes, which say where TBs and pages go.
#ifndef FLAGSTONE_APP_POLICY_NODE_POLICIES_H_
#define FLAGSTONE_APP_POLICY_NODE_POLICIES_H_

#include <vector>

#include "app/policy/policy.h"

namespace flagstone {

// Of the table, in the order in which they are listed.
std::vector<Policy> NodePolicies();

}  // namespace flagstone

#endif  // FLAGSTONE_APP_POLICY_NODE_POLICIES_H_
