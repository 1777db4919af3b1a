"""Measures whole catalogues of recordings with ``syrinx analyze`` on a Dask cluster."""

from syrinx_dask.api import analyze
from syrinx_dask.errors import (
    OutputRefused,
    ProgramUnusable,
    SchedulerLost,
    SyrinxDaskError,
    TableUnreadable,
    UsageError,
)
from syrinx_dask.progress import Summary

__all__ = [
    "OutputRefused",
    "ProgramUnusable",
    "SchedulerLost",
    "Summary",
    "SyrinxDaskError",
    "TableUnreadable",
    "UsageError",
    "analyze",
]
