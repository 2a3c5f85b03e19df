+incdir+.
common/first_index.sv
group/group_warp_scheduler.sv
