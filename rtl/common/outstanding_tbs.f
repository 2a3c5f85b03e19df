+incdir+.
common/outstanding_tbs.sv
