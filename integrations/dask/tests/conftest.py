from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client, LocalCluster
from faulty_server import FaultyServer
from recordings import tone

_BUILT = Path(__file__).parents[3] / ".build/release/syrinx"


@pytest.fixture(scope="session")
def program() -> str:
    """The program under test: ``SYRINX``, or the one that this repository has built, or that of ``PATH``."""
    found = os.environ.get("SYRINX") or (str(_BUILT) if _BUILT.exists() else shutil.which("syrinx"))
    assert found, "no syrinx: build it with scripts/build --product syrinx, or name it with SYRINX"
    return found


@pytest.fixture(scope="session")
def deadly(program: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A program that ends at certain inputs. See ``deadly_program``."""
    path = tmp_path_factory.mktemp("deadly") / "syrinx"
    source = (Path(__file__).parent / "deadly_program.py").read_text().split("\n", 1)[1]
    path.write_text(f"#!{sys.executable}\nimport os\nos.environ['SYRINX_REAL'] = {program!r}\n{source}")
    path.chmod(0o755)
    return str(path)


@pytest.fixture(scope="session")
def server() -> Iterator[FaultyServer]:
    server = FaultyServer()
    yield server
    server.shutdown()


@pytest.fixture(scope="session")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=":0", host="127.0.0.1") as cluster:
        yield cluster


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster) as client:
        yield client


@pytest.fixture
def recording(tmp_path: Path) -> str:
    path = tmp_path / "tone.wav"
    path.write_bytes(tone())
    return str(path)
