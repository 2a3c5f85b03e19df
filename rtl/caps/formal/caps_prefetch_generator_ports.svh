  // Ports of caps_prefetch_generator for proofs.
  ,
  /// The waiting jobs, slot after slot for each DIST entry.
  output logic [4*CtaSlots-1:0]       formal_waiting_o,
  /// The state, 0 Idle to 6 Drain.
  output logic [2:0]                  formal_state_o,
  /// The leading warp of the job at hand.
  output logic [$clog2(NumWarps)-1:0] formal_lead_o,
  /// The warp that the job at hand has come to.
  output logic [$clog2(NumWarps)-1:0] formal_warp_o,
  /// The stride of the job at hand.
  output logic [AddrWidth-1:0]        formal_stride_o,
  /// The live warps of the job's CTA.
  output logic [NumWarps-1:0]         formal_live_o,
  /// The job at hand ends early.
  output logic                        formal_dropped_o,
  /// The register S holds a base.
  output logic                        formal_base_valid_o,
  /// The warp of the base in S.
  output logic [$clog2(NumWarps)-1:0] formal_base_warp_o,
  /// The warp of formal_warp_o is one above that of formal_base_warp_o.
  output logic                        formal_step_o,
  /// The distance of S's warp from the leading warp, times the stride; complemented in Down.
  output logic [AddrWidth-1:0]        formal_offset_o,
  /// The number of the job's bases, less one.
  output logic [1:0]                  formal_bases_o,
  /// The warp of the probe.
  output logic [$clog2(NumWarps)-1:0] formal_probe_warp_o
