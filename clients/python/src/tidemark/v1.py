# Made from the description of the API by `npm run docs`.
"""The requests of `/v1`: a `Query` is for `get`, `pages` or `subscribe` of a client, an `Act` for `send`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from .request import Act, Query, Table, Time, Words

if TYPE_CHECKING:
    from . import types as t


@overload
def prices(
    *,
    at: Time,
    symbol: str | None = None,
    symbols: Words | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.PricesAt, t.PricesAtItem]: ...


@overload
def prices(
    *,
    symbol: str,
    symbols: Words | None = None,
    explain: bool | None = None,
    at: None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.PriceOfSymbol, dict[str, Any]]: ...


@overload
def prices(
    *,
    symbols: Words,
    symbol: None = None,
    explain: bool | None = None,
    at: None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.PricesOfSymbols, dict[str, Any]]: ...


@overload
def prices(
    *,
    symbol: None = None,
    symbols: None = None,
    explain: bool | None = None,
    at: None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[dict[str, t.PriceSummary], dict[str, Any]]: ...


def prices(
    *,
    symbol: str | None = None,
    symbols: Words | None = None,
    explain: bool | None = None,
    at: Time | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[Any, Any]:
    """Last traded prices over all exchanges, one symbol, several or all.

    `GET /v1/prices`

    symbol: Base asset, in any case, or a pair of it (`BTCUSDT`, `BTC-USDT`, `BTC/USDT:USDT`). All symbols when absent.
    symbols: Base assets with commas between them, at most 100, instead of `symbol`.
    explain: 1 adds `explanation`: the inputs of the main number with their markets, ages, conversions, weights and exclusions, from which it can be computed again.
    at: The recorded state at this time, Unix ms or ISO 8601, of one `symbol`: the newest sample that was taken by then, with its time. 404 before the records begin.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/prices",
        {"symbol": symbol, "symbols": symbols, "explain": explain, "at": at, "max_age": max_age, "wait": wait},
        (
            Table("items", "kind @sampled_at backfilled average_price volume_24h_usd"),
            Table("exchanges", "price volume_24h markets @updated_at @venue_time @unheard_since market kind quote excluded", key="exchange"),
            Table("symbols", "average_price median_price disputed exchange_count exchanges stale_exchanges suspect explanation.field explanation.result explanation.method explanation.rule explanation.inputs", key="symbol"),
            Table(None, "average_price disputed exchange_count @updated_at @unheard_since", key="symbol"),
        ),
    )


@overload
def open_interest(
    *,
    at: Time,
    symbol: str | None = None,
    symbols: Words | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.OpenInterestAt, t.OpenInterestAtItem]: ...


@overload
def open_interest(
    *,
    symbol: str,
    symbols: Words | None = None,
    explain: bool | None = None,
    at: None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.OpenInterestOfSymbol, dict[str, Any]]: ...


@overload
def open_interest(
    *,
    symbols: Words,
    symbol: None = None,
    explain: bool | None = None,
    at: None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.OpenInterestOfSymbols, dict[str, Any]]: ...


@overload
def open_interest(
    *,
    symbol: None = None,
    symbols: None = None,
    explain: bool | None = None,
    at: None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[dict[str, t.OpenInterestSummary], dict[str, Any]]: ...


def open_interest(
    *,
    symbol: str | None = None,
    symbols: Words | None = None,
    explain: bool | None = None,
    at: Time | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[Any, Any]:
    """Open interest of perpetuals over all exchanges, one symbol, several or all.

    `GET /v1/open-interest`

    symbol: Base asset, in any case, or a pair of it (`BTCUSDT`, `BTC-USDT`, `BTC/USDT:USDT`). All symbols when absent.
    symbols: Base assets with commas between them, at most 100, instead of `symbol`.
    explain: 1 adds `explanation`: the inputs of the main number with their markets, ages, conversions, weights and exclusions, from which it can be computed again.
    at: The recorded state at this time, Unix ms or ISO 8601, of one `symbol`: the newest sample that was taken by then, with its time. 404 before the records begin.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/open-interest",
        {"symbol": symbol, "symbols": symbols, "explain": explain, "at": at, "max_age": max_age, "wait": wait},
        (
            Table("items", "exchange margin @sampled_at backfilled open_interest_usd open_interest_base"),
            Table("exchanges", "oi_usd oi_contracts @updated_at @venue_time mark_price excluded", key="exchange"),
            Table("symbols", "total_oi_usd exchange_count exchanges stale_exchanges suspect explanation.field explanation.result explanation.method explanation.rule explanation.inputs", key="symbol"),
            Table(None, "total_oi_usd exchange_count", key="symbol"),
        ),
    )


def exchanges() -> Query[t.Exchanges, t.Exchange]:
    """The exchanges there are, and what each of them offers here.

    `GET /v1/exchanges`"""
    return Query(
        "/v1/exchanges",
        {},
        (
            Table("exchanges", "id name kinds capabilities orderbook_cap example"),
        ),
    )


def instruments(
    *,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    symbol: str | None = None,
    kind: Literal["spot", "perpetual", "future", "other"] | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.Instruments, t.Instrument]:
    """Every market of every exchange: its own symbol, base, quote, contract, unified name.

    `GET /v1/instruments`

    exchange: Exchange id.
    symbol: Base asset, a pair in a usual spelling (`BTC/USDT`, `BTC-USDT`), or an exchange's own symbol. All when absent.
    kind: All kinds when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/instruments",
        {"exchange": exchange, "symbol": symbol, "kind": kind, "max_age": max_age, "wait": wait},
        (
            Table("instruments", "exchange market name unified kind base quote contract_size margin_type @expiry funding_interval_hours tick_size max_leverage"),
        ),
    )


def orderbook(
    *,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"],
    symbol: str,
    depth: int | None = None,
    kind: Literal["spot", "perpetual"] | None = None,
    max_age: int | None = None,
) -> Query[t.Orderbook, dict[str, Any]]:
    """Order book of one market, live where it is kept, else asked of the exchange at once, with spread and mid price.

    `GET /v1/orderbook`

    exchange: Exchange id.
    symbol: The exchange's own symbol, a pair in a usual spelling (`BTC/USDT`, `BTC/USDT:USDT`, `BTC-USDT`, `btcusdt`), or a base asset, which stands for its most traded dollar market (spot first).
    depth: Levels a side; cut to the 20 or 50 that the exchange is served with.
    kind: Which market is meant where an exchange uses one symbol for both; spot when the exchange lists it there.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/orderbook",
        {"exchange": exchange, "symbol": symbol, "depth": depth, "kind": kind, "max_age": max_age},
        (),
    )


def orderbook_deep(
    *,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"],
    symbol: str,
    depth: int | None = None,
    kind: Literal["spot", "perpetual"] | None = None,
    max_age: int | None = None,
) -> Query[t.Orderbook, dict[str, Any]]:
    """Order book of one market to 1000 levels a side, live where it is kept.

    `GET /v1/orderbook/deep`

    exchange: Exchange id.
    symbol: The exchange's own symbol, a pair in a usual spelling (`BTC/USDT`, `BTC/USDT:USDT`, `BTC-USDT`, `btcusdt`), or a base asset, which stands for its most traded dollar market (spot first).
    depth: Levels a side; fewer where the exchange gives fewer (docs/order-books.md).
    kind: Which market is meant where an exchange uses one symbol for both; spot when the exchange lists it there.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/orderbook/deep",
        {"exchange": exchange, "symbol": symbol, "depth": depth, "kind": kind, "max_age": max_age},
        (),
    )


def bars(
    *,
    symbol: str | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc", "all"] | None = None,
    interval: Literal["1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "8h", "12h", "1d", "3d", "1w", "1M"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    kind: Literal["spot", "perpetual"] | None = None,
    max_age: int | None = None,
) -> Query[t.Bars, t.Bar]:
    """OHLCV candles of one market, or of an asset over exchanges.

    `GET /v1/bars`

    symbol: The exchange's own symbol, a pair in a usual spelling (`BTC/USDT`, `BTC/USDT:USDT`, `BTC-USDT`, `btcusdt`), or a base asset, which stands for its most traded dollar market (spot first).
    exchange: Exchange id, or `all`: volume-weighted over the ten exchanges with the largest turnover (docs/numbers.md).
    interval: Candle length, one that the exchange has or that its shorter ones make up; `1m` with `from` or `to` only.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    kind: Which market is meant where an exchange uses one symbol for both; spot when the exchange lists it there.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/bars",
        {"symbol": symbol, "exchange": exchange, "interval": interval, "limit": limit, "from": from_, "to": to, "kind": kind, "max_age": max_age},
        (
            Table("bars", "@timestamp open high low close volume volume_usd closed exchange_count"),
        ),
    )


def trades(
    *,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"],
    symbol: str,
    limit: int | None = None,
    kind: Literal["spot", "perpetual"] | None = None,
    max_age: int | None = None,
) -> Query[t.Trades, t.TradesItem]:
    """The newest public trades of one market, out of the stream where it is heard, else asked of the exchange.

    `GET /v1/trades`

    exchange: Exchange id.
    symbol: The exchange's own symbol, a pair in a usual spelling (`BTC/USDT`, `BTC/USDT:USDT`, `BTC-USDT`, `btcusdt`), or a base asset, which stands for its most traded dollar market (spot first).
    limit: Most trades (of a stream in `mode=log`: past ones); fewer where the exchange gives fewer, which is 60 to 150 at some.
    kind: Which market is meant where an exchange uses one symbol for both; spot when the exchange lists it there.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/trades",
        {"exchange": exchange, "symbol": symbol, "limit": limit, "kind": kind, "max_age": max_age},
        (
            Table("items", "id @timestamp side price quantity value_usd"),
        ),
    )


def spot_orderbook_aggregated(
    *,
    symbol: str,
    exchange: Words | None = None,
    step: float | None = None,
    limit: int | None = None,
    max_age: int | None = None,
) -> Query[t.SpotOrderbookAggregated, dict[str, Any]]:
    """Spot order books of an asset at several exchanges as one.

    `GET /v1/spot/orderbook/aggregated`

    symbol: Base asset or a market of it, in any spelling.
    exchange: Exchange ids, separated by commas. The ten with the largest turnover of the asset when absent.
    step: Step of prices; a ten-thousandth of the mid price, rounded, when absent.
    limit: Most levels a side.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/spot/orderbook/aggregated",
        {"symbol": symbol, "exchange": exchange, "step": step, "limit": limit, "max_age": max_age},
        (),
    )


def spot_orderbook_history(
    *,
    symbol: str,
    exchange: Literal["aggregated", "binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "4h", "1d"] | None = None,
    limit: int | None = None,
    range_percent: float | None = None,
    max_age: int | None = None,
) -> Query[t.SpotOrderbookHistory, t.SpotOrderbookHistoryPoint]:
    """Orders near the mid price of spot markets over time.

    `GET /v1/spot/orderbook/history`

    symbol: Base asset or a market of it, in any spelling.
    exchange: Exchange id.
    interval: Candle length.
    limit: Newest intervals.
    range_percent: Percent of the mid price: 0.25, 0.5, 1, 2 or 5.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/spot/orderbook/history",
        {"symbol": symbol, "exchange": exchange, "interval": interval, "limit": limit, "range_percent": range_percent, "max_age": max_age},
        (
            Table("points", "@timestamp bids_usd asks_usd bids_base asks_base bid_ask_ratio mid_price"),
        ),
    )


def futures_orderbook_heatmap(
    *,
    symbol: str | None = None,
    exchange: Literal["aggregated", "binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    limit: int | None = None,
    max_age: int | None = None,
) -> Query[t.OrderbookHeatmap, dict[str, Any]]:
    """Order books of the perpetuals of an asset over time, by price.

    `GET /v1/futures/orderbook-heatmap`

    symbol: Base asset or a market of it, in any spelling.
    exchange: Exchange id.
    limit: Newest minutes.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/futures/orderbook-heatmap",
        {"symbol": symbol, "exchange": exchange, "limit": limit, "max_age": max_age},
        (),
    )


def spot_orderbook_heatmap(
    *,
    symbol: str | None = None,
    exchange: Literal["aggregated", "binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    limit: int | None = None,
    max_age: int | None = None,
) -> Query[t.OrderbookHeatmap, dict[str, Any]]:
    """Order books of the spot markets of an asset over time, by price.

    `GET /v1/spot/orderbook-heatmap`

    symbol: Base asset or a market of it, in any spelling.
    exchange: Exchange id.
    limit: Newest minutes.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/spot/orderbook-heatmap",
        {"symbol": symbol, "exchange": exchange, "limit": limit, "max_age": max_age},
        (),
    )


def spot_large_orders(
    *,
    symbol: str,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    min_usd: float | None = None,
    limit: int | None = None,
    max_age: int | None = None,
) -> Query[t.LargeOrders, t.LargeOrdersItem]:
    """Large resting orders of spot markets.

    `GET /v1/spot/large-orders`

    symbol: Base asset or a market of it, in any spelling.
    exchange: Exchange id. All exchanges when absent.
    min_usd: Least value, US dollars.
    limit: Most orders.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/spot/large-orders",
        {"symbol": symbol, "exchange": exchange, "min_usd": min_usd, "limit": limit, "max_age": max_age},
        (
            Table("items", "exchange pair side price quantity value_usd initial_value_usd distance_percent state @first_seen @last_seen"),
        ),
    )


def futures_large_orders(
    *,
    symbol: str | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    min_usd: float | None = None,
    limit: int | None = None,
    max_age: int | None = None,
) -> Query[t.LargeOrders, t.LargeOrdersItem]:
    """Large resting orders of perpetuals.

    `GET /v1/futures/large-orders`

    symbol: Base asset or a market of it, in any spelling.
    exchange: Exchange id. All exchanges when absent.
    min_usd: Least value, US dollars.
    limit: Most orders.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/futures/large-orders",
        {"symbol": symbol, "exchange": exchange, "min_usd": min_usd, "limit": limit, "max_age": max_age},
        (
            Table("items", "exchange pair side price quantity value_usd initial_value_usd distance_percent state @first_seen @last_seen"),
        ),
    )


@overload
def liquidity(
    *,
    at: Time,
    symbol: str | None = None,
    kind: Literal["spot", "perpetual"] | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc", "dydx"] | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.LiquidityAt, t.LiquidityAtItem]: ...


@overload
def liquidity(
    *,
    symbol: str | None = None,
    kind: Literal["spot", "perpetual"] | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc", "dydx"] | None = None,
    explain: bool | None = None,
    at: None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.LiquidityOfBooks, t.LiquidityOfBooksItem]: ...


def liquidity(
    *,
    symbol: str | None = None,
    kind: Literal["spot", "perpetual"] | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc", "dydx"] | None = None,
    explain: bool | None = None,
    at: Time | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[Any, Any]:
    """Spread, depth and slippage of the order books of an asset, by exchange.

    `GET /v1/liquidity`

    symbol: Base asset or a market of it, in any spelling.
    kind: Spot markets or perpetuals; both when absent.
    exchange: Exchange id.
    explain: 1 asks for the book of `exchange` (of `kind`, spot when absent) now, and adds its levels, from which all numbers can be computed again.
    at: The recorded state at this time, Unix ms or ISO 8601, of one `symbol`: the newest sample that was taken by then, with its time. 404 before the records begin.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/liquidity",
        {"symbol": symbol, "kind": kind, "exchange": exchange, "explain": explain, "at": at, "max_age": max_age, "wait": wait},
        (
            Table("items", "exchange kind @sampled_at backfilled spread_percent depth slippage"),
            Table("items", "exchange market kind mid_price spread_percent depth slippage @as_of explanation.rule explanation.most_levels explanation.bids explanation.asks"),
        ),
    )


def liquidity_history(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc", "dydx"] | None = None,
    kind: Literal["spot", "perpetual"] | None = None,
    depth_percent: float | None = None,
    order_usd: float | None = None,
    max_age: int | None = None,
) -> Query[t.LiquidityHistory, t.LiquidityHistoryPoint]:
    """Spread, depth and slippage of an order book over time, recorded each minute.

    `GET /v1/liquidity/history`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange id.
    kind: Kind of the market.
    depth_percent: Distance from the mid price in percent: 0.1, 0.5, 1, 2, 5.
    order_usd: Size of the order in US dollars: 1000, 10000, 100000, 1000000.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/liquidity/history",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "kind": kind, "depth_percent": depth_percent, "order_usd": order_usd, "max_age": max_age},
        (
            Table("points", "@timestamp spread_percent bid_depth_usd ask_depth_usd slippage_buy slippage_sell"),
        ),
    )


@overload
def funding_rates(
    *,
    at: Time,
    symbol: str | None = None,
    symbols: Words | None = None,
    explain: bool | None = None,
    limit: int | None = None,
    offset: int | None = None,
    sort: Literal["rate", "exchanges", "annualized"] | None = None,
    detail: Literal["summary", "full"] | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.FundingRatesAt, t.FundingRatesAtItem]: ...


@overload
def funding_rates(
    *,
    symbol: str,
    symbols: Words | None = None,
    explain: bool | None = None,
    at: None = None,
    limit: int | None = None,
    offset: int | None = None,
    sort: Literal["rate", "exchanges", "annualized"] | None = None,
    detail: Literal["summary", "full"] | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.FundingRatesOfSymbol, t.FundingRatesOfSymbolRate]: ...


@overload
def funding_rates(
    *,
    symbols: Words,
    symbol: None = None,
    explain: bool | None = None,
    at: None = None,
    limit: int | None = None,
    offset: int | None = None,
    sort: Literal["rate", "exchanges", "annualized"] | None = None,
    detail: Literal["summary", "full"] | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.FundingRatesOfSymbols, dict[str, Any]]: ...


@overload
def funding_rates(
    *,
    symbol: None = None,
    symbols: None = None,
    explain: bool | None = None,
    at: None = None,
    limit: int | None = None,
    offset: int | None = None,
    sort: Literal["rate", "exchanges", "annualized"] | None = None,
    detail: Literal["summary", "full"] | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.FundingRatesPage, t.FundingRatesPageItem]: ...


def funding_rates(
    *,
    symbol: str | None = None,
    symbols: Words | None = None,
    explain: bool | None = None,
    at: Time | None = None,
    limit: int | None = None,
    offset: int | None = None,
    sort: Literal["rate", "exchanges", "annualized"] | None = None,
    detail: Literal["summary", "full"] | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[Any, Any]:
    """Funding rates of every perpetual on every exchange, one symbol, several or all.

    `GET /v1/funding-rates`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    symbols: Base assets with commas between them, at most 100, instead of `symbol`.
    explain: 1 adds `explanation`: the inputs of the main number with their markets, ages, conversions, weights and exclusions, from which it can be computed again.
    at: The recorded state at this time, Unix ms or ISO 8601, of one `symbol`: the newest sample that was taken by then, with its time. 404 before the records begin.
    limit: Without `symbol`: most symbols.
    offset: Without `symbol`: symbols to leave out at the start.
    sort: Without `symbol`, largest first: mean rate, number of exchanges, or largest annual rate of any contract, of either sign.
    detail: Without `symbol`: full adds the rates of every exchange.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/funding-rates",
        {"symbol": symbol, "symbols": symbols, "explain": explain, "at": at, "limit": limit, "offset": offset, "sort": sort, "detail": detail, "max_age": max_age, "wait": wait},
        (
            Table("items", "exchange margin @sampled_at backfilled funding_rate interval_hours"),
            Table("rates", "exchange contract quote funding_rate predicted_rate interval_hours funding_rate_8h annualized @next_funding_time mark_price index_price open_interest_usd volume_24h_usd @updated_at"),
            Table("symbols", "exchange_count contract_count average_rate_8h median_rate_8h annualized highest.exchange highest.contract highest.annualized lowest.exchange lowest.contract lowest.annualized rates stale_exchanges explanation.field explanation.result explanation.method explanation.rule explanation.inputs", key="symbol"),
            Table("items", "symbol exchange_count contract_count average_rate_8h median_rate_8h annualized highest.exchange highest.contract highest.annualized lowest.exchange lowest.contract lowest.annualized rates"),
        ),
    )


def funding_rates_vol_weighted(
    *,
    symbol: str | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.FundingRatesVolWeighted, t.FundingRatesVolWeightedExchange]:
    """Funding rate of an asset over all exchanges, weighted by turnover.

    `GET /v1/funding-rates/vol-weighted`

    symbol: Base asset or a market of it, in any spelling.
    explain: 1 adds `explanation`: the inputs of the main number with their markets, ages, conversions, weights and exclusions, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/funding-rates/vol-weighted",
        {"symbol": symbol, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("exchanges", "exchange contract funding_rate interval_hours funding_rate_8h volume_24h_usd open_interest_usd weight @next_funding_time"),
        ),
    )


def funding_rates_vol_weighted_history(
    *,
    symbol: str | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    interval: Literal["8h", "1d"] | None = None,
    exchange: Words | None = None,
    max_age: int | None = None,
) -> Query[t.FundingRatesVolWeightedHistory, t.FundingRatesVolWeightedHistoryPoint]:
    """Settled funding rates of an asset over all exchanges and over time.

    `GET /v1/funding-rates/vol-weighted-history`

    symbol: Base asset or a market of it, in any spelling.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    interval: Candle length.
    exchange: Exchange ids, separated by commas. All that have such contracts when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/funding-rates/vol-weighted-history",
        {"symbol": symbol, "limit": limit, "from": from_, "to": to, "interval": interval, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp vol_weighted_rate_8h average_rate_8h weighted_count total_volume_usd exchange_count"),
        ),
    )


def funding_rates_oi_weighted_history(
    *,
    symbol: str | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    interval: Literal["8h", "1d"] | None = None,
    exchange: Words | None = None,
    max_age: int | None = None,
) -> Query[t.FundingRatesOiWeightedHistory, t.FundingRatesOiWeightedHistoryPoint]:
    """Settled funding rates of an asset over time, weighted by open interest of that time.

    `GET /v1/funding-rates/oi-weighted-history`

    symbol: Base asset or a market of it, in any spelling.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    interval: Candle length.
    exchange: Exchange ids, separated by commas. All that have such contracts when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/funding-rates/oi-weighted-history",
        {"symbol": symbol, "limit": limit, "from": from_, "to": to, "interval": interval, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp funding_rate_8h annualized average_rate_8h open_interest_usd exchange_count"),
        ),
    )


def funding_rates_cumulative(
    *,
    symbol: str | None = None,
    range: Literal["1d", "7d", "30d", "90d"] | None = None,
    exchange: Words | None = None,
    max_age: int | None = None,
) -> Query[t.FundingRatesCumulative, t.FundingRatesCumulativePoint]:
    """Funding that a constant long paid, by exchange.

    `GET /v1/funding-rates/cumulative`

    symbol: Base asset or a market of it, in any spelling.
    range: Time until now.
    exchange: Exchange ids, separated by commas. All that have such contracts when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/funding-rates/cumulative",
        {"symbol": symbol, "range": range, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp"),
        ),
    )


def funding_rates_predicted_history(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Words | None = None,
    max_age: int | None = None,
) -> Query[t.FundingRatesPredictedHistory, t.FundingRatesPredictedHistoryPoint]:
    """Rates that exchanges stated for the next settlement, over time.

    `GET /v1/funding-rates/predicted-history`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange ids, separated by commas. All that have such contracts when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/funding-rates/predicted-history",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp average_rate_8h median_rate_8h exchange_count exchanges"),
        ),
    )


def funding_arbitrage(
    *,
    min_apr: float | None = None,
    limit: int | None = None,
    symbol: str | None = None,
    min_volume: float | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.FundingArbitrage, t.FundingArbitrageItem]:
    """Pairs of perpetuals with different funding rates: long on one exchange, short on another.

    `GET /v1/funding-arbitrage`

    min_apr: Least annual rate of the pair, percent.
    limit: Most pairs.
    symbol: Base asset or a market of it, in any spelling: every pair of it. The best pair of each symbol when absent.
    min_volume: Least turnover of 24 hours of either side, USD.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/funding-arbitrage",
        {"min_apr": min_apr, "limit": limit, "symbol": symbol, "min_volume": min_volume, "max_age": max_age, "wait": wait},
        (
            Table("items", "symbol long.exchange long.contract long.funding_rate long.interval_hours long.annualized @long.next_funding_time long.mark_price long.open_interest_usd long.volume_24h_usd short.exchange short.contract short.funding_rate short.interval_hours short.annualized @short.next_funding_time short.mark_price short.open_interest_usd short.volume_24h_usd apr_percent basis_percent"),
        ),
    )


def liquidations_orders(
    *,
    symbol: str | None = None,
    side: Literal["long", "short"] | None = None,
    min_usd: float | None = None,
    limit: int | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "dydx", "aster", "lighter", "deribit", "bitfinex", "kraken", "htx"] | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.LiquidationsOrders, t.LiquidationsOrder]:
    """The newest liquidations of all exchanges with a public feed.

    `GET /v1/liquidations/orders`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    side: Side of the position.
    min_usd: Least value, US dollars.
    limit: Most events.
    exchange: Exchange id. All exchanges when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/liquidations/orders",
        {"symbol": symbol, "side": side, "min_usd": min_usd, "limit": limit, "exchange": exchange, "max_age": max_age, "wait": wait},
        (
            Table("orders", "exchange symbol contract side price price_kind quantity_base value_usd @timestamp"),
        ),
    )


def liquidations_feed(
    *,
    symbol: str | None = None,
    side: Literal["long", "short"] | None = None,
    min_usd: float | None = None,
    limit: int | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.LiquidationsFeed, t.LiquidationsFeedOrder]:
    """The newest liquidation orders of Binance.

    `GET /v1/liquidations/feed`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    side: Side of the position.
    min_usd: Least value, US dollars.
    limit: Most events.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/liquidations/feed",
        {"symbol": symbol, "side": side, "min_usd": min_usd, "limit": limit, "max_age": max_age, "wait": wait},
        (
            Table("orders", "symbol pair side order_side price average_price quantity_base value_usd order_type time_in_force status @timestamp"),
        ),
    )


def analytics_okx_liquidations(
    *,
    symbol: str | None = None,
    side: Literal["long", "short"] | None = None,
    min_usd: float | None = None,
    limit: int | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.AnalyticsOkxLiquidations, t.AnalyticsOkxLiquidationsOrder]:
    """The newest liquidation orders of OKX.

    `GET /v1/analytics/okx/liquidations`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    side: Side of the position.
    min_usd: Least value, US dollars.
    limit: Most events.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/analytics/okx/liquidations",
        {"symbol": symbol, "side": side, "min_usd": min_usd, "limit": limit, "max_age": max_age, "wait": wait},
        (
            Table("orders", "symbol contract side price price_kind quantity_contracts quantity_base value_usd bankruptcy_loss @timestamp"),
        ),
    )


def liquidations_coin_list(
    *,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "dydx", "aster", "lighter", "deribit", "bitfinex", "kraken", "htx"] | None = None,
    symbol: str | None = None,
    limit: int | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.LiquidationsCoinList, t.LiquidationsCoinListItem]:
    """Sums of liquidations of 1, 4, 12 and 24 hours by symbol.

    `GET /v1/liquidations/coin-list`

    exchange: Exchange id. All exchanges when absent.
    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    limit: Most symbols.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/liquidations/coin-list",
        {"exchange": exchange, "symbol": symbol, "limit": limit, "max_age": max_age, "wait": wait},
        (
            Table("items", "symbol liquidation_usd_1h long_1h_usd short_1h_usd liquidation_usd_4h long_4h_usd short_4h_usd liquidation_usd_12h long_12h_usd short_12h_usd liquidation_usd_24h long_24h_usd short_24h_usd largest_order_usd_24h"),
        ),
    )


def liquidations_exchange_list(
    *,
    symbol: str | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "dydx", "aster", "lighter", "deribit", "bitfinex", "kraken", "htx"] | None = None,
    range: Literal["1h", "4h", "12h", "24h"] | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.LiquidationsExchangeList, t.LiquidationsExchangeListItem]:
    """Sums of liquidations by exchange.

    `GET /v1/liquidations/exchange-list`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    exchange: Exchange id. All of them, and their sum, when absent.
    range: Time before now.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/liquidations/exchange-list",
        {"symbol": symbol, "exchange": exchange, "range": range, "max_age": max_age, "wait": wait},
        (
            Table("items", "exchange liquidation_usd long_usd short_usd long_ratio order_count share"),
        ),
    )


def liquidations_aggregated_history(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "dydx", "aster", "lighter", "deribit", "bitfinex", "kraken", "htx"] | None = None,
    max_age: int | None = None,
) -> Query[t.LiquidationsAggregatedHistory, t.LiquidationsAggregatedHistoryPoint]:
    """Liquidations of an asset over time, of all exchanges and each.

    `GET /v1/liquidations/aggregated-history`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange id. All exchanges when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/liquidations/aggregated-history",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp long_usd short_usd total_usd order_count exchanges"),
        ),
    )


def liquidations_map(
    *,
    symbol: str | None = None,
    range: Literal["1d", "7d", "30d"] | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    max_age: int | None = None,
) -> Query[t.LiquidationsMap, t.LiquidationsMapLevel]:
    """Where positions would be liquidated: an estimate.

    `GET /v1/liquidations/map`

    symbol: Base asset or a market of it, in any spelling.
    range: Time before now.
    exchange: Exchange id.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/liquidations/map",
        {"symbol": symbol, "range": range, "exchange": exchange, "max_age": max_age},
        (
            Table("levels", "price side value_usd by_leverage cumulative_usd"),
        ),
    )


@overload
def liquidations_max_pain(
    *,
    symbol: str,
    range: Literal["1d", "7d", "30d"] | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    max_age: int | None = None,
) -> Query[t.LiquidationMaxPain, dict[str, Any]]: ...


@overload
def liquidations_max_pain(
    *,
    symbol: None = None,
    range: Literal["1d", "7d", "30d"] | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    max_age: int | None = None,
) -> Query[t.LiquidationMaxPainList, t.LiquidationMaxPain]: ...


def liquidations_max_pain(
    *,
    symbol: str | None = None,
    range: Literal["1d", "7d", "30d"] | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    max_age: int | None = None,
) -> Query[Any, Any]:
    """The price at which most would be liquidated: an estimate.

    `GET /v1/liquidations/max-pain`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    range: Time before now.
    exchange: Exchange id.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/liquidations/max-pain",
        {"symbol": symbol, "range": range, "exchange": exchange, "max_age": max_age},
        (
            Table("items", "symbol exchange range current_price long_max_pain_price long_max_pain_value_usd long_max_pain_distance_percent short_max_pain_price short_max_pain_value_usd short_max_pain_distance_percent max_pain_price max_pain_value_usd max_pain_distance_percent @updated_at stale"),
        ),
    )


def liquidations_heatmap(
    *,
    symbol: str | None = None,
    range: Literal["1d", "7d", "30d"] | None = None,
    exchange: Words | None = None,
    max_age: int | None = None,
) -> Query[t.LiquidationsHeatmap, dict[str, Any]]:
    """Where positions would have been liquidated by time and price: an estimate.

    `GET /v1/liquidations/heatmap`

    symbol: Base asset or a market of it, in any spelling.
    range: Time before now.
    exchange: Exchange ids, separated by commas. Of binance, okx, bybit, bitget, gate, hyperliquid, dydx, aster, backpack, whitebit, lighter, deribit, bitfinex, cryptocom, kraken, coinbase, bingx, phemex, woo, bitstamp, htx, kucoin, mexc; binance, bybit, okx, gate, bitget when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/liquidations/heatmap",
        {"symbol": symbol, "range": range, "exchange": exchange, "max_age": max_age},
        (),
    )


def overview(
    *,
    symbol: str | None = None,
    limit: int | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.Overview, t.OverviewItem]:
    """Price, funding, open interest and turnover of one asset, or of those with the largest open interest.

    `GET /v1/overview`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    limit: Without `symbol`: most assets.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/overview",
        {"symbol": symbol, "limit": limit, "max_age": max_age, "wait": wait},
        (
            Table("items", "symbol price price_change_1h_percent price_change_24h_percent price_change_24h_basis high_24h low_24h spot_volume_24h_usd futures_volume_24h_usd open_interest_usd open_interest_change_1h_percent open_interest_change_24h_percent funding_rate_8h funding_annualized long_short_ratio long_short_ratio_basis liquidation_usd_24h long_liquidation_usd_24h short_liquidation_usd_24h spot_exchange_count futures_exchange_count @updated_at"),
        ),
    )


def spot_supported_coins(
    *,
    symbol: str | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.SpotSupportedCoins, t.SpotSupportedCoin]:
    """Assets with a spot market against dollars, and the exchanges that list them.

    `GET /v1/spot/supported-coins`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    exchange: Exchange id. All exchanges when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/spot/supported-coins",
        {"symbol": symbol, "exchange": exchange, "max_age": max_age, "wait": wait},
        (
            Table("coins", "symbol exchange_count exchanges"),
        ),
    )


def spot_coins_markets(
    *,
    symbol: str | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    limit: int | None = None,
    offset: int | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.SpotCoinsMarkets, t.SpotCoinsMarketsItem]:
    """Assets by spot turnover: price, change, range and turnover over all exchanges.

    `GET /v1/spot/coins-markets`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    exchange: Exchange id. All exchanges when absent.
    limit: Most rows.
    offset: Rows to leave out at the start.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/spot/coins-markets",
        {"symbol": symbol, "exchange": exchange, "limit": limit, "offset": offset, "max_age": max_age, "wait": wait},
        (
            Table("items", "symbol price price_change_1h_percent price_change_24h_percent price_change_24h_basis volume_24h_usd volume_share high_24h low_24h exchange_count buy_volume_24h_usd sell_volume_24h_usd @updated_at disputed outliers old_since"),
        ),
    )


def spot_pairs_markets(
    *,
    symbol: str | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    limit: int | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.SpotPairsMarkets, t.SpotPairsMarketsItem]:
    """Spot markets of every exchange by turnover.

    `GET /v1/spot/pairs-markets`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    exchange: Exchange id. All exchanges when absent.
    limit: Most rows.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/spot/pairs-markets",
        {"symbol": symbol, "exchange": exchange, "limit": limit, "max_age": max_age, "wait": wait},
        (
            Table("items", "exchange pair symbol quote price bid ask spread_percent price_change_24h_percent volume_24h_base volume_24h_usd high_24h low_24h @quotes_updated_at @updated_at"),
        ),
    )


def spot_volume(
    *,
    symbol: str | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    limit: int | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.SpotVolume, t.SpotVolumeItem]:
    """The spot markets with the largest turnover, and their shares of the total.

    `GET /v1/spot/volume`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    exchange: Exchange id. All exchanges when absent.
    limit: Most rows.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/spot/volume",
        {"symbol": symbol, "exchange": exchange, "limit": limit, "max_age": max_age, "wait": wait},
        (
            Table("items", "rank exchange pair symbol volume_24h_usd price price_change_24h_percent share"),
        ),
    )


def futures_coins_markets(
    *,
    symbol: str | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    limit: int | None = None,
    offset: int | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.FuturesCoinsMarkets, t.FuturesCoinsMarketsItem]:
    """Assets by open interest: price, funding, open interest and turnover of their perpetuals.

    `GET /v1/futures/coins-markets`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    exchange: Exchange id. All exchanges when absent.
    limit: Most rows.
    offset: Rows to leave out at the start.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/futures/coins-markets",
        {"symbol": symbol, "exchange": exchange, "limit": limit, "offset": offset, "max_age": max_age, "wait": wait},
        (
            Table("items", "symbol price price_change_1h_percent price_change_24h_percent price_change_24h_basis open_interest_usd open_interest_change_1h_percent open_interest_change_24h_percent volume_24h_usd funding_rate_8h oi_volume_ratio liquidation_usd_24h long_liquidation_usd_24h short_liquidation_usd_24h long_short_ratio long_short_ratio_basis exchange_count @updated_at disputed outliers old_since"),
        ),
    )


def futures_pairs_markets(
    *,
    symbol: str | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    limit: int | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.FuturesPairsMarkets, t.FuturesPairsMarketsItem]:
    """Perpetuals of every exchange by turnover.

    `GET /v1/futures/pairs-markets`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    exchange: Exchange id. All exchanges when absent.
    limit: Most rows.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/futures/pairs-markets",
        {"symbol": symbol, "exchange": exchange, "limit": limit, "max_age": max_age, "wait": wait},
        (
            Table("items", "exchange contract symbol quote margin_type price mark_price index_price price_change_24h_percent volume_24h_usd open_interest_usd open_interest_base funding_rate funding_interval_hours funding_rate_8h @next_funding_time @updated_at"),
        ),
    )


def futures_exchange_rank(
    *,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    limit: int | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.FuturesExchangeRank, t.FuturesExchangeRankItem]:
    """Exchanges by the open interest of their perpetuals.

    `GET /v1/futures/exchange-rank`

    exchange: Exchange id. All exchanges when absent.
    limit: Most exchanges.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/futures/exchange-rank",
        {"exchange": exchange, "limit": limit, "max_age": max_age, "wait": wait},
        (
            Table("items", "rank exchange open_interest_usd volume_24h_usd liquidation_usd_24h pairs oi_share volume_share oi_volume_ratio"),
        ),
    )


def spot_gainers(
    *,
    symbol: str | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    min_volume: float | None = None,
    limit: int | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.SpotGainers, t.SpotGainersItem]:
    """Assets that rose most in 24 hours, each with its most traded spot market.

    `GET /v1/spot/gainers`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    exchange: Exchange id. All exchanges when absent.
    min_volume: Least turnover of the market in 24 hours, USD.
    limit: Most assets.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/spot/gainers",
        {"symbol": symbol, "exchange": exchange, "min_volume": min_volume, "limit": limit, "max_age": max_age, "wait": wait},
        (
            Table("items", "rank symbol exchange market quote price price_change_24h_percent price_change_24h_basis volume_24h_usd @updated_at"),
        ),
    )


def spot_losers(
    *,
    symbol: str | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    min_volume: float | None = None,
    limit: int | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.SpotGainers, t.SpotGainersItem]:
    """Assets that fell most in 24 hours, each with its most traded spot market.

    `GET /v1/spot/losers`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    exchange: Exchange id. All exchanges when absent.
    min_volume: Least turnover of the market in 24 hours, USD.
    limit: Most assets.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/spot/losers",
        {"symbol": symbol, "exchange": exchange, "min_volume": min_volume, "limit": limit, "max_age": max_age, "wait": wait},
        (
            Table("items", "rank symbol exchange market quote price price_change_24h_percent price_change_24h_basis volume_24h_usd @updated_at"),
        ),
    )


def futures_gainers(
    *,
    symbol: str | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    min_volume: float | None = None,
    limit: int | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.SpotGainers, t.SpotGainersItem]:
    """Assets that rose most in 24 hours, each with its most traded perpetual.

    `GET /v1/futures/gainers`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    exchange: Exchange id. All exchanges when absent.
    min_volume: Least turnover of the market in 24 hours, USD.
    limit: Most assets.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/futures/gainers",
        {"symbol": symbol, "exchange": exchange, "min_volume": min_volume, "limit": limit, "max_age": max_age, "wait": wait},
        (
            Table("items", "rank symbol exchange market quote price price_change_24h_percent price_change_24h_basis volume_24h_usd @updated_at"),
        ),
    )


def futures_losers(
    *,
    symbol: str | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"] | None = None,
    min_volume: float | None = None,
    limit: int | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.SpotGainers, t.SpotGainersItem]:
    """Assets that fell most in 24 hours, each with its most traded perpetual.

    `GET /v1/futures/losers`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    exchange: Exchange id. All exchanges when absent.
    min_volume: Least turnover of the market in 24 hours, USD.
    limit: Most assets.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/futures/losers",
        {"symbol": symbol, "exchange": exchange, "min_volume": min_volume, "limit": limit, "max_age": max_age, "wait": wait},
        (
            Table("items", "rank symbol exchange market quote price price_change_24h_percent price_change_24h_basis volume_24h_usd @updated_at"),
        ),
    )


def futures_coins_price_change(
    *,
    symbol: str | None = None,
    limit: int | None = None,
    sort: Literal["5m", "15m", "30m", "1h", "4h", "12h", "24h"] | None = None,
    order: Literal["desc", "asc"] | None = None,
    max_age: int | None = None,
) -> Query[t.FuturesCoinsPriceChange, t.FuturesCoinsPriceChangeItem]:
    """Assets by the change of the price of their perpetuals, over seven windows.

    `GET /v1/futures/coins-price-change`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    limit: Most assets.
    sort: The window to sort by; assets without that change are last.
    order: Largest or smallest change first.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/futures/coins-price-change",
        {"symbol": symbol, "limit": limit, "sort": sort, "order": order, "max_age": max_age},
        (
            Table("items", "symbol price price_change_percent_5m price_change_percent_15m price_change_percent_30m price_change_percent_1h price_change_percent_4h price_change_percent_12h price_change_percent_24h price_change_24h_basis price_amplitude_percent_24h"),
        ),
    )


def exchanges_volume_history(
    *,
    kind: Literal["spot", "perpetual"] | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Words | None = None,
    max_age: int | None = None,
) -> Query[t.ExchangesVolumeHistory, t.ExchangesVolumeHistoryPoint]:
    """Turnover of exchanges over time.

    `GET /v1/exchanges/volume-history`

    kind: Kind of the markets.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange ids, separated by commas. All that have such markets when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/exchanges/volume-history",
        {"kind": kind, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp volume_24h_usd exchange_count exchanges"),
        ),
    )


def futures_term_structure(
    *,
    symbol: str | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.FuturesTermStructure, t.FuturesTermStructureItem]:
    """Mark, index and basis of every contract on an asset, perpetual and dated, by expiry.

    `GET /v1/futures/term-structure`

    symbol: Base asset or a market of it, in any spelling.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/futures/term-structure",
        {"symbol": symbol, "max_age": max_age, "wait": wait},
        (
            Table("items", "exchange contract quote margin_type @expiry days_to_expiry mark_price index_price basis_percent annualized_percent open_interest_usd volume_24h_usd @updated_at"),
        ),
    )


def futures_basis_history(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "6h", "12h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Literal["binance", "okx", "bybit", "gate", "kraken", "htx", "bitget", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "coinbase", "bingx", "phemex", "woo", "bitstamp", "kucoin", "mexc"] | None = None,
    max_age: int | None = None,
) -> Query[t.FuturesBasisHistory, t.FuturesBasisHistoryPoint]:
    """Mark, index and basis of a perpetual or a dated future over time.

    `GET /v1/futures/basis/history`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange id.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/futures/basis/history",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp basis_percent mark_price index_price"),
        ),
    )


def spot_taker_buysell_history(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Literal["binance", "okx"] | None = None,
    max_age: int | None = None,
) -> Query[t.SpotTakerBuysellHistory, t.SpotTakerBuysellHistoryPoint]:
    """Bought and sold by takers, of spot markets.

    `GET /v1/spot/taker-buysell/history`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange id.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/spot/taker-buysell/history",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp taker_buy_usd taker_sell_usd taker_buy_base taker_sell_base buy_sell_ratio delta_usd closed"),
        ),
    )


def futures_taker_buysell(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Literal["binance", "okx", "kraken"] | None = None,
    max_age: int | None = None,
) -> Query[t.SpotTakerBuysellHistory, t.SpotTakerBuysellHistoryPoint]:
    """Bought and sold by takers, of perpetuals.

    `GET /v1/futures/taker-buysell`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange id.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/futures/taker-buysell",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp taker_buy_usd taker_sell_usd taker_buy_base taker_sell_base buy_sell_ratio delta_usd closed"),
        ),
    )


def analytics_taker_volume(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "6h", "12h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    max_age: int | None = None,
) -> Query[t.AnalyticsTakerVolume, t.SpotTakerBuysellHistoryPoint]:
    """Bought and sold by takers on Binance USD-M.

    `GET /v1/analytics/taker-volume`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/analytics/taker-volume",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "max_age": max_age},
        (
            Table("points", "@timestamp taker_buy_usd taker_sell_usd taker_buy_base taker_sell_base buy_sell_ratio delta_usd closed"),
        ),
    )


def analytics_okx_taker_volume(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    market: Literal["contracts", "spot"] | None = None,
    max_age: int | None = None,
) -> Query[t.AnalyticsOkxTakerVolume, t.SpotTakerBuysellHistoryPoint]:
    """Volume bought and sold by takers on OKX.

    `GET /v1/analytics/okx/taker-volume`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    market: The perpetual in USDT, or all spot markets of the asset.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/analytics/okx/taker-volume",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "market": market, "max_age": max_age},
        (
            Table("points", "@timestamp taker_buy_usd taker_sell_usd taker_buy_base taker_sell_base buy_sell_ratio delta_usd closed"),
        ),
    )


def spot_cvd_history(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Literal["binance"] | None = None,
    max_age: int | None = None,
) -> Query[t.CvdHistory, t.CvdHistoryPoint]:
    """Cumulative volume delta of spot markets: the level depends on the first point.

    `GET /v1/spot/cvd/history`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange id.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/spot/cvd/history",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp delta_usd cvd_usd delta_base cvd_base close"),
        ),
    )


def futures_cvd_history(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Literal["binance", "okx", "kraken"] | None = None,
    max_age: int | None = None,
) -> Query[t.CvdHistory, t.CvdHistoryPoint]:
    """Cumulative volume delta of perpetuals: the level depends on the first point.

    `GET /v1/futures/cvd/history`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange id.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/futures/cvd/history",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp delta_usd cvd_usd delta_base cvd_base close"),
        ),
    )


def long_short_ratio_taker_buysell_ratio(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Literal["binance", "okx", "kraken"] | None = None,
    max_age: int | None = None,
) -> Query[t.LongShortRatioTakerBuysellRatio, t.LongShortRatioTakerBuysellRatioPoint]:
    """Share of the volume that takers bought, of perpetuals.

    `GET /v1/long-short-ratio/taker-buysell-ratio`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange id.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/long-short-ratio/taker-buysell-ratio",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp taker_buy_usd taker_sell_usd buy_ratio sell_ratio buy_sell_ratio"),
        ),
    )


@overload
def spot_netflow(
    *,
    symbol: str,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Literal["binance"] | None = None,
    max_age: int | None = None,
) -> Query[t.NetflowOfSymbol, t.NetflowOfSymbolPoint]: ...


@overload
def spot_netflow(
    *,
    symbol: None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Literal["binance"] | None = None,
    max_age: int | None = None,
) -> Query[t.NetflowRanking, t.NetflowRankingItem]: ...


def spot_netflow(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Literal["binance"] | None = None,
    max_age: int | None = None,
) -> Query[Any, Any]:
    """Money flow of spot markets by trades of takers.

    `GET /v1/spot/netflow`

    symbol: Base asset or a market of it, in any spelling. A ranking of the most traded assets when absent; then only `limit` counts.
    interval: Candle length.
    limit: Newest rows of a symbol; most rows of the ranking.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange id.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/spot/netflow",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp inflow_usd outflow_usd netflow_usd"),
            Table("items", "symbol netflow_usd_5m netflow_usd_15m netflow_usd_30m netflow_usd_1h netflow_usd_4h netflow_usd_12h netflow_usd_24h volume_24h_usd"),
        ),
    )


@overload
def futures_netflow(
    *,
    symbol: str,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Literal["binance"] | None = None,
    max_age: int | None = None,
) -> Query[t.NetflowOfSymbol, t.NetflowOfSymbolPoint]: ...


@overload
def futures_netflow(
    *,
    symbol: None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Literal["binance"] | None = None,
    max_age: int | None = None,
) -> Query[t.NetflowRanking, t.NetflowRankingItem]: ...


def futures_netflow(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Literal["binance"] | None = None,
    max_age: int | None = None,
) -> Query[Any, Any]:
    """Money flow of perpetuals by trades of takers.

    `GET /v1/futures/netflow`

    symbol: Base asset or a market of it, in any spelling. A ranking of the most traded assets when absent; then only `limit` counts.
    interval: Candle length.
    limit: Newest rows of a symbol; most rows of the ranking.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange id.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/futures/netflow",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp inflow_usd outflow_usd netflow_usd"),
            Table("items", "symbol netflow_usd_5m netflow_usd_15m netflow_usd_30m netflow_usd_1h netflow_usd_4h netflow_usd_12h netflow_usd_24h volume_24h_usd"),
        ),
    )


def futures_cvd_aggregated(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    max_age: int | None = None,
) -> Query[t.FuturesCvdAggregated, t.CvdAggregatedPoint]:
    """Cumulative volume delta of perpetuals on binance, okx, kraken together.

    `GET /v1/futures/cvd/aggregated`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/futures/cvd/aggregated",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "max_age": max_age},
        (
            Table("points", "@timestamp delta_usd cvd_usd exchange_count exchanges"),
        ),
    )


def spot_cvd_aggregated(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    max_age: int | None = None,
) -> Query[t.SpotCvdAggregated, t.CvdAggregatedPoint]:
    """Cumulative volume delta of spot markets on several exchanges together.

    `GET /v1/spot/cvd/aggregated`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/spot/cvd/aggregated",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "max_age": max_age},
        (
            Table("points", "@timestamp delta_usd cvd_usd exchange_count exchanges"),
        ),
    )


def futures_footprint(
    *,
    symbol: str | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitfinex", "bitstamp"] | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "4h"] | None = None,
    limit: int | None = None,
    step: float | None = None,
    max_age: int | None = None,
) -> Query[t.Footprint, t.FootprintBar]:
    """Bought and sold by takers at each price level of a bar, of a perpetual.

    `GET /v1/futures/footprint`

    symbol: Base asset or a market of it, in any spelling.
    exchange: Exchange id.
    interval: Candle length.
    limit: Newest bars.
    step: Width of a level; about 0.05 % of the price when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/futures/footprint",
        {"symbol": symbol, "exchange": exchange, "interval": interval, "limit": limit, "step": step, "max_age": max_age},
        (
            Table("bars", "@timestamp method trade_minutes candle_minutes missing_minutes open high low close volume_base buy_base sell_base delta_base poc_price value_area_high value_area_low levels"),
        ),
    )


def spot_footprint(
    *,
    symbol: str | None = None,
    exchange: Literal["binance", "okx", "bybit", "bitfinex", "kraken", "coinbase", "bitstamp"] | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "4h"] | None = None,
    limit: int | None = None,
    step: float | None = None,
    max_age: int | None = None,
) -> Query[t.Footprint, t.FootprintBar]:
    """Bought and sold by takers at each price level of a bar, of a spot market.

    `GET /v1/spot/footprint`

    symbol: Base asset or a market of it, in any spelling.
    exchange: Exchange id.
    interval: Candle length.
    limit: Newest bars.
    step: Width of a level; about 0.05 % of the price when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/spot/footprint",
        {"symbol": symbol, "exchange": exchange, "interval": interval, "limit": limit, "step": step, "max_age": max_age},
        (
            Table("bars", "@timestamp method trade_minutes candle_minutes missing_minutes open high low close volume_base buy_base sell_base delta_base poc_price value_area_high value_area_low levels"),
        ),
    )


def spot_coinbase_premium_history(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    max_age: int | None = None,
) -> Query[t.SpotCoinbasePremiumHistory, t.SpotCoinbasePremiumHistoryPoint]:
    """Premium of an asset on Coinbase over USDT markets, over time.

    `GET /v1/spot/coinbase-premium/history`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/spot/coinbase-premium/history",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "max_age": max_age},
        (
            Table("points", "@timestamp premium_percent coinbase_price mean_price market_count usdt_usd closed"),
        ),
    )


def long_short_ratio(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "1h", "1d"] | None = None,
    max_age: int | None = None,
) -> Query[t.LongShortRatio, t.LongShortRatioExchange]:
    """Long and short by accounts, of each exchange and on average.

    `GET /v1/long-short-ratio`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/long-short-ratio",
        {"symbol": symbol, "interval": interval, "max_age": max_age},
        (
            Table("exchanges", "exchange contract @timestamp long_ratio short_ratio long_short_ratio"),
        ),
    )


def analytics_top_traders(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "6h", "12h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    max_age: int | None = None,
) -> Query[t.AnalyticsTopTraders, t.TopTradersPoint]:
    """Long and short of the largest accounts on Binance USD-M, by accounts and by positions.

    `GET /v1/analytics/top-traders`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/analytics/top-traders",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "max_age": max_age},
        (
            Table("points", "@timestamp account_long_ratio account_short_ratio account_long_short_ratio position_long_ratio position_short_ratio position_long_short_ratio"),
        ),
    )


def analytics_okx_top_traders(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    max_age: int | None = None,
) -> Query[t.AnalyticsOkxTopTraders, t.TopTradersPoint]:
    """Long and short of the largest accounts on OKX, by accounts and by positions.

    `GET /v1/analytics/okx/top-traders`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/analytics/okx/top-traders",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "max_age": max_age},
        (
            Table("points", "@timestamp account_long_ratio account_short_ratio account_long_short_ratio position_long_ratio position_short_ratio position_long_short_ratio"),
        ),
    )


def long_short_ratio_top_accounts(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Literal["binance", "okx", "htx", "gate"] | None = None,
    max_age: int | None = None,
) -> Query[t.LongShortRatioTopAccounts, t.LongShortRatioTopAccountsPoint]:
    """Long and short of the largest accounts, by accounts.

    `GET /v1/long-short-ratio/top-accounts`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange id.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/long-short-ratio/top-accounts",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp long_ratio short_ratio long_short_ratio"),
        ),
    )


def long_short_ratio_top_positions(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Literal["binance", "okx", "htx", "gate"] | None = None,
    max_age: int | None = None,
) -> Query[t.LongShortRatioTopAccounts, t.LongShortRatioTopAccountsPoint]:
    """Long and short of the largest accounts, by positions.

    `GET /v1/long-short-ratio/top-positions`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange id.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/long-short-ratio/top-positions",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp long_ratio short_ratio long_short_ratio"),
        ),
    )


def analytics_okx_long_short(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "1h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    max_age: int | None = None,
) -> Query[t.AnalyticsOkxLongShort, t.AnalyticsOkxLongShortPoint]:
    """Accounts of OKX that are long and short, over all futures and swaps of a currency.

    `GET /v1/analytics/okx/long-short`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/analytics/okx/long-short",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "max_age": max_age},
        (
            Table("points", "@timestamp long_ratio short_ratio long_short_ratio locked_ratio"),
        ),
    )


def analytics_bybit_long_short(
    *,
    symbol: str,
    interval: Literal["5m", "15m", "30m", "1h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    max_age: int | None = None,
) -> Query[t.AnalyticsBybitLongShort, t.AnalyticsOkxLongShortPoint]:
    """Accounts of Bybit that are long and short in a perpetual.

    `GET /v1/analytics/bybit/long-short`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/analytics/bybit/long-short",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "max_age": max_age},
        (
            Table("points", "@timestamp long_ratio short_ratio long_short_ratio locked_ratio"),
        ),
    )


def analytics_htx_elite_account_ratio(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    max_age: int | None = None,
) -> Query[t.AnalyticsHtxEliteAccountRatio, t.AnalyticsOkxLongShortPoint]:
    """The largest accounts of HTX that are long and short in a swap.

    `GET /v1/analytics/htx/elite-account-ratio`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/analytics/htx/elite-account-ratio",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "max_age": max_age},
        (
            Table("points", "@timestamp long_ratio short_ratio long_short_ratio locked_ratio"),
        ),
    )


def analytics_htx_elite_position_ratio(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    max_age: int | None = None,
) -> Query[t.AnalyticsHtxEliteAccountRatio, t.AnalyticsOkxLongShortPoint]:
    """Long and short positions of the largest accounts of HTX in a swap.

    `GET /v1/analytics/htx/elite-position-ratio`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/analytics/htx/elite-position-ratio",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "max_age": max_age},
        (
            Table("points", "@timestamp long_ratio short_ratio long_short_ratio locked_ratio"),
        ),
    )


def long_short_ratio_net_position(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Literal["binance"] | None = None,
    max_age: int | None = None,
) -> Query[t.LongShortRatioNetPosition, t.LongShortRatioNetPositionPoint]:
    """Positions that takers opened and closed, from open interest and their volume.

    `GET /v1/long-short-ratio/net-position`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange id.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/long-short-ratio/net-position",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp open_interest_base net_long_change_base net_short_change_base net_long_base net_short_base net_position_base net_position_usd top_trader_net_ratio"),
        ),
    )


def analytics_bybit_oi_history(
    *,
    symbol: str,
    interval: Literal["5m", "15m", "30m", "1h", "4h", "1d"],
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    max_age: int | None = None,
) -> Query[t.AnalyticsBybitOiHistory, t.AnalyticsBybitOiHistoryPoint]:
    """Open interest of a perpetual of Bybit over time.

    `GET /v1/analytics/bybit/oi-history`

    symbol: Base asset or a market of it, in any spelling.
    interval: Time between two points.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/analytics/bybit/oi-history",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "max_age": max_age},
        (
            Table("points", "@timestamp open_interest_base open_interest_usd"),
        ),
    )


def analytics_bitfinex_margin_history(
    *,
    symbol: str | None = None,
    interval: Literal["1h", "2h", "4h", "6h", "12h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    max_age: int | None = None,
) -> Query[t.AnalyticsBitfinexMarginHistory, t.AnalyticsBitfinexMarginHistoryPoint]:
    """Margin positions on Bitfinex over time.

    `GET /v1/analytics/bitfinex/margin-history`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/analytics/bitfinex/margin-history",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "max_age": max_age},
        (
            Table("points", "@timestamp long_size short_size long_short_ratio"),
        ),
    )


def open_interest_stablecoin_margin_history(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Words | None = None,
    max_age: int | None = None,
) -> Query[t.MarginHistory, t.MarginHistoryPoint]:
    """Open interest over time of perpetuals settled in dollars or a dollar stablecoin.

    `GET /v1/open-interest/stablecoin-margin-history`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange ids, separated by commas. All that have such contracts when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/open-interest/stablecoin-margin-history",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp open_interest_usd open_interest_base exchange_count missing_exchanges carried closed exchanges"),
        ),
    )


def open_interest_coin_margin_history(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Words | None = None,
    max_age: int | None = None,
) -> Query[t.MarginHistory, t.MarginHistoryPoint]:
    """Open interest over time of perpetuals settled in the asset itself.

    `GET /v1/open-interest/coin-margin-history`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange ids, separated by commas. All that have such contracts when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/open-interest/coin-margin-history",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp open_interest_usd open_interest_base exchange_count missing_exchanges carried closed exchanges"),
        ),
    )


def open_interest_aggregated_history(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Words | None = None,
    max_age: int | None = None,
) -> Query[t.OpenInterestAggregatedHistory, t.OpenInterestAggregatedHistoryPoint]:
    """Open interest of all perpetuals of an asset over time, with its changes.

    `GET /v1/open-interest/aggregated-history`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange ids, separated by commas. All that have such contracts when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/open-interest/aggregated-history",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp open_interest_usd change_usd change_percent stablecoin_margin_usd coin_margin_usd price exchange_count missing_exchanges carried closed"),
        ),
    )


def open_interest_exchange_history_chart(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "2h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Words | None = None,
    max_age: int | None = None,
) -> Query[t.OpenInterestExchangeHistoryChart, dict[str, Any]]:
    """Open interest of each exchange over time, in columns.

    `GET /v1/open-interest/exchange-history-chart`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange ids, separated by commas. All that have such contracts when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/open-interest/exchange-history-chart",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "max_age": max_age},
        (
            Table("exchanges", cells=True),
        ),
    )


def open_interest_ohlc(
    *,
    symbol: str | None = None,
    interval: Literal["5m", "15m", "30m", "1h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    exchange: Words | None = None,
    max_age: int | None = None,
) -> Query[t.OpenInterestOhlc, t.OpenInterestOhlcPoint]:
    """Open interest of all perpetuals of an asset over time, in bars.

    `GET /v1/open-interest/ohlc`

    symbol: Base asset or a market of it, in any spelling.
    interval: Candle length.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    exchange: Exchange ids, separated by commas. All that have such contracts when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/open-interest/ohlc",
        {"symbol": symbol, "interval": interval, "limit": limit, "from": from_, "to": to, "exchange": exchange, "max_age": max_age},
        (
            Table("points", "@timestamp open high low close samples exchange_count closed"),
        ),
    )


def analytics_kraken_open_interest(
    *,
    symbol: str | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.AnalyticsKrakenOpenInterest, t.AnalyticsKrakenOpenInterestItem]:
    """Open interest of the perpetuals of Kraken Futures.

    `GET /v1/analytics/kraken/open-interest`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/analytics/kraken/open-interest",
        {"symbol": symbol, "max_age": max_age, "wait": wait},
        (
            Table("items", "symbol contract margin_type kind open_interest_base open_interest_usd volume_24h_usd"),
        ),
    )


def analytics_kraken_funding_rates(
    *,
    symbol: str | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.AnalyticsKrakenFundingRates, t.AnalyticsKrakenFundingRatesItem]:
    """Funding rates of the perpetuals of Kraken Futures.

    `GET /v1/analytics/kraken/funding-rates`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/analytics/kraken/funding-rates",
        {"symbol": symbol, "max_age": max_age, "wait": wait},
        (
            Table("items", "symbol contract funding_rate_1h funding_rate_8h predicted_rate_1h predicted_rate_8h mark_price index_price @next_funding_time"),
        ),
    )


def analytics_kraken_mark_prices(
    *,
    symbol: str | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.AnalyticsKrakenMarkPrices, t.AnalyticsKrakenMarkPricesItem]:
    """Mark, index and last prices of the perpetuals of Kraken Futures.

    `GET /v1/analytics/kraken/mark-prices`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/analytics/kraken/mark-prices",
        {"symbol": symbol, "max_age": max_age, "wait": wait},
        (
            Table("items", "symbol contract kind mark_price index_price last_price premium_percent"),
        ),
    )


def analytics_okx_funding_history(
    *,
    symbol: str | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    max_age: int | None = None,
) -> Query[t.AnalyticsOkxFundingHistory, t.FundingHistoryPoint]:
    """Settled funding of a perpetual of OKX.

    `GET /v1/analytics/okx/funding-history`

    symbol: Base asset or a market of it, in any spelling.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/analytics/okx/funding-history",
        {"symbol": symbol, "limit": limit, "from": from_, "to": to, "max_age": max_age},
        (
            Table("points", "@timestamp funding_rate predicted_rate funding_rate_8h interval_hours"),
        ),
    )


def analytics_bybit_funding_history(
    *,
    symbol: str,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    max_age: int | None = None,
) -> Query[t.AnalyticsBybitFundingHistory, t.FundingHistoryPoint]:
    """Settled funding of a perpetual of Bybit.

    `GET /v1/analytics/bybit/funding-history`

    symbol: Base asset or a market of it, in any spelling.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/analytics/bybit/funding-history",
        {"symbol": symbol, "limit": limit, "from": from_, "to": to, "max_age": max_age},
        (
            Table("points", "@timestamp funding_rate predicted_rate funding_rate_8h interval_hours"),
        ),
    )


def analytics_htx_funding_history(
    *,
    symbol: str | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    max_age: int | None = None,
) -> Query[t.AnalyticsHtxFundingHistory, t.FundingHistoryPoint]:
    """Settled funding of a perpetual of HTX.

    `GET /v1/analytics/htx/funding-history`

    symbol: Base asset or a market of it, in any spelling.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/analytics/htx/funding-history",
        {"symbol": symbol, "limit": limit, "from": from_, "to": to, "max_age": max_age},
        (
            Table("points", "@timestamp funding_rate predicted_rate funding_rate_8h interval_hours"),
        ),
    )


def analytics_hyperliquid_funding_history(
    *,
    symbol: str | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    max_age: int | None = None,
) -> Query[t.AnalyticsHyperliquidFundingHistory, t.AnalyticsHyperliquidFundingHistoryPoint]:
    """Settled hourly funding of a perpetual of Hyperliquid.

    `GET /v1/analytics/hyperliquid/funding-history`

    symbol: Base asset or a market of it, in any spelling.
    limit: Most rows: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/analytics/hyperliquid/funding-history",
        {"symbol": symbol, "limit": limit, "from": from_, "to": to, "max_age": max_age},
        (
            Table("points", "@timestamp funding_rate_1h funding_rate_8h annualized premium"),
        ),
    )


def analytics_kraken_depth(
    *,
    symbol: str | None = None,
    limit: int | None = None,
    max_age: int | None = None,
) -> Query[t.AnalyticsKrakenDepth, dict[str, Any]]:
    """Order book of a perpetual of Kraken Futures.

    `GET /v1/analytics/kraken/depth`

    symbol: Base asset or a market of it, in any spelling.
    limit: Most levels a side.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/analytics/kraken/depth",
        {"symbol": symbol, "limit": limit, "max_age": max_age},
        (),
    )


def analytics_hyperliquid_clearinghouse(
    *,
    limit: int | None = None,
    max_age: int | None = None,
) -> Query[t.AnalyticsHyperliquidClearinghouse, t.AnalyticsHyperliquidClearinghouseAsset]:
    """All perpetuals of Hyperliquid with their margins, and the account of its own vault.

    `GET /v1/analytics/hyperliquid/clearinghouse`

    limit: Most assets.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/analytics/hyperliquid/clearinghouse",
        {"limit": limit, "max_age": max_age},
        (
            Table("assets", "symbol contract open_interest_base open_interest_usd volume_24h_usd mark_price oracle_price mid_price premium funding_rate_1h funding_rate_8h max_leverage only_isolated maintenance_margin_rate price_change_24h_percent"),
        ),
    )


def analytics_hyperliquid_vault(
    *,
    address: str | None = None,
    max_age: int | None = None,
) -> Query[t.AnalyticsHyperliquidVault, t.AnalyticsHyperliquidVaultFollower]:
    """A vault of Hyperliquid: value, profit and followers.

    `GET /v1/analytics/hyperliquid/vault`

    address: Address of the vault; that of the protocol (HLP) when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/analytics/hyperliquid/vault",
        {"address": address, "max_age": max_age},
        (
            Table("followers", "address equity_usd pnl_usd all_time_pnl_usd days_following @entry_time"),
        ),
    )


def options_info(
    *,
    symbol: str | None = None,
    exchange: Literal["okx", "deribit"] | None = None,
    expiry: str | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.OptionsInfo, t.OptionsInfoOption]:
    """Expiries, open interest and implied volatility of the options on an asset.

    `GET /v1/options/info`

    symbol: Base asset or a market of it, in any spelling.
    exchange: Exchange id. All of them when absent.
    expiry: Adds every option that expires on this day, `YYYY-MM-DD`.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/options/info",
        {"symbol": symbol, "exchange": exchange, "expiry": expiry, "max_age": max_age, "wait": wait},
        (
            Table("options", "exchange instrument @expiry strike type settlement_currency symbol open_interest_base open_interest_usd volume_24h_base volume_24h_usd premium_24h_usd mark_price_usd bid_price_usd ask_price_usd mark_price_base bid_price_base ask_price_base implied_volatility bid_iv ask_iv underlying_price"),
        ),
    )


def options_max_pain(
    *,
    symbol: str | None = None,
    exchange: Literal["okx", "deribit"] | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.OptionsMaxPain, t.OptionsMaxPainExpiry]:
    """Max pain of each expiry: where the holders of all options get least.

    `GET /v1/options/max-pain`

    symbol: Base asset or a market of it, in any spelling.
    exchange: Exchange id. All of them when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/options/max-pain",
        {"symbol": symbol, "exchange": exchange, "max_age": max_age, "wait": wait},
        (
            Table("expiries", "@expiry date days_to_expiry max_pain_price pain_at_max_pain_usd distance_percent call_oi_base put_oi_base put_call_ratio open_interest_usd exchanges"),
        ),
    )


def options_exchange_oi(
    *,
    symbol: str | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.OptionsExchangeOi, t.OptionsExchangeOiItem]:
    """Open interest and turnover of options by exchange and asset, and of the last 30 days.

    `GET /v1/options/exchange-oi`

    symbol: Base asset or a market of it, in any spelling. All symbols when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/options/exchange-oi",
        {"symbol": symbol, "max_age": max_age, "wait": wait},
        (
            Table("items", "exchange symbol open_interest_base open_interest_usd call_oi_base put_oi_base put_call_oi_ratio volume_24h_base volume_24h_usd instrument_count share settlements"),
        ),
    )


def options_greeks(
    *,
    symbol: str | None = None,
    exchange: Literal["okx", "deribit"] | None = None,
    expiry: str | None = None,
    type: Literal["call", "put"] | None = None,
    limit: int | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.OptionsGreeks, t.OptionsGreeksItem]:
    """Greeks of the options of one expiry, as published or computed by Black-76.

    `GET /v1/options/greeks`

    symbol: Base asset or a market of it, in any spelling.
    exchange: Exchange id. All of them when absent.
    expiry: Day of expiry, `YYYY-MM-DD`. The nearest that is at least 24 hours away when absent.
    type: Only these. Both when absent.
    limit: Most options, lowest strike first.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/options/greeks",
        {"symbol": symbol, "exchange": exchange, "expiry": expiry, "type": type, "limit": limit, "max_age": max_age, "wait": wait},
        (
            Table("items", "exchange instrument @expiry strike type settlement_currency mark_price_usd implied_volatility delta gamma theta vega rho open_interest_base underlying_price source"),
        ),
    )


def options_surface(
    *,
    symbol: str | None = None,
    exchange: Literal["okx", "deribit"] | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.OptionsSurface, t.OptionsSurfaceExpiry]:
    """Implied volatility by expiry and strike, 25-delta skew and term structure.

    `GET /v1/options/surface`

    symbol: Base asset or a market of it, in any spelling.
    exchange: Exchange id. All of them when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/options/surface",
        {"symbol": symbol, "exchange": exchange, "max_age": max_age, "wait": wait},
        (
            Table("expiries", "@expiry date days_to_expiry forward_price atm_iv forward_iv call_25d_iv put_25d_iv skew_25d butterfly_25d points"),
        ),
    )


def options_gamma_exposure(
    *,
    symbol: str | None = None,
    exchange: Literal["okx", "deribit"] | None = None,
    expiry: str | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.OptionsGammaExposure, t.OptionsGammaExposureStrike]:
    """Gamma exposure of the options on an asset by strike and by expiry.

    `GET /v1/options/gamma-exposure`

    symbol: Base asset or a market of it, in any spelling.
    exchange: Exchange id. All of them when absent.
    expiry: Only this day of expiry, `YYYY-MM-DD`.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/options/gamma-exposure",
        {"symbol": symbol, "exchange": exchange, "expiry": expiry, "max_age": max_age, "wait": wait},
        (
            Table("strikes", "strike calls_usd puts_usd net_usd"),
        ),
    )


def options_history(
    *,
    symbol: str | None = None,
    metric: Literal["atm_iv", "skew_25d"] | None = None,
    tenor: Literal["7d", "30d", "90d", "180d"] | None = None,
    days: int | None = None,
    max_age: int | None = None,
) -> Query[t.OptionsHistory, t.OptionsHistoryPoint]:
    """Implied volatility at the money, or 25-delta skew, at a constant tenor over time.

    `GET /v1/options/history`

    symbol: Base asset or a market of it, in any spelling.
    metric: At the money; or the put with a delta of -0.25 less the call with 0.25.
    tenor: Time until the expiry, between the expiries that there are.
    days: Of the past: by hour up to 30, by day beyond.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/options/history",
        {"symbol": symbol, "metric": metric, "tenor": tenor, "days": days, "max_age": max_age},
        (
            Table("points", "@timestamp value"),
        ),
    )


def volatility(
    *,
    symbol: str | None = None,
    max_age: int | None = None,
) -> Query[t.Volatility, dict[str, Any]]:
    """Realised volatility with its history, and volatility that options imply by tenor.

    `GET /v1/volatility`

    symbol: Base asset or a market of it, in any spelling.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/volatility",
        {"symbol": symbol, "max_age": max_age},
        (),
    )


def indicators(
    *,
    symbol: str,
    interval: Literal["1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "8h", "12h", "1d", "3d", "1w", "1M"] | None = None,
    max_age: int | None = None,
) -> Query[t.Indicators, dict[str, Any]]:
    """RSI, MACD, Bollinger bands, ATR and averages of the last 500 closed candles.

    `GET /v1/indicators`

    symbol: Spot market of Binance in any usual spelling (`BTCUSDT`, `BTC/USDT`, `btc-usdt`), or a base asset.
    interval: Candle length.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/indicators",
        {"symbol": symbol, "interval": interval, "max_age": max_age},
        (),
    )


def post_indicators_compute(
    body: t.PostIndicatorsComputeRequest,
) -> Act[t.ComputedIndicators | t.ComputedMarkets]:
    """Indicators of your choice, of one to twenty markets, of your own candles or of a recorded series.

    `POST /v1/indicators/compute`"""
    return Act("POST", "/v1/indicators/compute", {}, body)


def indicators_catalogue() -> Query[t.IndicatorsCatalogue, t.IndicatorsCatalogueIndicator]:
    """Every indicator that can be computed: parameters, outputs, formula.

    `GET /v1/indicators/catalogue`"""
    return Query(
        "/v1/indicators/catalogue",
        {},
        (
            Table("indicators", "name aliases title category parameters inputs outputs on_price minimum cumulative formula source"),
        ),
    )


def screener(
    *,
    indicators: Words,
    interval: Literal["5m", "15m", "30m", "1h", "4h", "1d"] | None = None,
    filter: Words | None = None,
    sort: str | None = None,
    order: Literal["asc", "desc"] | None = None,
    limit: int | None = None,
    max_age: int | None = None,
) -> Query[t.Screener, t.ScreenerItem]:
    """Tracked assets by indicators of the last closed candles, filtered and sorted.

    `GET /v1/screener`

    indicators: Indicators of the catalogue with commas between them, at most 20; parameters in its order after colons (`ema:200`, `macd:8:21:5`).
    interval: Candle length.
    filter: Conditions with commas between them, at most 10, of which all must be fulfilled: a value, `<`, `<=`, `>` or `>=`, and a number or another value (`rsi<30,price>ema_200`). A value has the name of its key in `values`; `price` is the close.
    sort: Value that the rows are sorted by, as in `filter`; null is last.
    order: Smallest or largest value of `sort` first.
    limit: Most rows.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/screener",
        {"indicators": indicators, "interval": interval, "filter": filter, "sort": sort, "order": order, "limit": limit, "max_age": max_age},
        (
            Table("items", "symbol exchange market kind price @as_of values"),
        ),
    )


def indicators_fear_greed(
    *,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.IndicatorsFearGreed, t.IndicatorsFearGreedHistoryItem]:
    """Fear and greed index, 0 to 100.

    `GET /v1/indicators/fear-greed`

    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/fear-greed",
        {"limit": limit, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("history", "@timestamp provisional value classification"),
        ),
    )


def indicators_altcoin_season(
    *,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.IndicatorsAltcoinSeason, t.IndicatorsAltcoinSeasonHistoryItem]:
    """Altcoin season index, 0 to 100.

    `GET /v1/indicators/altcoin-season`

    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/altcoin-season",
        {"limit": limit, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("history", "@timestamp provisional index backfilled"),
        ),
    )


def indicators_bitcoin_dominance(
    *,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.IndicatorsBitcoinDominance, t.IndicatorsBitcoinDominanceHistoryItem]:
    """Bitcoin's share of all capitalisation.

    `GET /v1/indicators/bitcoin-dominance`

    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/bitcoin-dominance",
        {"limit": limit, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("history", "@timestamp provisional dominance_pct"),
        ),
    )


def indicators_stablecoin_mcap(
    *,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.IndicatorsStablecoinMcap, t.IndicatorsStablecoinMcapHistoryItem]:
    """Capitalisation of all stablecoins.

    `GET /v1/indicators/stablecoin-mcap`

    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/stablecoin-mcap",
        {"limit": limit, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("history", "@timestamp provisional total_market_cap_usd"),
        ),
    )


def indicators_bitcoin_correlations(
    *,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.IndicatorsBitcoinCorrelations, t.IndicatorsBitcoinCorrelationsHistoryItem]:
    """Correlation of Bitcoin with shares, gold, the dollar and treasuries.

    `GET /v1/indicators/bitcoin-correlations`

    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/bitcoin-correlations",
        {"limit": limit, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("history", "@timestamp provisional sp500 nasdaq gold dxy us10y"),
        ),
    )


def indicators_options_futures_oi_ratio(
    *,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.IndicatorsOptionsFuturesOiRatio, t.IndicatorsOptionsFuturesOiRatioHistoryItem]:
    """Open interest of options against that of futures.

    `GET /v1/indicators/options-futures-oi-ratio`

    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/options-futures-oi-ratio",
        {"limit": limit, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("history", "@timestamp provisional ratio options_oi_usd futures_oi_usd"),
        ),
    )


def indicators_futures_spot_volume_ratio(
    *,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.IndicatorsFuturesSpotVolumeRatio, t.IndicatorsFuturesSpotVolumeRatioHistoryItem]:
    """24 h turnover of futures against that of spot.

    `GET /v1/indicators/futures-spot-volume-ratio`

    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/futures-spot-volume-ratio",
        {"limit": limit, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("history", "@timestamp provisional ratio futures_volume_24h_usd spot_volume_24h_usd"),
        ),
    )


def indicators_ahr999(
    *,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.IndicatorsAhr999, t.IndicatorsAhr999HistoryItem]:
    """Price of Bitcoin against its 200-day cost.

    `GET /v1/indicators/ahr999`

    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/ahr999",
        {"limit": limit, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("history", "@timestamp provisional value price_usd cost_200d_usd growth_valuation_usd"),
        ),
    )


def indicators_puell_multiple(
    *,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.IndicatorsPuellMultiple, t.IndicatorsPuellMultipleHistoryItem]:
    """Value of a day's issue of Bitcoin against its mean of 365 days.

    `GET /v1/indicators/puell-multiple`

    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/puell-multiple",
        {"limit": limit, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("history", "@timestamp provisional value daily_issuance_usd"),
        ),
    )


def indicators_stock_to_flow(
    *,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.IndicatorsStockToFlow, t.IndicatorsStockToFlowHistoryItem]:
    """Price of Bitcoin by its scarcity.

    `GET /v1/indicators/stock-to-flow`

    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/stock-to-flow",
        {"limit": limit, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("history", "@timestamp provisional ratio model_price_usd price_usd"),
        ),
    )


def indicators_pi_cycle(
    *,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.IndicatorsPiCycle, t.IndicatorsPiCycleHistoryItem]:
    """Crossings of the 111-day mean and twice the 350-day mean.

    `GET /v1/indicators/pi-cycle`

    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/pi-cycle",
        {"limit": limit, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("history", "@timestamp provisional price_usd ma_111d_usd ma_350d_x2_usd"),
        ),
    )


def indicators_rainbow_chart(
    *,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.IndicatorsRainbowChart, t.IndicatorsRainbowChartHistoryItem]:
    """Bands around a logarithmic regression of the price of Bitcoin.

    `GET /v1/indicators/rainbow-chart`

    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/rainbow-chart",
        {"limit": limit, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("history", "@timestamp provisional price_usd base_usd band"),
        ),
    )


def indicators_two_year_ma(
    *,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.IndicatorsTwoYearMa, t.IndicatorsTwoYearMaHistoryItem]:
    """Price of Bitcoin against its two-year mean and five times that.

    `GET /v1/indicators/two-year-ma`

    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/two-year-ma",
        {"limit": limit, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("history", "@timestamp provisional price two_year_ma multiplier_5x"),
        ),
    )


def indicators_200_week_ma(
    *,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.Indicators200WeekMa, t.Indicators200WeekMaHistoryItem]:
    """Price of Bitcoin against its mean of 200 weeks.

    `GET /v1/indicators/200-week-ma`

    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/200-week-ma",
        {"limit": limit, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("history", "@timestamp provisional price ma_200_week"),
        ),
    )


def indicators_golden_ratio(
    *,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.IndicatorsGoldenRatio, t.IndicatorsGoldenRatioHistoryItem]:
    """Price of Bitcoin against multiples of its 350-day mean.

    `GET /v1/indicators/golden-ratio`

    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/golden-ratio",
        {"limit": limit, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("history", "@timestamp provisional price ma_350_day"),
        ),
    )


def indicators_profitable_days(
    *,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.IndicatorsProfitableDays, t.IndicatorsProfitableDaysHistoryItem]:
    """Days on which a purchase of Bitcoin would be in profit now.

    `GET /v1/indicators/profitable-days`

    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/profitable-days",
        {"limit": limit, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("history", "@timestamp provisional price days profitable_days share"),
        ),
    )


def indicators_exchange_transparency(
    *,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.IndicatorsExchangeTransparency, t.IndicatorsExchangeTransparencyExchange]:
    """How much exchanges show of their reserves, 0 to 100.

    `GET /v1/indicators/exchange-transparency`

    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/exchange-transparency",
        {"limit": limit, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("exchanges", "exchange name score grade reserves_usd clean_reserves_usd clean_ratio own_token inflow_24h_usd inflow_7d_usd inflow_30d_usd spot_volume_24h_usd derivatives_volume_24h_usd open_interest_usd leverage_ratio auditor @last_audit_at audit_url wallets_url wallets_published"),
        ),
    )


def indicators_borrow_interest_rate(
    *,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.IndicatorsBorrowInterestRate, t.IndicatorsBorrowInterestRateHistoryItem]:
    """Mean price of loans over the exchanges.

    `GET /v1/indicators/borrow-interest-rate`

    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/borrow-interest-rate",
        {"limit": limit, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("history", "@timestamp provisional usdt usdc btc eth"),
        ),
    )


def indicators_borrow_rates(
    *,
    exchange: str | None = None,
    symbol: str | None = None,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.IndicatorsBorrowRates, t.IndicatorsBorrowRatesHistoryItem]:
    """Price of loans by exchange and asset.

    `GET /v1/indicators/borrow-rates`

    exchange: One of okx, bybit, bitget, gate, bitfinex, in any case. All of them when absent.
    symbol: Asset that is lent, in any case. All assets when absent.
    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/borrow-rates",
        {"exchange": exchange, "symbol": symbol, "limit": limit, "explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("history", "@timestamp provisional"),
        ),
    )


def indicators_bitfinex_margin(
    *,
    symbol: str | None = None,
    limit: int | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
) -> Query[t.IndicatorsBitfinexMargin, t.IndicatorsBitfinexMarginHistoryItem]:
    """Margin positions and their funding on Bitfinex.

    `GET /v1/indicators/bitfinex-margin`

    symbol: Base asset, or its pair with USD (`BTCUSD`, `tBTCUSD`), in any case.
    limit: Most rows of `history`, the newest.
    explain: 1 adds `explanation`: the inputs of the main number with their sources and weights, from which it can be computed again.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/indicators/bitfinex-margin",
        {"symbol": symbol, "limit": limit, "explain": explain, "max_age": max_age},
        (
            Table("history", "@timestamp provisional long_size short_size frr_daily_pct backfilled"),
        ),
    )


def indicators_bull_market_peak(
    *,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.IndicatorsBullMarketPeak, t.IndicatorsBullMarketPeakItem]:
    """Signals of a top of Bitcoin's cycle: value, threshold and state of each.

    `GET /v1/indicators/bull-market-peak`

    explain: 1 adds `inputs` to each row: the fields of its indicator that give the value.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/indicators/bull-market-peak",
        {"explain": explain, "max_age": max_age, "wait": wait},
        (
            Table("items", "indicator title value threshold rule reached progress source @updated_at stale inputs"),
        ),
    )


def sentiment(
    *,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.Sentiment, dict[str, Any]]:
    """Fear and greed index with the premium of Bitcoin on Coinbase.

    `GET /v1/sentiment`

    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/sentiment",
        {"max_age": max_age, "wait": wait},
        (),
    )


@overload
def reference_rate(
    *,
    at: Time,
    symbol: str | None = None,
    explain: bool | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.ReferenceRateAt, t.ReferenceRateAtItem]: ...


@overload
def reference_rate(
    *,
    symbol: str | None = None,
    explain: bool | None = None,
    at: None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.ReferenceRate, t.ReferenceVenue]: ...


def reference_rate(
    *,
    symbol: str | None = None,
    explain: bool | None = None,
    at: Time | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[Any, Any]:
    """Reference price that no single exchange can move far: weighted median of last trades.

    `GET /v1/reference-rate`

    symbol: Base asset or a market of it, in any spelling.
    explain: 1 adds `explanation`: the inputs of the main number with their markets, ages, conversions, weights and exclusions, from which it can be computed again.
    at: The recorded state at this time, Unix ms or ISO 8601, of one `symbol`: the newest sample that was taken by then, with its time. 404 before the records begin.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/reference-rate",
        {"symbol": symbol, "explain": explain, "at": at, "max_age": max_age, "wait": wait},
        (
            Table("items", "@sampled_at backfilled rate used"),
            Table("venues", "exchange market price weight age_ms deviation_percent status volume_60m_base variance_60m"),
        ),
    )


def reference_rate_fixings(
    *,
    symbol: str | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    max_age: int | None = None,
) -> Query[t.ReferenceRateFixings, t.ReferenceRateFixingsItem]:
    """Hourly fixing of an asset: mean of twelve volume-weighted medians of spot trades.

    `GET /v1/reference-rate/fixings`

    symbol: Base asset or a market of it, in any spelling.
    limit: Most hours: the oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/reference-rate/fixings",
        {"symbol": symbol, "limit": limit, "from": from_, "to": to, "max_age": max_age},
        (
            Table("items", "@timestamp rate partitions trades volume_base exchanges known"),
        ),
    )


def rows(
    *,
    columns: Words,
    symbols: Words | None = None,
    exchanges: Words | None = None,
    kind: Literal["spot", "perpetual"] | None = None,
    interval: Literal["1m", "5m", "15m", "30m", "1h", "4h", "1d"] | None = None,
    limit: int | None = None,
    from_: Time | None = None,
    to: Time | None = None,
    cursor: str | None = None,
    max_age: int | None = None,
) -> Query[t.Rows, dict[str, Any]]:
    """One table of many columns: candles and recorded series of several markets, by time.

    `GET /v1/rows`

    columns: Columns with commas between them: open, high, low, close, volume, volume_usd, funding_rate, funding_hours, open_interest_usd, open_interest_base, long_liquidations_usd, short_liquidations_usd, taker_buy_usd, taker_sell_usd, long_short_ratio, spread_percent, bid_depth_usd, ask_depth_usd, slippage_buy, slippage_sell. `/v1/rows/columns` says what they are.
    symbols: Base assets with commas between them, at most 20.
    exchanges: Exchange ids, separated by commas. Each symbol on each of them: 60 markets at most.
    kind: Of the markets: the most traded dollar market of each symbol on each exchange.
    interval: Of a row.
    limit: Most rows of a page, which has whole intervals, each with a row a market, and 1000 of them at most. The oldest of a range with `from`, else the newest.
    from_: First time, Unix ms or ISO 8601 (`2026-11-01`), included: the answer has the oldest rows from here on, and `next` where there are more. The newest rows when absent.
    to: Last time, Unix ms or ISO 8601, included. Now when absent.
    cursor: `next` of the page before, with all other parameters as they were.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/rows",
        {"columns": columns, "symbols": symbols, "exchanges": exchanges, "kind": kind, "interval": interval, "limit": limit, "from": from_, "to": to, "cursor": cursor, "max_age": max_age},
        (
            Table("rows", cells=True),
        ),
    )


def rows_columns() -> Query[t.RowsColumns, t.RowsColumn]:
    """The columns of `/v1/rows`: unit, origin, and the exchanges that have each.

    `GET /v1/rows/columns`"""
    return Query(
        "/v1/rows/columns",
        {},
        (
            Table("columns", "name unit description origin spot_exchanges perpetual_exchanges"),
        ),
    )


def onchain_gas(
    *,
    chain: Literal["ethereum", "base", "arbitrum", "polygon", "bsc", "optimism", "avalanche"] | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[list[t.OnchainGasItem], t.OnchainGasItem]:
    """Gas prices of the seven EVM chains.

    `GET /v1/onchain/gas`

    chain: One chain. All when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/onchain/gas",
        {"chain": chain, "max_age": max_age, "wait": wait},
        (
            Table(None, "chain gas_gwei block updated_at stale"),
        ),
    )


def onchain_blocks(
    *,
    chain: Literal["ethereum", "base", "arbitrum", "polygon", "bsc", "optimism", "avalanche", "bitcoin", "solana"] | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[list[t.OnchainBlock], t.OnchainBlock]:
    """Block heights of all nine chains.

    `GET /v1/onchain/blocks`

    chain: One chain. All when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/onchain/blocks",
        {"chain": chain, "max_age": max_age, "wait": wait},
        (
            Table(None, "chain block_number gas_gwei updated_at stale"),
        ),
    )


def onchain_supply(
    *,
    token: Literal["USDC", "USDT"] | None = None,
    chain: Literal["ethereum", "base", "arbitrum", "polygon", "bsc", "optimism", "avalanche"] | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[list[t.OnchainSupplyItem], t.OnchainSupplyItem]:
    """Supply of USDC and USDT on every EVM chain.

    `GET /v1/onchain/supply`

    token: One stablecoin. All when absent.
    chain: One chain. All when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/onchain/supply",
        {"token": token, "chain": chain, "max_age": max_age, "wait": wait},
        (
            Table(None, "token chain total_supply updated_at stale"),
        ),
    )


def onchain_exchange_flows(
    *,
    chain: Literal["ethereum", "base", "arbitrum", "polygon", "bsc", "optimism", "avalanche"] | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[list[t.OnchainExchangeFlow], t.OnchainExchangeFlow]:
    """Balances of the known hot wallets of exchanges on ethereum.

    `GET /v1/onchain/exchange-flows`

    chain: One chain. All when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/onchain/exchange-flows",
        {"chain": chain, "max_age": max_age, "wait": wait},
        (
            Table(None, "label chain eth_balance usdc_balance usdt_balance updated_at stale"),
        ),
    )


def onchain_wallet(
    *,
    address: str,
    chain: Literal["ethereum", "base", "arbitrum", "polygon", "bsc", "optimism", "avalanche", "bitcoin", "solana"] | None = None,
    max_age: int | None = None,
) -> Query[t.OnchainWallet, t.OnchainWalletToken]:
    """The tokens of a wallet and their value.

    `GET /v1/onchain/wallet`

    address: EVM, Solana or Bitcoin address.
    chain: Chain to look at.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/onchain/wallet",
        {"address": address, "chain": chain, "max_age": max_age},
        (
            Table("tokens", "token chain balance contract price_usd value_usd"),
        ),
    )


def lending_rates(
    *,
    asset: str | None = None,
    protocol: str | None = None,
    chain: str | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.LendingRates, t.LendingRatesPool]:
    """Supply and borrow rates of every lending pool, the largest first.

    `GET /v1/lending/rates`

    asset: Symbol of the token. All when absent.
    protocol: Protocol with its version. All when absent.
    chain: Chain of the pool. All when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/lending/rates",
        {"asset": asset, "protocol": protocol, "chain": chain, "max_age": max_age, "wait": wait},
        (
            Table("pools", "protocol chain asset pool_id supply_apy borrow_apy tvl_usd utilization reward_apy borrowable @updated_at"),
        ),
    )


def lending_tvl(
    *,
    protocol: str | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.LendingTvl, t.LendingTvlProtocol]:
    """Value locked in each lending protocol, the largest first.

    `GET /v1/lending/tvl`

    protocol: Protocol with its version. All when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/lending/tvl",
        {"protocol": protocol, "max_age": max_age, "wait": wait},
        (
            Table("protocols", "protocol tvl_usd chains"),
        ),
    )


def lending_overview(
    *,
    asset: str | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.LendingOverview, t.LendingOverviewAsset]:
    """Best and average rates of every asset over all pools.

    `GET /v1/lending/overview`

    asset: Symbol of the token. All when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v1/lending/overview",
        {"asset": asset, "max_age": max_age, "wait": wait},
        (
            Table("assets", "asset best_supply.protocol best_supply.chain best_supply.asset best_supply.pool_id best_supply.supply_apy best_supply.borrow_apy best_supply.tvl_usd best_supply.utilization best_supply.reward_apy best_supply.borrowable @best_supply.updated_at best_borrow.protocol best_borrow.chain best_borrow.asset best_borrow.pool_id best_borrow.supply_apy best_borrow.borrow_apy best_borrow.tvl_usd best_borrow.utilization best_borrow.reward_apy best_borrow.borrowable @best_borrow.updated_at avg_supply_apy avg_borrow_apy total_tvl"),
        ),
    )


def status() -> Query[t.Status, dict[str, Any]]:
    """Every source and topic: last success, age, latency, last error, breaker, next poll.

    `GET /v1/status`"""
    return Query(
        "/v1/status",
        {},
        (),
    )


def scorecard(
    *,
    max_age: int | None = None,
) -> Query[t.Scorecard, t.ScorecardItem]:
    """Each exchange and topic of 24 hours and 7 days: share of time up, age, faults.

    `GET /v1/scorecard`

    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/scorecard",
        {"max_age": max_age},
        (
            Table("items", "exchange topic up_24h up_7d age_ms_p50 age_ms_p99 event_latency_ms_p50 event_latency_ms_p95 event_latency_ms_p99 delivery_ms_p50 delivery_ms_p95 delivery_ms_p99 suspect_24h differs_24h refused_24h reconnects_24h minutes_24h hours_7d"),
        ),
    )


def history_coverage(
    *,
    max_age: int | None = None,
) -> Query[t.HistoryCoverage, t.HistoryCoverageItem]:
    """Each recorded series and step: since when, the newest rows, and how many are there.

    `GET /v1/history/coverage`

    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v1/history/coverage",
        {"max_age": max_age},
        (
            Table("items", "series step kept_ms @recorded_from @newest keys key rows steps"),
        ),
    )


def post_batch(
    body: t.PostBatchRequest,
) -> Act[t.PostBatch]:
    """Up to 20 GET paths as of one moment, counted as so many requests.

    `POST /v1/batch`"""
    return Act("POST", "/v1/batch", {}, body)


def auth_me() -> Query[t.AuthMe, dict[str, Any]]:
    """The account that the bearer token names, its plan and what the plan allows.

    `GET /v1/auth/me`"""
    return Query(
        "/v1/auth/me",
        {},
        (),
    )


def auth_keys() -> Query[list[t.AuthKey], dict[str, Any]]:
    """The keys of the account, the oldest first, with the latest 100 revoked ones; never a full key.

    `GET /v1/auth/keys`"""
    return Query(
        "/v1/auth/keys",
        {},
        (),
    )


def post_auth_keys(
    body: t.PostAuthKeysRequest,
) -> Act[t.PostAuthKeys]:
    """Make a key: the full key is in this answer and never again. With an Idempotency-Key header a repeated request gives the key that was made, without its text, for 24 h.

    `POST /v1/auth/keys`"""
    return Act("POST", "/v1/auth/keys", {}, body)


def post_auth_keys_by_id_rotate(
    body: t.PostAuthKeysByIdRotateRequest,
    *,
    id: str,
) -> Act[t.PostAuthKeysByIdRotate]:
    """Make a key in place of another one, with its name, kind and paths; the other works for the overlap longer and then ends.

    `POST /v1/auth/keys/{id}/rotate`

    id: Id of the key, as the list gives it.
    """
    return Act("POST", "/v1/auth/keys/{id}/rotate", {"id": id}, body)


def delete_auth_keys_by_id(
    *,
    id: str,
) -> Act[t.DeleteAuthKeysById]:
    """Revoke a key of the account, for good.

    `DELETE /v1/auth/keys/{id}`

    id: Id of the key, as the list gives it.
    """
    return Act("DELETE", "/v1/auth/keys/{id}", {"id": id}, None)


def post_auth_session(
    body: t.PostAuthSessionRequest,
) -> Act[t.PostAuthSession]:
    """Sign this browser in with the code of the link that the service prints: a session in a cookie that scripts cannot read.

    `POST /v1/auth/session`"""
    return Act("POST", "/v1/auth/session", {}, body)


def auth_session() -> Query[t.AuthSession, dict[str, Any]]:
    """Whose session this browser has, and when it ends.

    `GET /v1/auth/session`"""
    return Query(
        "/v1/auth/session",
        {},
        (),
    )


def delete_auth_session() -> Act[t.DeleteAuthSession]:
    """Sign this browser out: its session ends, and its streams.

    `DELETE /v1/auth/session`"""
    return Act("DELETE", "/v1/auth/session", {}, None)


def post_auth_session_token() -> Act[t.PostAuthSession]:
    """Sign this browser in with a bearer token: a session in a cookie that scripts cannot read, which ends with the token.

    `POST /v1/auth/session/token`"""
    return Act("POST", "/v1/auth/session/token", {}, None)


def post_auth_ticket() -> Act[t.PostAuthTicket]:
    """Make a ticket that opens one stream (/v1/ws, /v1/stream) in place of the key, within a minute.

    `POST /v1/auth/ticket`"""
    return Act("POST", "/v1/auth/ticket", {}, None)


def alerts() -> Query[t.Alerts, dict[str, Any]]:
    """The alerts of the account, the oldest first.

    `GET /v1/alerts`"""
    return Query(
        "/v1/alerts",
        {},
        (),
    )


def post_alerts(
    body: t.PostAlertsRequest,
) -> Act[t.AlertWithSecret]:
    """Make an alert.

    `POST /v1/alerts`"""
    return Act("POST", "/v1/alerts", {}, body)


def alerts_by_id(
    *,
    id: str,
) -> Query[t.Alert, dict[str, Any]]:
    """One alert.

    `GET /v1/alerts/{id}`

    id: Id of the alert, as the list gives it.
    """
    return Query(
        "/v1/alerts/{id}",
        {"id": id},
        (),
    )


def patch_alerts_by_id(
    body: t.PatchAlertsByIdRequest,
    *,
    id: str,
) -> Act[t.AlertWithSecret]:
    """Change fields of an alert; with another path, pointer or condition it begins anew.

    `PATCH /v1/alerts/{id}`

    id: Id of the alert, as the list gives it.
    """
    return Act("PATCH", "/v1/alerts/{id}", {"id": id}, body)


def delete_alerts_by_id(
    *,
    id: str,
) -> Act[t.DeleteAlertsById]:
    """Delete an alert.

    `DELETE /v1/alerts/{id}`

    id: Id of the alert, as the list gives it.
    """
    return Act("DELETE", "/v1/alerts/{id}", {"id": id}, None)


def post_alerts_by_id_test(
    *,
    id: str,
) -> Act[t.AlertEvent]:
    """Send a sample to the receivers of an alert.

    `POST /v1/alerts/{id}/test`

    id: Id of the alert, as the list gives it.
    """
    return Act("POST", "/v1/alerts/{id}/test", {"id": id}, None)


def alerts_events(
    *,
    alert_id: str | None = None,
    limit: int | None = None,
) -> Query[t.AlertsEvents, dict[str, Any]]:
    """What the alerts of the account have fired; each event by a stream with mode=log.

    `GET /v1/alerts/events`

    alert_id: Of this alert alone; of all when absent.
    limit: Most events.
    """
    return Query(
        "/v1/alerts/events",
        {"alert_id": alert_id, "limit": limit},
        (),
    )


def alerts_dead_letters() -> Query[t.AlertsDeadLetters, dict[str, Any]]:
    """Events that could not be delivered, 1,000 at most, the newest first.

    `GET /v1/alerts/dead-letters`"""
    return Query(
        "/v1/alerts/dead-letters",
        {},
        (),
    )


def post_alerts_dead_letters_by_id_resend(
    *,
    id: str,
) -> Act[t.PostAlertsDeadLettersByIdResend]:
    """Deliver a dead letter again, for another 24 hours.

    `POST /v1/alerts/dead-letters/{id}/resend`

    id: Id of the dead letter, as the list gives it.
    """
    return Act("POST", "/v1/alerts/dead-letters/{id}/resend", {"id": id}, None)


def post_alerts_secret() -> Act[t.PostAlertsSecret]:
    """Make another secret for the signatures of webhooks: the former one signs too for 24 hours.

    `POST /v1/alerts/secret`"""
    return Act("POST", "/v1/alerts/secret", {}, None)


def alerts_by_id_deliveries(
    *,
    id: str,
    limit: int | None = None,
) -> Query[t.AlertsByIdDeliveries, dict[str, Any]]:
    """Attempts to deliver what an alert has fired, of the last 30 days.

    `GET /v1/alerts/{id}/deliveries`

    id: Id of the alert, as the list gives it.
    limit: Most attempts.
    """
    return Query(
        "/v1/alerts/{id}/deliveries",
        {"id": id, "limit": limit},
        (),
    )


def usage() -> Query[t.Usage, dict[str, Any]]:
    """The account's use of its quota in the current window, in all and per key.

    `GET /v1/usage`"""
    return Query(
        "/v1/usage",
        {},
        (),
    )


def usage_history(
    *,
    days: int | None = None,
) -> Query[t.UsageHistory, dict[str, Any]]:
    """Requests with each active key of the account by UTC day.

    `GET /v1/usage/history`

    days: Number of days, the last of which is today.
    """
    return Query(
        "/v1/usage/history",
        {"days": days},
        (),
    )
