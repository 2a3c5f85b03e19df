+incdir+.
common/carry_select_adder.sv
dispatch/numa_tb_root.sv
