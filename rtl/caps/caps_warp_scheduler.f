+incdir+.
common/age_order.sv
common/first_index.sv
common/round_robin_pick.sv
caps/caps_warp_scheduler.sv
