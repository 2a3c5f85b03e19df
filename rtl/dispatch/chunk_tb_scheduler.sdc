# Constraints of chunk_tb_scheduler with NumSm=15 IdWidth=16 IssuePorts=1, as its cost is measured.
# Whoever reads this file may set the four values before.
# Written by rtl/make_integration.
if {![info exists period_ns]} { set period_ns 1.4286 }
# Delay of the register before an input, setup time of the one behind an output.
if {![info exists input_ns]} { set input_ns 0.0614 }
if {![info exists output_ns]} { set output_ns 0.0375 }
# What an output drives, in the library's unit of capacitance (fF in the built-in one).
if {![info exists output_load]} { set output_load 3.4 }

create_clock -name clk -period $period_ns [get_ports clk_i]
set_input_delay $input_ns -clock clk [get_ports { \
  rst_ni* start_i* share_tbs_i* extra_sms_i* abort_i* tb_ready_i* tb_done_i* }]
set outputs [get_ports { \
  tb_valid_o* tb_id_o* busy_o* quiescent_o* wants_context_o* }]
set_output_delay $output_ns -clock clk $outputs
set_load $output_load $outputs
