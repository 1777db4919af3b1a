"""Runs the command ``syrinx-dask`` as ``python -m syrinx_dask``."""

import sys

from syrinx_dask.cli import main

sys.exit(main())
