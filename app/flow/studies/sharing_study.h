// What the TBs of kernels share, beside what PAVER gives of its benchmarks (TACO 2021, Table 2 and
// Fig. 2).
#ifndef FLAGSTONE_APP_FLOW_STUDIES_SHARING_STUDY_H_
#define FLAGSTONE_APP_FLOW_STUDIES_SHARING_STUDY_H_

#include <string>

#include "app/results/run_json.h"
#include "kernels/launch/workload.h"

namespace flagstone {

class TomlReader;

// What the paper gives of a kernel, null where it says nothing: {tbs, references, sp_score,
// shared_tbs, degree_of_sharing, inter_tb ("high", "low" or "none")}. Throws kBadInput.
Json ReadTheirSharing(const TomlReader& reader);

// A row per kernel, of that of its launches which reads the most data, on the data that it finds:
// {workload, kernel, tbs, references, sp_score, shared_tbs, degree_of_sharing (null: nothing is
// shared), data, reads, inter_tb}. `data` and `reads` are {unshared, intra_tb, inter_tb, both}, of
// 1: of the distinct data, and of the reads of a datum by a TB.
Json SharingRows(const std::string& name, const Workload& workload);

// Whether ours are theirs: numbers of TBs and data exactly, SpScore to six places, and the class.
// Their degree of sharing is only shown: it is 17 over a number of TBs in most rows, whatever the
// kernel shares.
bool SharingAgrees(const Json& row);

// {kernels, agree, mean_shared}: the last is the mean share of reads of what several TBs read; null
// without rows.
Json SummarizeSharing(const Json& rows);

}  // namespace flagstone

#endif  // FLAGSTONE_APP_FLOW_STUDIES_SHARING_STUDY_H_
