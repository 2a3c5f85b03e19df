+incdir+.
dispatch/numa_order.sv
common/outstanding_tbs.sv
common/round_robin_arbiter.sv
dispatch/tb_offer_bank.sv
dispatch/tb_scheduler_shell.sv
dispatch/numa_tb_scheduler.sv
