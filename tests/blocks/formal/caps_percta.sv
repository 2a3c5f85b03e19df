// CAPS's PerCTA table, 2 slots: a slot's entries are invalid from the cycle after its CTA's end until
// they are written again; what is found is a valid entry, a miss takes an invalid one while there is
// one; each slot's valid entries are in an order of writing in which the one written last is the
// newest.
module caps_percta (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       clear_i,
  input logic [1:0] clear_slot_i,
  input logic       look_slot_i,
  input logic [2:0] look_pc_i,
  input logic       write_i,
  input logic [1:0] write_lead_i,
  input logic       invalidate_i,
  input logic       invalidate_slot_i,
  input logic [1:0] invalidate_entry_i
);

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (started_q || !rst_ni);

  logic        slot, hit;
  logic [2:0]  pc;
  logic [1:0]  entry, lead, bases;
  logic [1:0]  word;
  logic [7:0]  valid;
  logic [31:0] older;
  logic [11:0] order;
  logic [3:0]  found;

  caps_percta_table #(
    .CtaSlots(2),
    .PcWidth(3),
    .WarpWidth(2),
    .AddrWidth(2)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .clear_i,
    .clear_slot_i,
    .look_slot_i,
    .look_pc_i,
    .look_pc_o(),
    .slot_o(slot),
    .slot_ends_o(),
    .pc_o(pc),
    .hit_o(hit),
    .entry_o(entry),
    .lead_o(lead),
    .bases_o(bases),
    .write_i,
    .write_lead_i,
    .write_bases_i(2'd0),
    .invalidate_i,
    .invalidate_slot_i,
    .invalidate_entry_i,
    .word_write_i(1'b0),
    .word_write_index_i(5'd0),
    .word_write_data_i(2'd0),
    .word_read_index_i(5'd0),
    .word_written_i(2'd0),
    .word_read_data_o(word),
    .formal_valid_o(valid),
    .formal_order_o(order),
    .formal_hit_o(found)
  );

  // What the cycle before did to each entry.
  logic [1:0] ended_q;
  logic [7:0] written, written_q, fell, fell_q, valid_q;
  logic       clear_q;
  for (genvar i = 0; i < 8; i++) begin : gen_entry
    assign written[i] = write_i && {slot, entry} == 3'(i);
    assign fell[i]    = invalidate_i && {invalidate_slot_i, invalidate_entry_i} == 3'(i);
  end
  always_ff @(posedge clk_i) begin
    ended_q   <= clear_slot_i;
    clear_q   <= clear_i | ~rst_ni;
    written_q <= written;
    fell_q    <= fell;
    valid_q   <= valid;
  end

  always_comb begin
    if (rst_ni && started_q) begin
      // The claim: an ended CTA's entries, and all at a kernel's end.
      assert (!(ended_q[0] || clear_q) || valid[3:0] == 4'd0);
      assert (!(ended_q[1] || clear_q) || valid[7:4] == 4'd0);
      // Else entries come by a write and go by a fall, no other way.
      assert (ended_q[0] || clear_q
              || valid[3:0] == ((valid_q[3:0] & ~fell_q[3:0]) | written_q[3:0]));
      assert (ended_q[1] || clear_q
              || valid[7:4] == ((valid_q[7:4] & ~fell_q[7:4]) | written_q[7:4]));
      // What is found is a valid entry; a miss takes an invalid one while there is one.
      assert (!hit || (slot ? valid[3'd4 + 3'(entry)] : valid[3'(entry)]));
      assert (hit || !(slot ? valid[3'd4 + 3'(entry)] : valid[3'(entry)])
              || (slot ? &valid[7:4] : &valid[3:0]));
    end
  end
  // Not proven here but tested (tests/blocks/contract/caps_random_test): a PC stands in one entry only.
  always_comb assume ((found & (found - 4'd1)) == 4'd0);

  for (genvar s = 0; s < 2; s++) begin : gen_slot
    for (genvar e = 0; e < 4; e++) begin : gen_entry
      for (genvar f = 0; f < 4; f++) begin : gen_pair
        assign older[s*16+e*4+f] = (e < f) ? order[s*6+e*(7-e)/2+f-e-1]
                                   : (e > f) ? ~order[s*6+f*(7-f)/2+e-f-1] : 1'b1;
        always_comb begin
          if (rst_ni && started_q && e != f) begin
            assert (!(valid[s*4+e] && valid[s*4+f] && older[s*16+e*4+f])
                    || (older[s*16+f*4 +: 4] & ~older[s*16+e*4 +: 4] & valid[s*4 +: 4]) == 4'd0);
            assert (clear_q || !written_q[s*4+f] || older[s*16+e*4+f]);
          end
        end
      end
    end
  end

endmodule
