"""Folders on any file system of fsspec, in which files appear as a whole."""

from __future__ import annotations

import os
import uuid
from typing import Any

import fsspec
from fsspec.implementations.local import LocalFileSystem

from syrinx_dask.errors import UsageError
from syrinx_dask.secrets import masked

# A put of these appears as a whole or not at all, and they have no renaming.
_OBJECT_STORES = frozenset({"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oss", "memory"})


class Folder:
    """A folder, named by a path or a URL of fsspec (``s3://bucket/folder``, for example).

    Credentials come from the environment or from fsspec's configuration of each machine, and never travel.
    """

    def __init__(self, url: str) -> None:
        """Opens the file system; the folder need not exist.

        Raises ``UsageError`` if there is no such file system, or its package is not installed.
        """
        self.url = url.rstrip("/") or "/"
        self._fs: Any
        try:
            self._fs, self._path = fsspec.core.url_to_fs(self.url)
        except (ImportError, ValueError) as error:
            raise UsageError(masked(f"{url}: {error}")) from None

    @property
    def local_path(self) -> str | None:
        """The path on this machine; ``None`` on any other file system."""
        return self._path if isinstance(self._fs, LocalFileSystem) else None

    def make(self) -> None:
        """Creates the folder if it does not exist."""
        self._fs.makedirs(self._path, exist_ok=True)

    def files(self) -> list[str]:
        """Returns the names of all files in the folder and below, relative to the folder."""
        self._fs.invalidate_cache()
        if not self._fs.exists(self._path):
            return []
        start = len(self._path.rstrip("/")) + 1
        return sorted(path[start:] for path in self._fs.find(self._path))

    def open(self, name: str) -> Any:
        """Opens a file for reading bytes."""
        return self._fs.open(f"{self._path}/{name}", "rb")

    def read(self, name: str) -> bytes:
        """Returns the bytes of a file."""
        return bytes(self._fs.cat_file(f"{self._path}/{name}"))

    def remove(self, name: str) -> None:
        """Removes a file."""
        self._fs.rm_file(f"{self._path}/{name}")

    def put(self, name: str, data: bytes | memoryview) -> str:
        """Writes a file, which appears as a whole or not at all, and returns its URL."""
        path = f"{self._path}/{name}"
        folder, _, base = path.rpartition("/")
        unfinished = f"{folder}/{unfinished_name(base)}"
        if isinstance(self._fs, LocalFileSystem):
            os.makedirs(folder, exist_ok=True)
            try:
                with open(unfinished, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(unfinished, path)
            except BaseException:
                if os.path.exists(unfinished):
                    os.remove(unfinished)
                raise
        elif _OBJECT_STORES.isdisjoint(_protocols(self._fs)):
            self._fs.makedirs(folder, exist_ok=True)
            self._fs.pipe_file(unfinished, bytes(data))
            self._fs.mv(unfinished, path)
        else:
            self._fs.pipe_file(path, bytes(data))
        return f"{self.url}/{name}"


def unfinished_name(name: str) -> str:
    """Returns a hidden name, which readers of Parquet pass over, for a file that is being written."""
    return f".{name}.{uuid.uuid4().hex}.unfinished"


def is_unfinished(name: str) -> bool:
    """Whether a file was being written when its process ended."""
    return name.endswith(".unfinished")


def _protocols(fs: Any) -> set[str]:
    protocol = fs.protocol
    return {protocol} if isinstance(protocol, str) else set(protocol)
