+incdir+.
common/age_order.sv
caps/caps_greedy_policy.sv
caps/caps_order_duel.sv
common/first_index.sv
caps/caps_turns_policy.sv
caps/caps_two_level_policy.sv
caps/caps_warp_scheduler.sv
