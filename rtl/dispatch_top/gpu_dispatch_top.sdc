# Constraints of gpu_dispatch_top with Scheduler=0 NumSm=28 Resources=0, as its cost is measured.
# Whoever reads this file may set the four values before.
# Written by rtl/make_integration.
if {![info exists period_ns]} { set period_ns 1.0000 }
# Delay of the register before an input, setup time of the one behind an output.
if {![info exists input_ns]} { set input_ns 0.0614 }
if {![info exists output_ns]} { set output_ns 0.0375 }
# What an output drives, in the library's unit of capacitance (fF in the built-in one).
if {![info exists output_load]} { set output_load 3.4 }

create_clock -name clk -period $period_ns [get_ports clk_i]
set_input_delay $input_ns -clock clk [get_ports { \
  rst_ni* s_axil_awvalid_i* s_axil_awaddr_i* s_axil_wvalid_i* s_axil_wdata_i* s_axil_wstrb_i* \
  s_axil_bready_i* s_axil_arvalid_i* s_axil_araddr_i* s_axil_rready_i* m_axi_arready_i* \
  m_axi_rvalid_i* m_axi_rid_i* m_axi_rdata_i* m_axi_rresp_i* m_axi_rlast_i* tb_ready_i* \
  done_valid_i* done_context_i* done_tag_i* }]
set outputs [get_ports { \
  s_axil_awready_o* s_axil_wready_o* s_axil_bvalid_o* s_axil_bresp_o* s_axil_arready_o* \
  s_axil_rvalid_o* s_axil_rdata_o* s_axil_rresp_o* irq_o* m_axi_arvalid_o* m_axi_araddr_o* \
  m_axi_arlen_o* m_axi_arid_o* m_axi_rready_o* launch_entry_o* launch_parameters_o* tb_valid_o* \
  tb_id_o* tb_x_o* tb_y_o* tb_z_o* tb_context_o* tb_tag_o* quiescent_o* }]
set_output_delay $output_ns -clock clk $outputs
set_load $output_load $outputs
