"""Answers, and the rows in them."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

from .errors import Quota, TidemarkError, quota_of
from .frame import to_pandas, to_polars
from .refusals import BY_CODE
from .request import Table

if TYPE_CHECKING:
    import pandas
    import polars

T = TypeVar("T")
R = TypeVar("R")

Library = Literal["pandas", "polars"]


def table_in(tables: tuple[Table, ...], data: Any) -> tuple[Table, list[dict[str, Any]]]:
    """The table of the data with its rows. Raises TypeError where the data is none."""
    for table in tables:
        rows = table.rows(data)
        if rows is not None:
            return table, rows
    raise TypeError("this answer has no table of rows: use its data")


class Tabular(Generic[R]):
    """What has rows of the type `R`."""

    def _table(self) -> tuple[Table, list[dict[str, Any]]]:
        raise NotImplementedError

    def rows(self) -> list[R]:
        """The rows of the table, which is that of the CSV of the path. Raises TypeError where there is none."""
        rows: list[Any] = self._table()[1]
        return rows

    @overload
    def df(self, library: Literal["pandas"] = ...) -> pandas.DataFrame: ...

    @overload
    def df(self, library: Literal["polars"]) -> polars.DataFrame: ...

    def df(self, library: Library = "pandas") -> Any:
        """The rows as a frame: objects in them are columns such as `depth.bids`, times are UTC."""
        table, rows = self._table()
        return to_pandas(table, rows) if library == "pandas" else to_polars(table, rows)


@dataclass(frozen=True)
class Answer(Tabular[R], Generic[T, R]):
    """The answer to a request."""

    data: T
    as_of: int | None
    """When the newest reading in the data was received, Unix ms; None where the answer has no age."""
    timestamp: int
    """When the service made the answer, Unix ms."""
    etag: str | None
    """Version of the data; None where it has none."""
    unchanged: bool
    """The service said that the data is still that of the last answer (304)."""
    quota: Quota | None
    """None where the service states none."""
    tables: tuple[Table, ...] = ()

    @property
    def age(self) -> float | None:
        """Seconds from the newest reading to the answer."""
        return None if self.as_of is None else (self.timestamp - self.as_of) / 1000

    def _table(self) -> tuple[Table, list[dict[str, Any]]]:
        return table_in(self.tables, self.data)


@dataclass(frozen=True)
class Reply:
    """An HTTP response."""

    status: int
    reason: str
    headers: Mapping[str, str]
    """With lower-case names."""
    body: bytes


def _parameter(code: str, message: str) -> str | None:
    """The parameter that a message about one begins with: `limit must be …`, `columns: …`, `exchange 'x' is none of …`."""
    found = re.match(r"([A-Za-z_-]+):? (must|is|of|'|\w+ is none)", message)
    return found[1] if code == "bad_parameter" and found else None


def _body_of(reply: Reply) -> dict[str, Any]:
    try:
        body = json.loads(reply.body)
    except ValueError:  # The error page of a proxy.
        return {}
    return body if isinstance(body, dict) else {}


def answer_of(reply: Reply, tables: tuple[Table, ...] = ()) -> Answer[Any, Any]:
    """The answer in a reply; raises the error that it is."""
    body = _body_of(reply)
    if not 200 <= reply.status < 300 or body.get("status") != "ok":
        code = str(body.get("code", "internal"))
        message = str(body.get("message", reply.reason or f"HTTP status {reply.status}"))
        raise BY_CODE.get(code, TidemarkError)(
            message,
            status=reply.status,
            code=code,
            headers=reply.headers,
            parameter=_parameter(code, message),
        )
    return Answer(
        data=body.get("data"),
        as_of=body.get("as_of"),
        timestamp=int(body["timestamp"]),
        etag=reply.headers.get("etag"),
        unchanged=False,
        quota=quota_of(reply.headers),
        tables=tables,
    )


def renewed(known: Answer[T, R], reply: Reply) -> Answer[T, R]:
    """The kept answer after a 304, whose `Age` is that of a newer reading with the same numbers."""
    timestamp = round(time.time() * 1000)
    age = reply.headers.get("age")
    as_of = known.as_of if age is None else timestamp - int(age) * 1000
    return replace(known, as_of=as_of, timestamp=timestamp, unchanged=True, quota=quota_of(reply.headers))
