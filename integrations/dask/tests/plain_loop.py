"""What the package has to be equal to: one ``syrinx analyze`` over all inputs."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from typing import Any

import pyarrow.parquet as pq

from syrinx_dask.columns import Answer, Columns

# Columns that depend on the run, not on the input.
_OF_THE_RUN = ("row", "attempts", "warnings", "status", "url")
# What the program reports of a server that always fails depends on the time that its last attempt takes.
_DOWN = ("http.500", "network.timeout")


def rows(program: str, inputs: Sequence[str], options: Sequence[str] = (), jobs: int = 2) -> dict[str, dict[str, Any]]:
    """Returns a row for each input, by the input."""
    result = subprocess.run(
        [program, "analyze", "--jobs", str(jobs), *options, "-"],
        input="\n".join(inputs),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    answers = {}
    for line in result.stdout.splitlines():
        fields = json.loads(line)
        if "event" in fields:
            continue
        error = fields.get("error")
        answer = Answer(0, code=error["code"], message=error["message"]) if error else Answer(0, fields)
        answers[fields["input"]] = comparable(Columns(options).batch([answer]).to_pylist()[0])
    return answers


def comparable(row: dict[str, Any]) -> dict[str, Any]:
    """Returns a row without what depends on the run."""
    fixed = {name: value for name, value in row.items() if name not in _OF_THE_RUN}
    if fixed["error_code"] in _DOWN:
        fixed |= {"error_code": _DOWN, "error_message": None}
    return fixed


def read(output: str, row: str = "row") -> list[dict[str, Any]]:
    """Returns the rows of a result in the order of the table."""
    return sorted(pq.read_table(output).to_pylist(), key=lambda each: each[row])
