"""The order of instructions within blocks, before registers are allocated."""

from asmgen.passes.schedule.scheduler import Scheduler, schedule

__all__ = ["Scheduler", "schedule"]
