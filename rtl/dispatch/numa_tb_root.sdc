# Constraints of numa_tb_root with Gpus=4 Chiplets=4 IdWidth=16, as its cost is measured.
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
  rst_ni* start_i* gpu_step_i* chiplet_step_i* run_tbs_i* step_i* line_tbs_i* line_jump_i* \
  run_jump_i* gpu_rank_i* chiplet_rank_i* last_gpu_i* full_tbs_i* full_extra_i* full_short_i* \
  full_lack_i* last_tbs_i* last_extra_i* last_short_i* last_lack_i* node_busy_i* }]
set outputs [get_ports { \
  node_start_o* node_tb_count_o* node_first_o* node_run_tbs_o* node_step_o* node_line_tbs_o* \
  node_line_jump_o* node_run_jump_o* busy_o* quiescent_o* }]
set_output_delay $output_ns -clock clk $outputs
set_load $output_load $outputs
