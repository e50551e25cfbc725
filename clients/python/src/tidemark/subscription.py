"""Answers and logs that are followed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from .answer import Tabular, table_in
from .connection import PASSING, Connection, Message, error_of
from .errors import SubscriptionError
from .exchange import backoff
from .patch import patched
from .request import Query, Table

T = TypeVar("T")
R = TypeVar("R")

Mode: TypeAlias = Literal["full", "patch", "log"]

MOST_EVENTS = 100
"""Messages of a log that may wait for the loop; beyond that the subscription rests until they are taken."""


@dataclass(frozen=True)
class Update(Tabular[R], Generic[T, R]):
    """A version of an answer."""

    data: T
    path: str | None
    """That of the answer, where the subscription has several (`symbol="*"`); None otherwise."""
    version: str
    as_of: int | None
    """When the newest reading in the data was received, Unix ms; None where it has no age."""
    timestamp: int
    """When it was sent, Unix ms."""
    tables: tuple[Table, ...] = ()

    def _table(self) -> tuple[Table, list[dict[str, Any]]]:
        return table_in(self.tables, self.data)


@dataclass(frozen=True)
class Events(Tabular[R], Generic[R]):
    """Events of a log, in its order."""

    events: list[R]
    """Empty where a connection begins and there is nothing new."""
    position: str
    """The place after them, for `resume`."""
    recovered: bool | None
    """
    In the first message of a connection that goes on at a position: whether no event since then is missing. None in all
    other messages.
    """
    timestamp: int
    """When it was sent, Unix ms."""
    tables: tuple[Table, ...] = ()

    def _table(self) -> tuple[Table, list[dict[str, Any]]]:
        events: list[Any] = self.events
        return self.tables[0], events


class Reader:
    """Reads the messages of a mode."""

    def __init__(self, mode: Mode, tables: tuple[Table, ...]) -> None:
        self.mode = mode
        self._tables = tables
        self._known: dict[str | None, tuple[str, Any]] = {}
        """In the mode `patch` the last version of each answer with its data, by its path."""

    def read(self, message: Message) -> Any:
        """An update; None for a message without data; "lost" for what has changed since a version that is not here."""
        kind = message.get("type")
        if self.mode == "log":
            return self._events(message) if kind == "events" else None
        if kind == "patch":
            version, before = self._known.get(message.get("path"), ("", None))
            if version != message.get("from"):
                return "lost"
            data = patched(before, message["patch"])
        elif kind in ("snapshot", "update"):
            data = message["data"]
        else:
            return None
        if self.mode == "patch":
            self._known[message.get("path")] = (message["version"], data)
        return Update(
            data=data,
            path=message.get("path"),
            version=message["version"],
            as_of=message.get("as_of"),
            timestamp=message["timestamp"],
            tables=self._tables,
        )

    def _events(self, message: Message) -> Events[Any]:
        return Events(
            events=message["events"],
            position=message["position"],
            recovered=message.get("recovered"),
            timestamp=message["timestamp"],
            tables=self._tables,
        )


class Subscription:
    """One loop: what has arrived and was not taken, and where the service goes on after it."""

    def __init__(
        self, connection: Connection, path: str, reader: Reader, every: int | None, resume: str | None
    ) -> None:
        self._connection = connection
        self._path = path
        self._reader = reader
        self._every = every
        self._position = resume
        """The place after the last update that has arrived; None without one."""
        self._updates: dict[object, Any] = {}
        """The oldest first; a version replaces the one of the same answer that waits."""
        self._id: int | None = None
        """None while the service is not asked for it."""
        self._rests = False
        """More has arrived than may wait: the service is asked again when the loop has taken what is here."""
        self._failure: SubscriptionError | None = None
        self._refusals = 0
        """Since the last update."""
        self._again: asyncio.TimerHandle | None = None
        self._arrived = asyncio.Event()

    def wishes(self) -> Message:
        """What it asks for, whenever a connection opens."""
        wishes = {"path": self._path, "mode": self._reader.mode, "every": self._every, "resume": self._position}
        return {name: value for name, value in wishes.items() if value is not None}

    def start(self) -> None:
        """Asks the service."""
        self._rests = False
        self._id = self._connection.add(self)

    def end(self) -> None:
        """Ends it."""
        if self._again is not None:
            self._again.cancel()
        if self._id is not None:
            self._connection.remove(self._id)
        self._id = None

    async def next(self) -> Any:
        """The next update. Raises SubscriptionError where the service has refused, after what came before."""
        while not self._updates:
            if self._failure is not None:
                raise self._failure
            if self._rests:
                self.start()
            self._arrived.clear()
            await self._arrived.wait()
        return self._updates.pop(next(iter(self._updates)))

    def fail(self, error: SubscriptionError) -> None:
        """It has ended, and no other connection would mend that."""
        self._failure = error
        self.end()
        self._arrived.set()

    def take(self, message: Message) -> None:
        """A message about it."""
        if message["type"] == "error":
            self._refused(message)
            return
        update = self._reader.read(message)
        if update == "lost":
            self._position = None
            self._renew()
        elif update is not None:
            self._put(update)

    def _renew(self) -> None:
        if self._id is not None:
            self._id = self._connection.renew(self._id, self)

    def _put(self, update: Any) -> None:
        is_log = isinstance(update, Events)
        if is_log and len(self._updates) >= MOST_EVENTS:
            self._rests = True
            self.end()
            return
        key = update.position if is_log else update.path
        self._updates.pop(key, None)
        self._updates[key] = update
        self._position = update.position if is_log else update.version
        self._refusals = 0
        self._arrived.set()

    def _refused(self, message: Message) -> None:
        code = message.get("code")
        # The service may still count the connection that was lost.
        passes = code in PASSING or (self._position is not None and code == "too_many_requests")
        if not passes:
            self.fail(error_of(message))
        elif "timestamp" not in message:
            # With a time it is an answer that is missing for now, not the subscription that was refused.
            self._refusals += 1
            self._again = asyncio.get_running_loop().call_later(backoff(self._refusals), self._renew)


async def followed(
    connection: Connection, query: Query[Any, Any], *, mode: Mode, every: int | None, resume: str | None
) -> AsyncGenerator[Any, None]:
    """What is at a path, then what is new there, until the service refuses."""
    subscription = Subscription(connection, query.target, Reader(mode, query.tables), every, resume)
    try:
        subscription.start()
        while True:
            yield await subscription.next()
    finally:
        subscription.end()
