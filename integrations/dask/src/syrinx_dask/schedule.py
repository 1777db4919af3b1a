"""The decisions of the driver as plain values: sizes of batches, batches under way, what is tried again."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

# A task costs the driver about 3 ms, and the scheduler 2 ms. With batches of 6 ms for each thread of the cluster
# the driver is at most half busy. A worker that dies loses its batches. See simulation/README.md.
BATCH_SECONDS_PER_THREAD = 0.006
SHORTEST_BATCH_SECONDS = 1.0
# The largest batch, in items and in bytes of its result.
BATCH_ITEMS = 256
BATCH_BYTES = 8 << 20
# Batches under way for each thread: one that runs, one that waits on the worker.
BATCHES_PER_THREAD = 2


@dataclass(frozen=True)
class Batch:
    """Rows that are under way together: their columns of the table, and the number of attempts that were lost."""

    rows: tuple[int, ...]
    columns: pa.RecordBatch
    attempts: int = 0

    def split(self) -> list[Batch]:
        """Returns a batch for each row, so that the item that ends workers is alone when it does so again."""
        return [Batch((row,), self.columns.slice(index, 1), self.attempts + 1) for index, row in enumerate(self.rows)]


class BatchSizer:
    """Chooses sizes of batches by the time and the bytes that items have taken."""

    def __init__(self, fixed: int | None = None) -> None:
        """With ``fixed`` all batches have this size."""
        self._fixed = fixed
        self._seconds: float | None = None
        self._bytes = 0.0

    def size(self, threads: int) -> int:
        """Returns the number of items of the next batch on a cluster of this size: 1 until something is known."""
        if self._fixed is not None:
            return self._fixed
        if self._seconds is None:
            return 1
        by_time = max(SHORTEST_BATCH_SECONDS, BATCH_SECONDS_PER_THREAD * threads) / max(self._seconds, 1e-4)
        by_bytes = BATCH_BYTES / max(self._bytes, 1.0)
        return max(1, min(BATCH_ITEMS, int(min(by_time, by_bytes))))

    def learn(self, items: int, seconds: float, size: int) -> None:
        """Takes the costs of a batch into account: of ``items`` items, in seconds and in bytes of the result."""
        if items < 1:
            return
        if self._seconds is None:
            self._seconds, self._bytes = seconds / items, size / items
        else:
            # The mean of about the last ten batches.
            self._seconds += 0.1 * (seconds / items - self._seconds)
            self._bytes += 0.1 * (size / items - self._bytes)


def batches_allowed(threads: int) -> int:
    """Returns how many batches may be under way on a cluster with this number of threads."""
    return max(1, threads) * BATCHES_PER_THREAD
