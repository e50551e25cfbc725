"""What a client is asked for. The functions of `v1` and `v2` make these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any, Generic, TypeAlias, TypeVar
from urllib.parse import quote, urlencode

T = TypeVar("T")
R = TypeVar("R")

Time: TypeAlias = int | datetime
"""Unix milliseconds, or a datetime; one without a time zone is local, as everywhere in Python."""

Words: TypeAlias = str | Sequence[str]
"""Words with commas between them, or a list of them."""


def utc(ms: int) -> datetime:
    """The time of Unix milliseconds."""
    return datetime.fromtimestamp(ms / 1000, timezone.utc)


def _text(value: Any) -> str:
    """The value of a parameter as it stands in a URL."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, datetime):
        return str(round(value.timestamp() * 1000))
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)


def _target(path: str, params: Mapping[str, Any]) -> str:
    query: dict[str, str] = {}
    for name, value in params.items():
        if value is None:
            continue
        place = "{" + name + "}"
        if place in path:
            path = path.replace(place, quote(_text(value), safe=""))
        else:
            query[name] = _text(value)
    return f"{path}?{urlencode(query)}" if query else path


@dataclass(frozen=True)
class Table:
    """Where the rows of an answer stand, as for its CSV."""

    at: str | None
    """The member of the data; None where the data is the table."""
    columns: str = ""
    """The columns that the description knows; those with `@` are times in Unix milliseconds."""
    key: str | None = None
    """The name of the first column where the rows are a map."""
    cells: bool = False
    """The rows are lists of cells, whose names are the list `columns` of the data."""

    def rows(self, data: Any) -> list[dict[str, Any]] | None:
        """The rows in the data; None where the data has another form."""
        found = data if self.at is None else data.get(self.at) if isinstance(data, dict) else None
        if self.key is not None:
            if not isinstance(found, dict):
                return None
            return [{self.key: name, **row} for name, row in found.items()]
        if not isinstance(found, list):
            return None
        return [dict(zip(data["columns"], row)) for row in found] if self.cells else found


@dataclass(frozen=True)
class Query(Generic[T, R]):
    """A GET whose answer has data of the type `T` and rows of the type `R`."""

    path: str
    """With `{name}` where a parameter stands."""
    params: Mapping[str, Any]
    """Those that are None are left out."""
    tables: tuple[Table, ...] = ()
    """The table of each form that the data may have."""

    @property
    def target(self) -> str:
        """The path with its parameters."""
        return _target(self.path, self.params)

    def given(self, name: str, value: Any) -> Query[T, R]:
        """The same with another value of a parameter."""
        return replace(self, params={**self.params, name: value})


@dataclass(frozen=True)
class Act(Generic[T]):
    """A POST or DELETE whose answer has data of the type `T`."""

    method: str
    path: str
    params: Mapping[str, Any]
    body: Any

    @property
    def target(self) -> str:
        """The path with its parameters."""
        return _target(self.path, self.params)
