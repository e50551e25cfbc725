"""When a request is sent, sent again, or given up: without any input or output, for both clients."""

from __future__ import annotations

import random
import time
from collections import OrderedDict
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .answer import Answer, Reply
from .errors import NoConnection, Timeout, quota_of

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 10.0
"""Seconds, where the service names none."""


@dataclass(frozen=True)
class Send:
    """Send the request; its answer must be whole after this many seconds."""

    within: float


@dataclass(frozen=True)
class Pause:
    """Wait for this many seconds."""

    seconds: float


Outcome: TypeAlias = Reply | Exception | None
"""Of a `Send`: its reply, or why there is none. None after a pause."""


def backoff(attempt: int) -> float:
    """A random pause before an attempt, twice as long each time, seconds."""
    return random.random() * min(LONGEST_PAUSE, FIRST_PAUSE * 2.0**attempt)


def _pause_after(reply: Reply | None, attempt: int) -> float:
    """What the service says, and up to a tenth more so that not all come back at once; else a random pause."""
    said = reply.headers.get("retry-after", "") if reply else ""
    return int(said) * (1 + random.random() / 10) if said.isdigit() else backoff(attempt)


def may_pass(status: int, safe: bool) -> bool:
    """Whether the same request may succeed later: after 502, 503 and 504 a write may have been carried out."""
    return status == 429 or (safe and status in (502, 503, 504))


@dataclass
class Exchange:
    """What the requests of a client have in common."""

    retries: int = 3
    """Most repetitions of a request."""
    kept: int = 100
    """Most answers that are kept for their entity tags."""
    _closed_until: float = 0.0
    """The quota is used up until then, on the clock of `time.monotonic`."""
    _known: OrderedDict[str, Answer[Any, Any]] = field(default_factory=OrderedDict)

    def known(self, target: str) -> Answer[Any, Any] | None:
        """The last answer of a target, for its tag."""
        return self._known.get(target)

    def keep(self, target: str, answer: Answer[Any, Any]) -> None:
        """Keeps an answer that has a tag; the oldest goes."""
        if answer.etag is None or self.kept == 0:
            return
        self._known.pop(target, None)
        self._known[target] = answer
        if len(self._known) > self.kept:
            self._known.popitem(last=False)

    def _heard(self, reply: Reply) -> None:
        quota = quota_of(reply.headers)
        if quota is not None and quota.remaining == 0:
            self._closed_until = time.monotonic() + quota.resets_at / 1000 - time.time()

    def steps(self, safe: bool, timeout: float) -> Generator[Send | Pause, Outcome, Reply]:
        """
        What to do until there is a reply that may not pass. A pause that would exceed the deadline does not begin: the
        reply of the service, or the error, comes at once. One that is not safe to repeat is repeated after 429 only.
        """
        end = time.monotonic() + timeout
        attempt = 0
        while True:
            attempt += 1
            closed = self._closed_until - time.monotonic()
            # Where the quota resets too late, the service says so itself.
            if 0 < closed and self._closed_until < end:
                yield Pause(closed)
            within = end - time.monotonic()
            if within <= 0:
                raise Timeout(f"no answer within {timeout:g} s", code="timeout")
            outcome = yield Send(within)
            reply = outcome if isinstance(outcome, Reply) else None
            if reply is not None:
                self._heard(reply)
            pause = _pause_after(reply, attempt)
            last = attempt > self.retries or time.monotonic() + pause >= end
            if reply is not None and (last or not may_pass(reply.status, safe)):
                return reply
            if isinstance(outcome, TimeoutError):
                raise Timeout(f"no answer within {timeout:g} s", code="timeout") from outcome
            if isinstance(outcome, Exception) and (last or not safe):
                raise NoConnection(f"no answer: {outcome!r}", code="network") from outcome
            yield Pause(pause)
