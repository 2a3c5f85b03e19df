+incdir+.
common/age_order.sv
caps/caps_order_duel.sv
common/first_index.sv
common/round_robin_pick.sv
caps/caps_warp_scheduler.sv
