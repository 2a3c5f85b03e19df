# Constraints of l2_remote_policy with NumLanes=32 NodeWidth=4, as its cost is measured.
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
  rst_ni* cfg_valid_i* cfg_node_i* cfg_once_i* cfg_remote_caching_i* req_valid_i* \
  req_from_fabric_i* req_kind_i* req_home_i* }]
set outputs [get_ports { \
  dec_valid_o* dec_class_o* dec_probe_o* dec_keep_o* dec_forward_o* dec_update_o* \
  dec_invalidate_o* dec_fault_o* quiescent_o* }]
set_output_delay $output_ns -clock clk $outputs
set_load $output_load $outputs
