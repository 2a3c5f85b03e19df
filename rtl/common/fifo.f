+incdir+.
common/fifo.sv
