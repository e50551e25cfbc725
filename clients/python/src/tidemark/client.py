"""The clients: `Tidemark` for ordinary programs, `AsyncTidemark` for those of asyncio."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import Future
from threading import Thread
from collections.abc import AsyncGenerator, Callable
from types import TracebackType
from typing import Any, Literal, TypeVar, overload

import httpx

from .answer import Answer, Reply, answer_of, renewed
from .connection import Connection
from .exchange import Exchange, Pause
from .pages import AsyncPages, Pages
from .request import Act, Query
from .subscription import Events, Mode, Update, followed

T = TypeVar("T")
R = TypeVar("R")

Bearer = str | Callable[[], str]


class _Client:
    """What both clients have in common."""

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        bearer: Bearer | None = None,
        timeout: float = 30.0,
        retries: int = 3,
        kept: int = 100,
    ) -> None:
        self._url = url.rstrip("/")
        self._key = key
        self._bearer = bearer
        self._timeout = timeout
        self._exchange = Exchange(retries, kept)

    def _headers(self, more: dict[str, str | None]) -> dict[str, str]:
        token = self._bearer() if callable(self._bearer) else self._bearer
        headers = {"x-api-key": self._key, "authorization": token and f"Bearer {token}", **more}
        return {name: value for name, value in headers.items() if value}

    def _question(self, query: Query[Any, Any]) -> dict[str, Any]:
        known = self._exchange.known(query.target)
        headers = self._headers({"if-none-match": known.etag if known else None})
        return {"method": "GET", "url": self._url + query.target, "headers": headers}

    def _order(self, act: Act[Any], idempotency_key: str | None) -> dict[str, Any]:
        headers = self._headers({"idempotency-key": idempotency_key})
        body = {} if act.body is None else {"json": act.body}
        return {"method": act.method, "url": self._url + act.target, "headers": headers, **body}

    def _answer(self, query: Query[T, R], reply: Reply) -> Answer[T, R]:
        known = self._exchange.known(query.target)
        if reply.status == 304 and known is not None:
            return renewed(known, reply)
        answer = answer_of(reply, query.tables)
        self._exchange.keep(query.target, answer)
        return answer


def _reply(response: httpx.Response, body: bytes) -> Reply:
    return Reply(response.status_code, response.reason_phrase, response.headers, body)


class Tidemark(_Client):
    """
    A client of a Tidemark service at a URL, such as `http://127.0.0.1:8080`.

    key: An API key; not needed where access is open.
    bearer: A token of the identity provider, or what gives one for each request; only the paths of keys need it.
    timeout: Longest time of a request with its repetitions, seconds.
    retries: Most repetitions after 429, 502, 503, 504 or a broken connection.
    kept: Most answers that are kept for their entity tags; 0 for none.
    transport: Of httpx, such as one with a proxy.

    Threads may share one. End it with `close`, or use it in a `with` statement.
    """

    def __init__(self, url: str, *, transport: httpx.BaseTransport | None = None, **options: Any) -> None:
        super().__init__(url, **options)
        self._http = httpx.Client(transport=transport)

    def get(self, query: Query[T, R], *, timeout: float | None = None) -> Answer[T, R]:
        """The answer to a query. Raises TidemarkError, of the class that `refusals` has for its code."""
        return self._answer(query, self._run(self._question(query), True, timeout))

    def pages(self, query: Query[T, R]) -> Pages[T, R]:
        """The answer to a query with `from_`, then each further page of it."""
        return Pages(self.get, query)

    def send(
        self, act: Act[T], *, idempotency_key: str | None = None, timeout: float | None = None
    ) -> Answer[T, Any]:
        """The answer to a POST or DELETE, which is repeated after 429 only, or as a GET with an idempotency key."""
        asked = self._order(act, idempotency_key)
        return answer_of(self._run(asked, idempotency_key is not None, timeout))

    def close(self) -> None:
        """Ends its connections."""
        self._http.close()

    def __enter__(self) -> Tidemark:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, asked: dict[str, Any], safe: bool, timeout: float | None) -> Reply:
        steps = self._exchange.steps(safe, self._timeout if timeout is None else timeout)
        outcome: Reply | Exception | None = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                reply: Reply = end.value
                return reply
            if isinstance(step, Pause):
                time.sleep(step.seconds)
                outcome = None
            else:
                outcome = self._attempt(asked, step.within)

    def _attempt(self, asked: dict[str, Any], within: float) -> Reply | Exception:
        # The time limits of httpx are those of single reads, and looking up a name has none.
        attempt: Future[Reply] = Future()
        Thread(target=self._exchanged, args=(asked, within, attempt), daemon=True).start()
        try:
            return attempt.result(within)
        except (httpx.TransportError, TimeoutError) as error:
            return error

    def _exchanged(self, asked: dict[str, Any], within: float, attempt: Future[Reply]) -> None:
        """Sends a request; beyond the deadline it ends with the next part of the answer."""
        end = time.monotonic() + within
        body = bytearray()
        try:
            with self._http.stream(**asked, timeout=within) as response:
                for part in response.iter_bytes():
                    body += part
                    if time.monotonic() >= end:
                        raise TimeoutError
            attempt.set_result(_reply(response, bytes(body)))
        except BaseException as error:
            attempt.set_exception(error)


class AsyncTidemark(_Client):
    """
    The same for asyncio, with streams. It belongs to one event loop; end it with `aclose`, or use it in an `async with`
    statement. The options are those of `Tidemark`.
    """

    def __init__(
        self, url: str, *, transport: httpx.AsyncBaseTransport | None = None, **options: Any
    ) -> None:
        super().__init__(url, **options)
        self._http = httpx.AsyncClient(transport=transport)
        self._connection = Connection(self._url, self._key)

    async def get(self, query: Query[T, R], *, timeout: float | None = None) -> Answer[T, R]:
        """The answer to a query. Raises TidemarkError, of the class that `refusals` has for its code."""
        return self._answer(query, await self._run(self._question(query), True, timeout))

    def pages(self, query: Query[T, R]) -> AsyncPages[T, R]:
        """The answer to a query with `from_`, then each further page of it."""
        return AsyncPages(self.get, query)

    async def send(
        self, act: Act[T], *, idempotency_key: str | None = None, timeout: float | None = None
    ) -> Answer[T, Any]:
        """The answer to a POST or DELETE, which is repeated after 429 only, or as a GET with an idempotency key."""
        asked = self._order(act, idempotency_key)
        return answer_of(await self._run(asked, idempotency_key is not None, timeout))

    @overload
    def subscribe(
        self, query: Query[T, R], *, mode: Literal["log"], every: int | None = ..., resume: str | None = ...
    ) -> AsyncGenerator[Events[R], None]: ...

    @overload
    def subscribe(
        self,
        query: Query[T, R],
        *,
        mode: Literal["full", "patch"] = ...,
        every: int | None = ...,
        resume: str | None = ...,
    ) -> AsyncGenerator[Update[T, R], None]: ...

    def subscribe(
        self, query: Query[Any, Any], *, mode: Mode = "full", every: int | None = None, resume: str | None = None
    ) -> AsyncGenerator[Any, None]:
        """
        An answer, then each new version of it, over the WebSocket that all subscriptions of a client share. Lost
        connections come back, and a version that is known is not given again. A slow reader gets the newest version only.

        With `mode="patch"` the same, but the service sends what has changed: the parts of `data` that have not changed are
        those of the version before, so that a program must not write into them.

        With `mode="log"` the events of a log (of the newest liquidations, or of trades) instead: each once and in order.
        After a lost connection it goes on after the last event, and says whether something is missing.

        every: Least milliseconds between a version of an answer and the next message about it.
        resume: The version or position that is known already, of an earlier subscription to the same path.

        Raises SubscriptionError where the service refuses it.
        """
        return followed(self._connection, query, mode=mode, every=every, resume=resume)

    async def aclose(self) -> None:
        """Ends its connections."""
        await self._connection.aclose()
        await self._http.aclose()

    async def __aenter__(self) -> AsyncTidemark:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def _run(self, asked: dict[str, Any], safe: bool, timeout: float | None) -> Reply:
        steps = self._exchange.steps(safe, self._timeout if timeout is None else timeout)
        outcome: Reply | Exception | None = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                reply: Reply = end.value
                return reply
            if isinstance(step, Pause):
                await asyncio.sleep(step.seconds)
                outcome = None
            else:
                outcome = await self._attempt(asked, step.within)

    async def _attempt(self, asked: dict[str, Any], within: float) -> Reply | Exception:
        try:
            async with asyncio.timeout(within):
                response = await self._http.request(**asked, timeout=None)
                return _reply(response, response.content)
        except (httpx.TransportError, TimeoutError) as error:
            return error
