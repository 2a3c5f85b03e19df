+incdir+.
memory/l2_remote_policy.sv
