# Constraints of caps_prefetcher with CtaSlots=8 NumWarps=48 Style=0, as its cost is measured.
# Whoever reads this file may set the four values before.
# Written by rtl/make_integration.
if {![info exists period_ns]} { set period_ns 0.7143 }
# Delay of the register before an input, setup time of the one behind an output.
if {![info exists input_ns]} { set input_ns 0.0614 }
if {![info exists output_ns]} { set output_ns 0.0375 }
# What an output drives, in the library's unit of capacitance (fF in the built-in one).
if {![info exists output_load]} { set output_load 3.4 }

create_clock -name clk -period $period_ns [get_ports clk_i]
set_input_delay $input_ns -clock clk [get_ports { \
  rst_ni* kernel_end_i* cta_end_i* live_warps_i* load_valid_i* load_pc_i* load_slot_i* \
  load_warp_i* load_indirect_i* load_count_i* load_addr_i* probe_done_i* probe_present_i* \
  prefetch_ready_i* }]
set outputs [get_ports { \
  probe_valid_o* probe_addr_o* prefetch_valid_o* prefetch_addr_o* prefetch_warp_o* \
  prefetch_slot_o* prefetch_pc_o* throttled_o* quiescent_o* }]
set_output_delay $output_ns -clock clk $outputs
set_load $output_load $outputs
