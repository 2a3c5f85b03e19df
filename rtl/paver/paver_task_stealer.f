+incdir+.
paver/paver_task_stealer.sv
