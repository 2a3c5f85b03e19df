+incdir+.
common/round_robin_pick.sv
