"""Analyzes a table on a Slurm cluster: python slurm.py TABLE OUTPUT.

Needs dask-jobqueue (`pip install dask-jobqueue`), `syrinx` on the PATH of the nodes, and this package in a Python
environment that all nodes see. Each job is a Dask worker with one thread for each of its processors.
"""

import sys

from dask_jobqueue import SLURMCluster
from distributed import Client

import syrinx_dask

JOBS = 2

if __name__ == "__main__":
    with SLURMCluster(
        cores=1,
        processes=1,
        memory="1GB",
        walltime="04:00:00",
        # Ends a worker before Slurm does, so that its items go to others without a loss.
        worker_extra_args=["--lifetime", "235m", "--lifetime-stagger", "4m"],
    ) as cluster:
        # As many as the queue gives, and new ones for those whose time is over.
        cluster.adapt(minimum_jobs=1, maximum_jobs=JOBS)
        with Client(cluster) as client:
            print(syrinx_dask.analyze(sys.argv[1], sys.argv[2], client=client))
