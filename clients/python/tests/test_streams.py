"""Subscriptions against a server of the package `websockets` that speaks as docs/streaming.md says."""

from __future__ import annotations

import asyncio
import json
import unittest
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, AsyncIterator

import websockets

from tidemark import AsyncTidemark, SubscriptionError, v1

Message = dict[str, Any]


class Service:
    """What a connection has asked, and what it is told."""

    def __init__(self, socket: Any, number: int) -> None:
        self._socket = socket
        self.number = number
        """Of the connection, from 0."""

    async def asked(self) -> Message:
        message: Message = json.loads(await self._socket.recv())
        return message

    async def tell(self, kind: str, id: Any = None, **members: Any) -> None:
        about = {} if id is None else {"id": id, "timestamp": 1}
        await self._socket.send(json.dumps({"type": kind, **about, **members}))

    async def say(self, text: str) -> None:
        await self._socket.send(text)

    async def cut(self) -> None:
        await self._socket.close(1012)


@asynccontextmanager
async def client(play: Callable[[Service], Awaitable[None]], key: str | None = None) -> AsyncIterator[AsyncTidemark]:
    """A client of a server that plays a part on each connection, and keeps it open after that."""
    opened = 0

    async def handle(socket: Any) -> None:
        nonlocal opened
        opened += 1
        await play(Service(socket, opened - 1))
        await socket.wait_closed()

    async with getattr(websockets, "serve")(handle, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with asyncio.timeout(20), AsyncTidemark(f"http://127.0.0.1:{port}", key=key) as tidemark:
            yield tidemark


class Subscriptions(unittest.IsolatedAsyncioTestCase):
    async def test_the_key_is_told_first(self) -> None:
        asked: list[Message] = []

        async def play(service: Service) -> None:
            asked.append(await service.asked())
            await service.tell("authenticated")
            asked.append(await service.asked())
            await service.tell("snapshot", asked[1]["id"], version="a", as_of=5, data={"symbol": "BTC"})

        async with client(play, key="tm_live_x") as tidemark:
            update = await anext(tidemark.subscribe(v1.prices(symbol="BTC"), every=1000))
        self.assertEqual(asked[0], {"op": "auth", "key": "tm_live_x"})
        expected = {"op": "subscribe", "id": 1, "path": "/v1/prices?symbol=BTC", "mode": "full", "every": 1000}
        self.assertEqual(asked[1], expected)
        self.assertEqual((update.data["symbol"], update.version, update.as_of), ("BTC", "a", 5))

    async def test_patches_make_whole_versions_and_a_gap_asks_for_the_whole(self) -> None:
        asked: list[Message] = []

        async def play(service: Service) -> None:
            asked.append(await service.asked())
            await service.tell("snapshot", 1, version="a", data={"x": 1, "y": 1})
            await service.tell("patch", 1, version="b", **{"from": "a"}, patch={"y": 2})
            await service.tell("patch", 1, version="d", **{"from": "c"}, patch={"y": 4})
            asked.extend([await service.asked(), await service.asked()])
            await service.tell("snapshot", 2, version="d", data={"x": 1, "y": 4})

        seen: list[Any] = []
        async with client(play) as tidemark:
            async for update in tidemark.subscribe(v1.status(), mode="patch"):
                seen.append(update.data)
                if seen[-1] == {"x": 1, "y": 4}:
                    break
        # A version that waits is replaced by a newer one.
        versions = [{"x": 1, "y": 1}, {"x": 1, "y": 2}, {"x": 1, "y": 4}]
        self.assertEqual([one for one in versions if one in seen], seen)
        self.assertEqual(asked[1], {"op": "unsubscribe", "id": 1})
        self.assertEqual((asked[2]["id"], "resume" in asked[2]), (2, False))

    async def test_a_log_goes_on_after_the_last_event_of_a_lost_connection(self) -> None:
        asked: list[Message] = []

        async def play(service: Service) -> None:
            asked.append(await service.asked())
            if service.number == 0:
                await service.tell("events", 1, position="7", events=[{"value_usd": 1}])
                await service.tell("reconnect", wait=1)
                await service.cut()
            else:
                await service.tell("events", 1, position="9", recovered=True, events=[{"value_usd": 2}])

        async with client(play) as tidemark:
            log = tidemark.subscribe(v1.liquidations_orders(), mode="log")
            first, second = await anext(log), await anext(log)
        self.assertEqual([asked[0].get("resume"), asked[1].get("resume")], [None, "7"])
        self.assertEqual((first.recovered, second.recovered, second.position), (None, True, "9"))
        self.assertEqual([event["value_usd"] for event in first.events + second.events], [1, 2])

    async def test_a_refusal_ends_its_own_loop(self) -> None:
        async def play(service: Service) -> None:
            await service.asked()
            await service.tell("error", 1, code="unknown_symbol", message="no exchange has a price of NOPE")

        async with client(play) as tidemark:
            with self.assertRaises(SubscriptionError) as caught:
                await anext(tidemark.subscribe(v1.prices(symbol="NOPE")))
        self.assertEqual(caught.exception.code, "unknown_symbol")

    async def test_a_bad_key_ends_all(self) -> None:
        async def play(service: Service) -> None:
            await service.asked()
            await service.tell("error", code="unauthorized", message="a valid API key is required")

        async with client(play, key="bad") as tidemark:
            with self.assertRaises(SubscriptionError) as caught:
                await anext(tidemark.subscribe(v1.status()))
        self.assertEqual(caught.exception.code, "unauthorized")

    async def test_a_message_that_cannot_be_read_ends_its_own_loop(self) -> None:
        async def play(service: Service) -> None:
            await service.asked()
            await service.asked()
            await service.tell("snapshot", 1, data={})
            await service.tell("snapshot", 2, version="a", data={"x": 1})

        async with client(play) as tidemark:
            bad, good = tidemark.subscribe(v1.status()), tidemark.subscribe(v1.status())
            first, second = await asyncio.gather(anext(bad), anext(good), return_exceptions=True)
        assert isinstance(first, SubscriptionError)
        self.assertEqual((first.code, repr(first.__cause__)), ("internal", "KeyError('version')"))
        self.assertEqual(getattr(second, "data", second), {"x": 1})

    async def test_a_message_that_is_no_json_ends_all(self) -> None:
        async def play(service: Service) -> None:
            await service.asked()
            await service.say("<html>")

        async with client(play) as tidemark:
            with self.assertRaises(SubscriptionError) as caught:
                await anext(tidemark.subscribe(v1.status()))
        self.assertEqual(caught.exception.code, "internal")

    async def test_a_wish_that_cannot_be_written_ends_its_own_loop(self) -> None:
        async def play(service: Service) -> None:
            while (asked := await service.asked())["op"] != "subscribe":
                pass
            await service.tell("snapshot", asked["id"], version="a", data={"x": 1})

        async with client(play) as tidemark:
            wrong: Any = object()
            bad, good = tidemark.subscribe(v1.status(), every=wrong), tidemark.subscribe(v1.status())
            first, second = await asyncio.gather(anext(bad), anext(good), return_exceptions=True)
        self.assertIsInstance(first, SubscriptionError)
        self.assertEqual(getattr(second, "data", second), {"x": 1})


if __name__ == "__main__":
    unittest.main()
