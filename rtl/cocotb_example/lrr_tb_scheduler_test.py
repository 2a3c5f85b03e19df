"""A kernel of 40 TBs through lrr_tb_scheduler, driven from Python: see run beside this file."""
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

CONTEXTS = 4  # TBs that an SM holds at once


@cocotb.test()
async def each_tb_is_issued_once_in_the_order_of_ids(dut):
    num_sm, id_width = len(dut.tb_ready_i), len(dut.tb_id_o) // len(dut.tb_ready_i)
    count, rng = 40, random.Random(1)
    cocotb.start_soon(Clock(dut.clk_i, 2, units="step").start())
    dut.rst_ni.value = 0
    dut.start_i.value = 0
    dut.abort_i.value = 0
    dut.tb_ready_i.value = 0
    dut.tb_done_i.value = 0
    dut.tb_count_i.value = count
    await FallingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    dut.start_i.value = 1
    await FallingEdge(dut.clk_i)
    dut.start_i.value = 0
    assert dut.busy_o.value == 1

    running, issued = [0] * num_sm, []
    for _ in range(2000):
        # Outputs are functions of registers: they hold from one rising edge to the next.
        valid, ids = int(dut.tb_valid_o.value), dut.tb_id_o.value
        ready = sum(1 << sm for sm in range(num_sm)
                    if running[sm] < CONTEXTS and rng.random() < 0.7)
        done = sum(1 << sm for sm in range(num_sm) if running[sm] and rng.random() < 0.2)
        dut.tb_ready_i.value = ready
        dut.tb_done_i.value = done
        for sm in range(num_sm):
            if valid & ready & (1 << sm):
                # Bits without an offer may be unknown: take those of this SM alone.
                high = len(ids.binstr) - sm * id_width
                issued.append(int(ids.binstr[high - id_width:high], 2))
                running[sm] += 1
            running[sm] -= (done >> sm) & 1
        await FallingEdge(dut.clk_i)
        if not dut.busy_o.value:
            break
    assert not dut.busy_o.value, "the kernel did not end"
    assert sorted(issued) == list(range(count))
    assert running == [0] * num_sm
