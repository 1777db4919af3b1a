"""Analyzes a table on a Kubernetes cluster: python kubernetes.py TABLE OUTPUT. This file was not tried.

Needs Dask's operator in the cluster and dask-kubernetes here (`pip install dask-kubernetes`), and an image with
Python, this package and `syrinx`. TABLE and OUTPUT are read and written by this process; inputs are URLs, because
the pods do not see the files of this machine.
"""

import sys

from dask_kubernetes.operator import KubeCluster
from distributed import Client

import syrinx_dask

IMAGE = "registry.example.org/syrinx-dask:0.1.0"

if __name__ == "__main__":
    with KubeCluster(
        name="syrinx",
        image=IMAGE,
        resources={"requests": {"cpu": "2", "memory": "1Gi"}, "limits": {"cpu": "2", "memory": "2Gi"}},
        worker_command=["dask", "worker", "--nthreads", "2"],
    ) as cluster:
        cluster.adapt(minimum=1, maximum=100)
        with Client(cluster) as client:
            print(syrinx_dask.analyze(sys.argv[1], sys.argv[2], client=client))
