"""Rows as a frame of pandas or polars, with times in UTC."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .request import Table

if TYPE_CHECKING:
    import pandas
    import polars

_ABSENT = object()


def _value(row: Any, path: list[str]) -> Any:
    for name in path:
        row = row.get(name, _ABSENT) if isinstance(row, dict) else _ABSENT
    return None if row is _ABSENT else row


def _columns(table: Table, rows: list[dict[str, Any]]) -> list[tuple[str, bool]]:
    """The columns with whether they are times: those that the description knows, then all others in the rows."""
    known = ([table.key] if table.key else []) + table.columns.split()
    if table.cells:
        known = ["@timestamp"] if rows and "timestamp" in rows[0] else []
    columns = [(name.removeprefix("@"), name.startswith("@")) for name in known]
    heads = {name.split(".")[0] for name, _ in columns}
    others = dict.fromkeys(name for row in rows for name in row if name not in heads)
    return columns + [(name, False) for name in others]


def _cells(table: Table, rows: list[dict[str, Any]]) -> list[tuple[str, bool, list[Any]]]:
    return [
        (name, is_time, [_value(row, name.split(".")) for row in rows])
        for name, is_time in _columns(table, rows)
    ]


def to_pandas(table: Table, rows: list[dict[str, Any]]) -> pandas.DataFrame:
    """A frame of pandas."""
    import numpy
    import pandas

    def series(is_time: bool, cells: list[Any]) -> Any:
        if not is_time:
            return pandas.Series(cells, dtype=None if cells else "object")
        # By way of milliseconds: a double does not hold the nanoseconds of pandas.
        times = numpy.array(cells, dtype="datetime64[ms]").astype("datetime64[ns]")
        return pandas.Series(times).dt.tz_localize("UTC")

    return pandas.DataFrame({name: series(is_time, cells) for name, is_time, cells in _cells(table, rows)})


def to_polars(table: Table, rows: list[dict[str, Any]]) -> polars.DataFrame:
    """A frame of polars."""
    import polars

    def series(name: str, is_time: bool, cells: list[Any]) -> Any:
        if not is_time:
            return polars.Series(name, cells, strict=False)
        return polars.Series(name, cells, dtype=polars.Int64).cast(polars.Datetime("ms", "UTC"))

    return polars.DataFrame([series(*column) for column in _cells(table, rows)])
