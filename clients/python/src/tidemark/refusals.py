# Made from the description of the API by `npm run docs`.
"""A class for each error of the API."""

from __future__ import annotations

from .errors import TidemarkError


class BadParameter(TidemarkError):
    """400: a parameter is not valid."""


class BadRequest(TidemarkError):
    """400: the request must have one valid Content-Length or Transfer-Encoding: chunked."""


class Unauthorized(TidemarkError):
    """401: a valid API key is required."""


class Forbidden(TidemarkError):
    """403: your plan does not allow this."""


class NotFound(TidemarkError):
    """404: there is nothing at this path."""


class UnknownSymbol(TidemarkError):
    """404: unknown symbol."""


class UnknownExchange(TidemarkError):
    """404: unknown exchange."""


class MethodNotAllowed(TidemarkError):
    """405: this path does not take this method."""


class RequestTimeout(TidemarkError):
    """408: the rest of the request body did not arrive; chunk extensions are not understood."""


class TooLarge(TidemarkError):
    """413: the request body is too large."""


class UnsupportedMediaType(TidemarkError):
    """415: the request body must be application/json."""


class NotEnoughData(TidemarkError):
    """422: there is not enough data."""


class TooManyRequests(TidemarkError):
    """429: the request quota is used up."""


class Internal(TidemarkError):
    """500: internal error."""


class UpstreamFailed(TidemarkError):
    """502: the upstream request failed."""


class WarmingUp(TidemarkError):
    """503: the service has no data yet, try again shortly."""


class TooOld(TidemarkError):
    """503: the newest reading is older than max_age allows."""


class Overloaded(TidemarkError):
    """503: too many requests are waiting for upstreams, try again shortly."""


class StoreUnavailable(TidemarkError):
    """503: the service cannot reach its own data store, try again shortly."""


BY_CODE: dict[str, type[TidemarkError]] = {
    "bad_parameter": BadParameter,
    "bad_request": BadRequest,
    "unauthorized": Unauthorized,
    "forbidden": Forbidden,
    "not_found": NotFound,
    "unknown_symbol": UnknownSymbol,
    "unknown_exchange": UnknownExchange,
    "method_not_allowed": MethodNotAllowed,
    "request_timeout": RequestTimeout,
    "too_large": TooLarge,
    "unsupported_media_type": UnsupportedMediaType,
    "not_enough_data": NotEnoughData,
    "too_many_requests": TooManyRequests,
    "internal": Internal,
    "upstream_failed": UpstreamFailed,
    "warming_up": WarmingUp,
    "too_old": TooOld,
    "overloaded": Overloaded,
    "store_unavailable": StoreUnavailable,
}
"""The classes by the code in the answer."""
