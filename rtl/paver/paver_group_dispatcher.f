+incdir+.
common/fifo.sv
common/round_robin_arbiter.sv
paver/paver_group_dispatcher.sv
