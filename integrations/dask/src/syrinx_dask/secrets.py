"""Passwords in URLs, which are never written, shown or logged."""

from __future__ import annotations

import re
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

# The user, and everything up to the last "@" of the authority. The syntax is that of both Python's `re` and RE2.
_PASSWORD = r"([A-Za-z][A-Za-z0-9+.-]*://[^\s/?#:@]*):[^\s/?#]*@"
_MASK = r"\1:***@"
_PATTERN = re.compile(_PASSWORD)


def masked(text: str) -> str:
    """Returns ``text`` with ``***`` in place of each password in a URL."""
    return _PATTERN.sub(_MASK, text)


def masked_column(column: pa.Array) -> pa.Array:
    """Returns a column with ``***`` in place of each password in a URL, also in lists and structures of texts."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return masked_column(column.dictionary_decode())
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return pc.replace_substring_regex(column, pattern=_PASSWORD, replacement=_MASK)
    if pa.types.is_nested(kind) or pa.types.is_string_view(kind):
        return pa.array([_masked_value(value) for value in column.to_pylist()], kind)
    return column


def _masked_value(value: Any) -> Any:
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, (list, tuple)):
        return type(value)(_masked_value(each) for each in value)
    if isinstance(value, dict):
        return {name: _masked_value(each) for name, each in value.items()}
    return value
