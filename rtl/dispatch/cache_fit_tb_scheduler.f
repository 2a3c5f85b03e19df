+incdir+.
dispatch/tb_limiter.sv
common/outstanding_tbs.sv
common/round_robin_arbiter.sv
dispatch/tb_offer_bank.sv
dispatch/tb_scheduler_shell.sv
dispatch/tb_sequence.sv
dispatch/cache_fit_tb_scheduler.sv
