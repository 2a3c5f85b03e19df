// The figures of two results, side by side: which moved most, and what the change of cycles is made
// of.
#ifndef FLAGSTONE_APP_REPORT_DIFF_FIGURES_H_
#define FLAGSTONE_APP_REPORT_DIFF_FIGURES_H_

#include <map>
#include <string>

#include "app/report/results.h"

namespace flagstone {

// By their path.
using Figures = std::map<std::string, ResultJson>;

// All numbers; arrays (histograms, groups) are left out.
Figures FiguresOf(const ResultJson& json);

// b in relation to a, less one; null where that says nothing.
ResultJson Relative(const ResultJson& a, const ResultJson& b);

// Those that are not the same, the one that moved most first.
ResultJson Differences(const Figures& a, const Figures& b);

// Cycles are what schedulers did in them, summed: the change of each kind is its part of the change
// of all. Empty where nothing was timed. The largest part first.
ResultJson Explanation(const Figures& a, const Figures& b);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_REPORT_DIFF_FIGURES_H_
