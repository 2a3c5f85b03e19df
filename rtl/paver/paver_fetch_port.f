+incdir+.
common/fifo.sv
common/round_robin_arbiter.sv
paver/paver_fetch_port.sv
