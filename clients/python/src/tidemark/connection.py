"""The connection that all subscriptions of a client share."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import Any, Protocol, TypeAlias

import websockets
from websockets.exceptions import ConnectionClosed, WebSocketException

from .errors import SubscriptionError
from .exchange import backoff

Message: TypeAlias = dict[str, Any]

PASSING = frozenset({"warming_up", "overloaded", "store_unavailable", "upstream_failed"})
"""Errors of the service that may pass."""

UNAUTHORIZED = 4401
"""The code of the end of a connection whose key is not valid any more."""

BEAT = 15.0
"""A connection that is silent for so long is pinged, and has ended when it stays silent as long again, seconds."""

LARGEST = 64 * 1024 * 1024
"""Of a message, bytes."""


class Socket(Protocol):
    """What is used of a WebSocket."""

    async def send(self, message: str) -> None: ...

    async def recv(self) -> str | bytes: ...


Connect: TypeAlias = Callable[[str], AbstractAsyncContextManager[Socket]]


def connect(url: str) -> AbstractAsyncContextManager[Socket]:
    """A WebSocket of the package `websockets`, old or new."""
    # Its versions have this function in different places.
    opened: AbstractAsyncContextManager[Socket] = getattr(websockets, "connect")(
        url, ping_interval=BEAT, ping_timeout=BEAT, close_timeout=1, max_size=LARGEST
    )
    return opened


class Member(Protocol):
    """A subscription as the connection sees it."""

    def wishes(self) -> Message:
        """What it asks for, whenever a connection opens."""

    def take(self, message: Message) -> None: ...

    def fail(self, error: SubscriptionError) -> None:
        """It has ended, and no other connection would mend that."""


class _Lost(Exception):
    """The connection is to be opened again."""


def error_of(message: Message) -> SubscriptionError:
    return SubscriptionError(str(message.get("code")), str(message.get("message")))


def _unreadable(error: Exception) -> SubscriptionError:
    failure = SubscriptionError("internal", f"a message cannot be read or written: {error!r}")
    failure.__cause__ = error
    return failure


@contextmanager
def _alone(member: Member) -> Iterator[None]:
    """An exception in it ends this subscription and no other."""
    try:
        yield
    except Exception as error:
        member.fail(_unreadable(error))


class Connection:
    """It is open while it has members, and comes back when it is lost: then each member is asked for again."""

    def __init__(self, url: str, key: str | None, connect: Connect = connect) -> None:
        self._url = "ws" + url.removeprefix("http") + "/v1/ws"
        self._key = key
        self._connect = connect
        self._members: dict[int, Member] = {}
        """By the id of their subscription, which is never used again."""
        self._last_id = 0
        self._unheard: set[int] = set()
        """Ids that were sent, and that no message has named yet."""
        self._task: asyncio.Task[None] | None = None
        self._outbox: asyncio.Queue[str] | None = None
        """Of the connection that is open."""
        self._is_ready = False
        """The service has taken the key."""
        self._failures = 0
        """Connections since the last message of a subscription."""
        self._wait: float | None = None
        """How long to wait before the next connection, seconds, where the service says it."""

    def add(self, member: Member) -> int:
        """Subscribes; gives the id of the subscription."""
        self._last_id += 1
        self._members[self._last_id] = member
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())
        elif self._is_ready:
            self._subscribe(self._last_id, member)
        return self._last_id

    def renew(self, id: int, member: Member) -> int:
        """Subscribes anew in place of an earlier subscription."""
        del self._members[id]
        if self._is_ready:
            self._send({"op": "unsubscribe", "id": id})
        return self.add(member)

    def remove(self, id: int) -> None:
        """Ends a subscription; the last one ends the connection."""
        if self._members.pop(id, None) is None:
            return
        if not self._members:
            self._stop()
        elif self._is_ready:
            self._send({"op": "unsubscribe", "id": id})

    async def aclose(self) -> None:
        """Ends the connection and its subscriptions."""
        task = self._task
        self._fail_all(SubscriptionError("closed", "the client was closed"))
        if task is not None:
            await asyncio.wait([task])

    async def _run(self) -> None:
        while True:
            try:
                async with self._connect(self._url) as socket:
                    await self._converse(socket)
            except ConnectionClosed as end:
                if end.rcvd is not None and end.rcvd.code == UNAUTHORIZED:
                    self._fail_all(SubscriptionError("unauthorized", end.rcvd.reason))
            except (_Lost, OSError, TimeoutError, WebSocketException):
                pass
            except Exception as error:
                self._fail_all(_unreadable(error))
            self._failures += 1
            wait = backoff(self._failures) if self._wait is None else self._wait
            self._wait = None
            await asyncio.sleep(wait)

    async def _converse(self, socket: Socket) -> None:
        outbox: asyncio.Queue[str] = asyncio.Queue()
        self._outbox = outbox
        writer = asyncio.create_task(self._write(socket, outbox))
        try:
            if self._key:
                self._send({"op": "auth", "key": self._key})
            else:
                self._ready()
            while True:
                self._take(json.loads(await socket.recv()))
        finally:
            writer.cancel()
            if self._outbox is outbox:
                self._forget()

    @staticmethod
    async def _write(socket: Socket, outbox: asyncio.Queue[str]) -> None:
        try:
            while True:
                await socket.send(await outbox.get())
        except ConnectionClosed:
            return  # The reader is told as well.

    def _forget(self) -> None:
        self._outbox = None
        self._is_ready = False
        self._unheard.clear()

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._task = None
        self._failures = 0
        self._forget()

    def _send(self, message: Message) -> None:
        if self._outbox is not None:
            self._outbox.put_nowait(json.dumps(message))

    def _ready(self) -> None:
        self._is_ready = True
        for id, member in list(self._members.items()):
            self._subscribe(id, member)

    def _subscribe(self, id: int, member: Member) -> None:
        self._unheard.add(id)
        with _alone(member):
            self._send({"op": "subscribe", "id": id, **member.wishes()})

    def _take(self, message: Message) -> None:
        kind, id = message.get("type"), message.get("id")
        if kind == "authenticated":
            self._ready()
        elif kind == "reconnect":
            self._wait = float(message["wait"]) / 1000
        elif isinstance(id, int):
            self._hand_on(id, message)
        elif kind == "error" and message.get("code") in PASSING:
            raise _Lost
        elif kind == "error":
            self._fail_all(error_of(message))

    def _hand_on(self, id: int, message: Message) -> None:
        is_error = message["type"] == "error"
        if not is_error:
            self._failures = 0
        member = self._members.get(id)
        if member is not None:
            self._unheard.discard(id)
            with _alone(member):
                member.take(message)
        elif not is_error and id in self._unheard:
            self._unheard.discard(id)
            # The service had not begun it when it was asked to end it, and knew no such subscription then.
            if message["type"] != "unsubscribed":
                self._send({"op": "unsubscribe", "id": id})

    def _fail_all(self, error: SubscriptionError) -> None:
        members = list(self._members.values())
        self._members.clear()
        self._stop()
        for member in members:
            member.fail(error)
