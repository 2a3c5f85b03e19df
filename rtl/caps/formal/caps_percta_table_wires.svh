  // What caps_percta_table shows to proofs.
  for (genvar s = 0; s < CtaSlots; s++) begin : gen_order
    assign formal_order_o[s*6 +: 6] = order_q[s];
  end
  assign formal_valid_o = valid_q;
  assign formal_hit_o   = hit;
