"""A client of the Tidemark crypto market data API."""

from . import refusals, v1, v2
from .answer import Answer
from .client import AsyncTidemark, Tidemark
from .errors import NoConnection, Quota, SubscriptionError, TidemarkError, Timeout
from .pages import AsyncPages, Pages
from .patch import patched
from .request import Act, Query, Table, utc
from .subscription import Events, Update

__all__ = [
    "Act",
    "Answer",
    "AsyncPages",
    "AsyncTidemark",
    "Events",
    "NoConnection",
    "Pages",
    "Query",
    "Quota",
    "SubscriptionError",
    "Table",
    "Tidemark",
    "TidemarkError",
    "Timeout",
    "Update",
    "patched",
    "refusals",
    "utc",
    "v1",
    "v2",
]
