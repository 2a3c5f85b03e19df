+incdir+.
common/age_order.sv
common/first_index.sv
cta_mapping/programmable_warp_scheduler.sv
