"""Errors of requests and subscriptions, and the quota that answers state."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Quota:
    """The quota of the account, or of the address without a key."""

    limit: int
    """Requests a window."""
    remaining: int
    resets_at: int
    """End of the window, Unix ms."""


def quota_of(headers: Mapping[str, str]) -> Quota | None:
    """The quota in `RateLimit` and `RateLimit-Policy`; None where an answer states none."""

    def read(header: str, name: str) -> int | None:
        found = re.search(rf";\s*{name}=(\d+)", headers.get(header, ""))
        return int(found[1]) if found else None

    limit, remaining = read("ratelimit-policy", "q"), read("ratelimit", "r")
    seconds = read("ratelimit", "t")
    if limit is None or remaining is None or seconds is None:
        return None
    return Quota(limit, remaining, round((time.time() + seconds) * 1000))


class TidemarkError(Exception):
    """An answer that is an error, or a request without an answer. `refusals` has a class for each code."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str = "internal",
        headers: Mapping[str, str] | None = None,
        parameter: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        """HTTP status; 0 without an answer."""
        self.code = code
        """That of the service; `internal` where a proxy answers without one, `timeout` or `network` where nothing does."""
        self.parameter = parameter
        """The parameter that the message of a 400 names; None where it names none."""
        self.headers: Mapping[str, str] = headers or {}
        self.quota = quota_of(self.headers)


class Timeout(TidemarkError):
    """No answer within the deadline."""


class NoConnection(TidemarkError):
    """The service cannot be reached, or the connection broke."""


class SubscriptionError(Exception):
    """
    A subscription that has ended: the service refuses it, or a message of it cannot be read (`internal`). Another connection
    would not mend that.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
