  // What caps_prefetch_generator shows to proofs.
  assign formal_state_o      = state_q;
  assign formal_lead_o       = lead_q;
  assign formal_warp_o       = warp_q;
  assign formal_stride_o     = stride_q;
  assign formal_live_o       = live_q;
  assign formal_dropped_o    = state_q != Idle && dropped;
  assign formal_base_valid_o = base_valid_q;
  assign formal_base_warp_o  = base_warp_q;
  assign formal_step_o       = step_q;
  assign formal_offset_o     = offset_q;
  assign formal_bases_o      = bases_q;
  assign formal_probe_warp_o = probe_warp_q;
