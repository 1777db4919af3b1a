"""The errors that end a run. What fails for one row is a row of the result, never an error."""

from __future__ import annotations


class SyrinxDaskError(Exception):
    """An error that ends a run, with a sentence that a person can act on.

    Rows that were answered before are in the output.
    """

    exit_code = 1


class UsageError(SyrinxDaskError):
    """An argument is wrong."""

    exit_code = 64


class TableUnreadable(SyrinxDaskError):
    """The table cannot be read, or lacks the column of inputs."""

    exit_code = 65


class OutputRefused(SyrinxDaskError):
    """The output holds something else: results of another table or of other options, for example."""

    exit_code = 64


class ProgramUnusable(SyrinxDaskError):
    """A worker cannot run the program ``syrinx``, or the program refuses its options."""

    exit_code = 69


class SchedulerLost(SyrinxDaskError):
    """The connection to Dask's scheduler was lost."""

    exit_code = 69
