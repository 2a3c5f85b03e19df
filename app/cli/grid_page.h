// The tables of a grid experiment as text and as JSON.
#ifndef FLAGSTONE_APP_CLI_GRID_PAGE_H_
#define FLAGSTONE_APP_CLI_GRID_PAGE_H_

#include <string>
#include <vector>

#include "app/flow/reproduce/experiment_grid.h"

namespace flagstone {

// A table per machine and table of the grid: workloads down, variants across, the means of each
// set below it, and the published ones where there are some, with why they differ.
std::string GridText(const ExperimentGrid& grid, const std::vector<Json>& runs);
// The same, an object each, with values by variant; null where undefined.
Json GridJson(const ExperimentGrid& grid, const std::vector<Json>& runs);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_CLI_GRID_PAGE_H_
