    // What a TB slot of programmable_warp_scheduler shows to proofs.
    assign formal_warps_o[t*NumWarps +: NumWarps] = warps_q;
