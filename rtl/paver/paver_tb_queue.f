+incdir+.
paver/paver_tb_queue.sv
