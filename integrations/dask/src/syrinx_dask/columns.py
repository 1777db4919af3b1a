"""The columns of the result, and how the answers of ``syrinx analyze`` become rows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from syrinx_dask.secrets import masked

_TEXTS = pa.map_(pa.string(), pa.string())
_NUMBERS = pa.map_(pa.string(), pa.float64())
_CHAPTER = pa.struct([("start", pa.float64()), ("end", pa.float64()), ("title", pa.string())])
_ARTWORK = pa.struct([("mimeType", pa.string()), ("width", pa.int64()), ("height", pa.int64()), ("bytes", pa.int64())])
_SILENCE = pa.struct([("start", pa.float64()), ("end", pa.float64())])
_SPANS = pa.list_(pa.list_(pa.float64(), 2))
_WARNING = pa.struct([("code", pa.string()), ("message", pa.string())])

# The fields of each answer, by the object that holds them.
_INFO = {
    "container": pa.string(),
    "codec": pa.string(),
    "profile": pa.string(),
    "sampleRate": pa.float64(),
    "channels": pa.int64(),
    "channelLayout": pa.string(),
    "bitRate": pa.int64(),
    "duration": pa.float64(),
    "frames": pa.int64(),
    "seekable": pa.bool_(),
    "size": pa.int64(),
    "tags": _TEXTS,
    "chapters": pa.list_(_CHAPTER),
    "artwork": _ARTWORK,
}
_METER = dict.fromkeys(
    (
        "integrated",
        "momentaryMax",
        "shortTermMax",
        "range",
        "truePeak",
        "samplePeak",
        "rms",
        "replayGain",
        "replayPeak",
    ),
    pa.float64(),
)
# The fields that options of `syrinx analyze` add to an answer.
_OPTIONS: dict[str, dict[str, pa.DataType]] = {
    "--speech": {"speech": pa.float64(), "music": pa.float64()},
    "--clipping": {"clipped": pa.int64()},
    "--edges": {"silenceAtStart": pa.float64(), "silenceAtEnd": pa.float64()},
    "--statistics": {"dcOffset": pa.float64(), "correlation": pa.float64(), "centroid": pa.float64()},
    "--hash": {"soundHash": pa.string()},
    "--fingerprint": {"fingerprint": pa.string()},
}
# Fields of an answer that repeat the input, which is a column of the table.
_REPEATED = frozenset({"input", "info.url", "meter.url", "waveform"})


@dataclass
class Answer:
    """The outcome for one row: the fields of an answer, or an error."""

    row: int
    fields: Mapping[str, Any] | None = None
    code: str | None = None
    message: str | None = None
    warnings: list[dict[str, Any]] = field(default_factory=list)
    attempts: int = 1
    waveform: str | None = None
    waveform_data: bytes | None = None

    @property
    def failed(self) -> bool:
        """Whether the row has an error."""
        return self.code is not None


class Columns:
    """The columns that a run adds to those of the table.

    Their names are those of the answer in snake case, after the name of the object that holds them:
    ``info_sample_rate``. Fields that have no column of their own are kept in ``numbers`` and ``texts``, by name.
    """

    def __init__(self, options: Sequence[str] = (), prefix: str = "") -> None:
        """Derives the columns from the options that go to ``syrinx analyze``."""
        self._prefix = prefix
        paths: dict[str, pa.DataType] = {f"info.{name}": kind for name, kind in _INFO.items()}
        paths |= {f"meter.{name}": kind for name, kind in _METER.items()}
        for option, fields in _OPTIONS.items():
            if option in options:
                paths |= fields
        self._paths = paths
        kinds = [("row", pa.int64())]
        kinds += [(_snake(path), kind) for path, kind in paths.items()]
        kinds += [
            ("silences", pa.list_(_SILENCE)),
            ("numbers", _NUMBERS),
            ("texts", _TEXTS),
            ("waveform", pa.string()),
            ("waveform_data", pa.binary()),
            ("warnings", pa.list_(_WARNING)),
            ("error_code", pa.string()),
            ("error_message", pa.string()),
            ("attempts", pa.int64()),
        ]
        self.schema = pa.schema([(prefix + name, kind) for name, kind in kinds])

    def name(self, plain: str) -> str:
        """Returns the full name of a column."""
        return self._prefix + plain

    def batch(self, answers: Iterable[Answer]) -> pa.RecordBatch:
        """Returns the rows of these answers."""
        rows = [self._row(answer) for answer in answers]
        columns = []
        for column in self.schema:
            plain = column.name[len(self._prefix) :]
            columns.append(pa.array([row.get(plain) for row in rows], column.type))
        return pa.record_batch(columns, schema=self.schema)

    def _row(self, answer: Answer) -> dict[str, Any]:
        row: dict[str, Any] = {
            "row": answer.row,
            "waveform": None if answer.waveform is None else masked(answer.waveform),
            "waveform_data": answer.waveform_data,
            "warnings": [
                {"code": _text(warning.get("code")), "message": masked(_text(warning.get("message")))}
                for warning in answer.warnings
            ],
            "error_code": answer.code,
            "error_message": None if answer.message is None else masked(answer.message),
            "attempts": answer.attempts,
        }
        if answer.fields is None:
            return row
        numbers: list[tuple[str, float]] = []
        texts: list[tuple[str, str]] = []
        for path, value in _leaves(answer.fields):
            kind = self._paths.get(path)
            if path == "silences" and _fits(value, _SPANS):
                row[path] = [{"start": start, "end": end} for start, end in value]
            elif kind is not None and _fits(value, kind):
                row[_snake(path)] = _pairs(value) if pa.types.is_map(kind) else value
            elif path in _REPEATED or value is None:
                continue
            elif isinstance(value, (int, float)) and not isinstance(value, bool):
                numbers.append((path, float(value)))
            else:
                texts.append((path, masked(value) if isinstance(value, str) else json.dumps(value)))
        row["numbers"] = numbers
        row["texts"] = texts
        return row


def _leaves(fields: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    """Yields the fields of an answer, and those of the objects in it as ``object.field``."""
    for name, value in fields.items():
        if isinstance(value, dict) and name != "error":
            yield from ((f"{name}.{inner}", content) for inner, content in value.items())
        else:
            yield name, value


def _fits(value: Any, kind: pa.DataType) -> bool:
    try:
        pa.scalar(_pairs(value) if pa.types.is_map(kind) else value, kind)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return False
    return True


def _pairs(value: Any) -> Any:
    return list(value.items()) if isinstance(value, dict) else value


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _snake(path: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", path).replace(".", "_").lower()
