"""The parts without a service: when a request is repeated, patches, pages, frames, URLs, errors."""

from __future__ import annotations

import json
import socket
import threading
import unittest
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

import httpx

from tidemark import NoConnection, Tidemark, Timeout, patched, v1
from tidemark.refusals import BadParameter, TooManyRequests, UnknownSymbol, WarmingUp
from tidemark.request import Table

Handler = Callable[[httpx.Request], httpx.Response]


def ok(data: Any, headers: dict[str, str] | None = None, **more: Any) -> httpx.Response:
    return httpx.Response(200, headers=headers, json={"status": "ok", "timestamp": 2000, "data": data, **more})


def refused(status: int, code: str, message: str, headers: dict[str, str] | None = None) -> httpx.Response:
    body = {"status": "error", "timestamp": 1, "code": code, "message": message}
    return httpx.Response(status, headers=headers, json=body)


class Stage:
    """A client whose requests are answered by a list, and what it has asked."""

    def __init__(self, *answers: httpx.Response | Exception, **options: Any) -> None:
        self.asked: list[httpx.Request] = []
        self._answers = list(answers)
        self.client = Tidemark("http://x/", transport=httpx.MockTransport(self._answer), **options)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


class Requests(unittest.TestCase):
    def test_parameters_stand_in_the_url(self) -> None:
        time = datetime(2026, 1, 1, tzinfo=timezone.utc)
        query = v1.rows(columns=["close", "volume_usd"], symbols="BTC,ETH", from_=time, limit=3)
        self.assertEqual(
            query.target,
            "/v1/rows?columns=close%2Cvolume_usd&symbols=BTC%2CETH&limit=3&from=1767225600000",
        )
        self.assertEqual(v1.delete_auth_keys_by_id(id="a/b").target, "/v1/auth/keys/a%2Fb")
        self.assertEqual(v1.prices(explain=True).target, "/v1/prices?explain=1")

    def test_an_answer_has_its_age(self) -> None:
        stage = Stage(ok({"rates": []}, as_of=500), key="k")
        answer = stage.client.get(v1.funding_rates(symbol="BTC"))
        self.assertEqual((answer.as_of, answer.timestamp, answer.age), (500, 2000, 1.5))
        self.assertEqual(stage.asked[0].headers["x-api-key"], "k")

    def test_a_kept_answer_is_asked_for_with_its_tag(self) -> None:
        unchanged = httpx.Response(304, headers={"age": "0"})
        stage = Stage(ok({"a": 1}, {"etag": '"1"'}), unchanged)
        first = stage.client.get(v1.status())
        second = stage.client.get(v1.status())
        self.assertEqual(stage.asked[1].headers["if-none-match"], '"1"')
        self.assertEqual((first.unchanged, second.unchanged, second.data), (False, True, {"a": 1}))


class Repetitions(unittest.TestCase):
    def test_what_may_pass_is_asked_again(self) -> None:
        again = {"retry-after": "0"}
        firsts: list[httpx.Response | Exception] = [
            refused(429, "too_many_requests", "later", again),
            refused(502, "upstream_failed", "later", again),
            refused(503, "warming_up", "later", again),
            httpx.Response(504, headers=again, text="<html>"),
            httpx.ConnectError("refused"),
        ]
        for first in firsts:
            stage = Stage(first, ok({}))
            stage.client.get(v1.status())
            self.assertEqual(len(stage.asked), 2, first)

    def test_other_errors_are_not(self) -> None:
        stage = Stage(refused(404, "unknown_symbol", "no exchange has a price of NOPE"))
        with self.assertRaises(UnknownSymbol) as caught:
            stage.client.get(v1.prices(symbol="NOPE"))
        self.assertEqual((caught.exception.status, caught.exception.parameter), (404, None))

    def test_a_wait_beyond_the_deadline_does_not_begin(self) -> None:
        stage = Stage(refused(503, "warming_up", "later", {"retry-after": "60"}))
        with self.assertRaises(WarmingUp):
            stage.client.get(v1.status())

    def test_nothing_is_asked_while_the_quota_is_used_up(self) -> None:
        used = {"retry-after": "60", "ratelimit": '"default";r=0;t=60', "ratelimit-policy": '"default";q=60;w=60'}
        stage = Stage(refused(429, "too_many_requests", "used up", used), ok({}))
        with self.assertRaises(TooManyRequests) as caught:
            stage.client.get(v1.status(), timeout=5)
        quota = caught.exception.quota
        self.assertEqual(quota and (quota.limit, quota.remaining), (60, 0))

    def test_a_write_is_repeated_with_an_idempotency_key_only(self) -> None:
        act = v1.post_auth_keys({"name": "laptop"})
        stage = Stage(httpx.ConnectError("refused"))
        with self.assertRaises(NoConnection):
            stage.client.send(act)
        stage = Stage(httpx.ConnectError("refused"), ok({"id": "1"}))
        self.assertEqual(stage.client.send(act, idempotency_key="one").data["id"], "1")

    def test_the_deadline_holds_for_all_repetitions(self) -> None:
        stage = Stage(httpx.ReadTimeout("slow"))
        with self.assertRaises(Timeout):
            stage.client.get(v1.status(), timeout=0)

    def test_the_deadline_holds_for_the_parts_of_one_answer(self) -> None:
        given_up = threading.Event()
        in_time: list[bool] = []

        def late(server: socket.socket) -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                given_up.wait(1.5)
                connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{")
                # A read that begins now would have two seconds of its own.
                in_time.append(given_up.wait(1.5))

        with socket.create_server(("127.0.0.1", 0)) as server:
            thread = threading.Thread(target=late, args=(server,))
            thread.start()
            with self.assertRaises(Timeout):
                Tidemark(f"http://127.0.0.1:{server.getsockname()[1]}", timeout=2).get(v1.status())
            given_up.set()
            thread.join()
        self.assertEqual(in_time, [True])

    def test_an_error_names_its_parameter(self) -> None:
        for message in ("limit must be 1 to 1000", "limit is required", "limit of x must be 1", "limit: 'x' is none of 1"):
            stage = Stage(refused(400, "bad_parameter", message))
            with self.assertRaises(BadParameter) as caught:
                stage.client.get(v1.bars(limit=0))
            self.assertEqual(caught.exception.parameter, "limit", message)


class Pages(unittest.TestCase):
    def test_next_is_the_time_or_the_cursor_of_the_next_page(self) -> None:
        stage = Stage(ok({"bars": [{"timestamp": 1}], "next": 2}), ok({"bars": [{"timestamp": 2}]}))
        rows = stage.client.pages(v1.bars(from_=1)).rows()
        self.assertEqual([row["timestamp"] for row in rows], [1, 2])
        self.assertEqual(stage.asked[1].url.params["from"], "2")
        page = {"columns": ["timestamp", "close"], "rows": [[1, 5.0]]}
        stage = Stage(ok({**page, "next": "c1"}), ok({**page, "next": None}))
        self.assertEqual(len(stage.client.pages(v1.rows(columns="close", from_=1)).rows()), 2)
        self.assertEqual(stage.asked[1].url.params["cursor"], "c1")


class Patches(unittest.TestCase):
    def test_merge_patches_of_rfc_7396(self) -> None:
        # From its appendix A.
        for before, patch, after in (
            ('{"a":"b"}', '{"a":"c"}', '{"a":"c"}'),
            ('{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'),
            ('{"a":"b"}', '{"a":null}', "{}"),
            ('{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'),
            ('{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'),
            ('{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'),
            ('{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'),
            ('["a","b"]', '["c","d"]', '["c","d"]'),
            ('{"e":null}', '{"a":1}', '{"e":null,"a":1}'),
            ("{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'),
        ):
            self.assertEqual(patched(json.loads(before), json.loads(patch)), json.loads(after), patch)

    def test_rows_by_their_keys(self) -> None:
        # docs/streaming.md: taken out, changed in place, put in at its place.
        before = [{"price": 99, "q": 1}, {"price": 98, "q": 2}, {"price": 97, "q": 3}]
        patch = {"key": ["price"], "removed": [[97]], "changed": [{"price": 98, "q": 2.5}], "placed": [[1, {"price": 98.5, "q": 7}]]}
        after = [{"price": 99, "q": 1}, {"price": 98.5, "q": 7}, {"price": 98, "q": 2.5}]
        self.assertEqual(patched(before, patch), after)
        self.assertEqual(before[1]["q"], 2, "what was there stays as it is")


class Frames(unittest.TestCase):
    def test_times_are_utc_and_an_empty_table_has_its_columns(self) -> None:
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        rows = [{"timestamp": 1767225600001, "close": 5.5}, {"timestamp": None, "close": None}]
        frame = Stage(ok({"bars": rows})).client.get(v1.bars()).df()
        self.assertEqual(str(frame["timestamp"].dt.tz), "UTC")
        self.assertEqual(frame["timestamp"][0].isoformat(), "2026-01-01T00:00:00.001000+00:00")
        self.assertTrue(pandas.isna(frame["timestamp"][1]) and pandas.isna(frame["close"][1]))
        empty = Stage(ok({"bars": []})).client.get(v1.bars()).df()
        self.assertIn("close", empty.columns)
        self.assertEqual(str(empty["timestamp"].dt.tz), "UTC")

    def test_a_map_has_its_keys_as_the_first_column(self) -> None:
        table = Table("exchanges", "price", key="exchange")
        self.assertEqual(table.rows({"exchanges": {"okx": {"price": 1}}}), [{"exchange": "okx", "price": 1}])
        self.assertIsNone(table.rows([]))


if __name__ == "__main__":
    unittest.main()
