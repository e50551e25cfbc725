"""The pages of an answer, one after the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Generic, Literal, TypeVar, overload, TYPE_CHECKING

from .answer import Answer, Library, Tabular, table_in
from .request import Query, Table

if TYPE_CHECKING:
    import pandas
    import polars

T = TypeVar("T")
R = TypeVar("R")


def next_query(query: Query[T, R], data: Any) -> Query[T, R] | None:
    """
    The query of the page after this data; None after the last one. `next` is the `cursor` of the next page where it is a
    text, and its `from` where it is a time.
    """
    following = data.get("next") if isinstance(data, dict) else None
    if following is None:
        return None
    return query.given("cursor" if isinstance(following, str) else "from", following)


def _joined(pages: list[Answer[Any, R]]) -> tuple[Table, list[dict[str, Any]]]:
    tables = [table_in(page.tables, page.data) for page in pages]
    return tables[0][0], [row for _, rows in tables for row in rows]


class _Whole(Tabular[R]):
    """The rows of several pages as one table."""

    def __init__(self, pages: list[Answer[Any, R]]) -> None:
        self._pages = pages

    def _table(self) -> tuple[Table, list[dict[str, Any]]]:
        return _joined(self._pages)


class Pages(Tabular[R], Generic[T, R]):
    """The pages of a query: each is asked for when it is needed. `rows` and `df` ask for all of them."""

    def __init__(self, get: Callable[[Query[T, R]], Answer[T, R]], query: Query[T, R]) -> None:
        self._get = get
        self._query = query

    def __iter__(self) -> Iterator[Answer[T, R]]:
        query: Query[T, R] | None = self._query
        while query is not None:
            answer = self._get(query)
            yield answer
            query = next_query(query, answer.data)

    def _table(self) -> tuple[Table, list[dict[str, Any]]]:
        return _joined(list(self))


class AsyncPages(Generic[T, R]):
    """The same for asyncio."""

    def __init__(self, get: Callable[[Query[T, R]], Awaitable[Answer[T, R]]], query: Query[T, R]) -> None:
        self._get = get
        self._query = query

    async def __aiter__(self) -> AsyncIterator[Answer[T, R]]:
        query: Query[T, R] | None = self._query
        while query is not None:
            answer = await self._get(query)
            yield answer
            query = next_query(query, answer.data)

    async def rows(self) -> list[R]:
        """The rows of all pages."""
        return (await self._whole()).rows()

    @overload
    async def df(self, library: Literal["pandas"] = ...) -> pandas.DataFrame: ...

    @overload
    async def df(self, library: Literal["polars"]) -> polars.DataFrame: ...

    async def df(self, library: Library = "pandas") -> Any:
        """The rows of all pages as a frame."""
        whole = await self._whole()
        return whole.df("pandas") if library == "pandas" else whole.df("polars")

    async def _whole(self) -> _Whole[R]:
        return _Whole([page async for page in self])
