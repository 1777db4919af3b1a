"""What is decided without a cluster, a program or a disk."""

from __future__ import annotations

import pyarrow as pa
import pytest

from syrinx_dask.columns import Answer, Columns
from syrinx_dask.output import Manifest
from syrinx_dask.schedule import BATCH_ITEMS, Batch, BatchSizer, batches_allowed
from syrinx_dask.secrets import masked, masked_column


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://anna:secret@example.org/a.mp3", "https://anna:***@example.org/a.mp3"),
        ("https://anna:p@ss:word@example.org/", "https://anna:***@example.org/"),
        ("s3://key:secret@bucket/x and http://b:c@d", "s3://key:***@bucket/x and http://b:***@d"),
        ("https://example.org:80/a@b", "https://example.org:80/a@b"),
        ("https://example.org/?time=1:2@x", "https://example.org/?time=1:2@x"),
    ],
)
def test_a_password_is_masked(text: str, expected: str) -> None:
    assert masked(text) == expected
    assert masked_column(pa.array([text, None])).to_pylist() == [expected, None]


def test_passwords_in_lists_and_categories_are_masked() -> None:
    url = "http://a:b@c"
    assert masked_column(pa.array([[url], None])).to_pylist() == [["http://a:***@c"], None]
    assert masked_column(pa.array([{"x": url}])).to_pylist() == [{"x": "http://a:***@c"}]
    assert masked_column(pa.array([url]).dictionary_encode()).to_pylist() == ["http://a:***@c"]
    assert masked_column(pa.array([1])).to_pylist() == [1]


def test_fields_become_columns_of_their_types() -> None:
    fields = {
        "input": "a.wav",
        "info": {"url": "a.wav", "sampleRate": 48000, "tags": {"title": "A"}, "duration": None},
        "meter": {"url": "a.wav", "integrated": -15.5},
        "silences": [[0, 1.5]],
        "clipped": 7,
    }
    row = Columns(["--clipping"]).batch([Answer(3, fields)]).to_pylist()[0]
    assert row["row"] == 3
    assert row["info_sample_rate"] == 48000.0
    assert row["info_tags"] == [("title", "A")]
    assert row["info_duration"] is None
    assert row["meter_integrated"] == -15.5
    assert row["silences"] == [{"start": 0.0, "end": 1.5}]
    assert row["clipped"] == 7
    assert row["numbers"] == []
    assert row["texts"] == []


def test_options_of_the_program_add_columns_of_their_types() -> None:
    fields = {
        "speech": 1,
        "music": 0.25,
        "clipped": 3,
        "silenceAtStart": 0,
        "silenceAtEnd": 1.5,
        "dcOffset": 1e-9,
        "correlation": None,
        "centroid": 900.5,
        "soundHash": "ab12",
        "fingerprint": "AQAA",
    }
    options = ["--speech", "--clipping", "--edges", "--statistics", "--hash", "--fingerprint"]
    row = Columns(options).batch([Answer(0, fields)]).to_pylist()[0]
    assert (row["speech"], row["clipped"], row["silence_at_end"], row["dc_offset"]) == (1.0, 3, 1.5, 1e-9)
    assert (row["correlation"], row["sound_hash"], row["fingerprint"]) == (None, "ab12", "AQAA")
    assert row["numbers"] == row["texts"] == []


def test_fields_without_a_column_are_kept_by_name() -> None:
    fields = {"tempo": 120, "info": {"mood": "https://a:b@c", "channels": "two"}, "list": [1, 2], "silences": [3]}
    row = Columns().batch([Answer(0, fields)]).to_pylist()[0]
    assert row["numbers"] == [("tempo", 120.0)]
    assert row["texts"] == [
        ("info.mood", "https://a:***@c"),
        ("info.channels", "two"),
        ("list", "[1, 2]"),
        ("silences", "[3]"),
    ]


def test_a_prefix_is_part_of_each_name() -> None:
    columns = Columns(prefix="syrinx_")
    assert all(name.startswith("syrinx_") for name in columns.schema.names)
    assert columns.batch([Answer(1, {"tempo": 1})]).to_pylist()[0]["syrinx_row"] == 1


def test_batches_take_about_a_second() -> None:
    sizer = BatchSizer()
    assert sizer.size(4) == 1
    sizer.learn(1, 0.1, 1000)
    assert sizer.size(4) == 10
    for _ in range(100):
        sizer.learn(20, 0.0, 20_000)
    assert sizer.size(4) == BATCH_ITEMS
    for _ in range(100):
        sizer.learn(1, 60.0, 1000)
    assert sizer.size(4) == 1


def test_batches_take_longer_on_large_clusters() -> None:
    sizer = BatchSizer()
    sizer.learn(1, 0.1, 1000)
    assert sizer.size(1000) == 60
    assert BatchSizer(fixed=5).size(1000) == 5


def test_batches_with_large_results_are_small() -> None:
    sizer = BatchSizer()
    sizer.learn(1, 0.01, 4 << 20)
    assert sizer.size(4) == 2


def test_a_batch_is_split_into_its_rows() -> None:
    batch = Batch((4, 9), pa.record_batch({"url": ["a", "b"]}))
    parts = batch.split()
    assert [(part.rows, part.columns.to_pylist(), part.attempts) for part in parts] == [
        ((4,), [{"url": "a"}], 1),
        ((9,), [{"url": "b"}], 1),
    ]


def test_a_cluster_without_workers_gets_a_batch_in_advance() -> None:
    assert batches_allowed(0) == 2
    assert batches_allowed(8) == 16


def test_a_manifest_names_what_differs() -> None:
    one = Manifest({"rows": 1}, {"analyze": ["--strict"]}, ["1"])
    assert one.differences(Manifest({"rows": 1}, {"analyze": ["--strict"]}, ["2"])) == []
    other = Manifest({"rows": 2}, {"analyze": []})
    assert one.differences(other) == ["table's rows is 1, and was 2", 'option analyze is ["--strict"], and was []']
