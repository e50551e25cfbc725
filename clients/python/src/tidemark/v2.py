# Made from the description of the API by `npm run docs`.
"""The requests of `/v2`: a `Query` is for `get`, `pages` or `subscribe` of a client, an `Act` for `send`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from .request import Act, Query, Table, Time, Words

if TYPE_CHECKING:
    from . import types as t


def exchanges() -> Query[t.ExchangesV2, t.ExchangeDetail]:
    """The exchanges there are, and how each capability of theirs is had.

    `GET /v2/exchanges`"""
    return Query(
        "/v2/exchanges",
        {},
        (
            Table("exchanges", "id name kinds capabilities orderbook_cap bar_intervals example"),
        ),
    )


def funding_rates(
    *,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"],
    symbol: str | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.FundingRatesV2, t.FundingRatesV2Item]:
    """Funding rates, mark and index prices of the perpetuals of one exchange.

    `GET /v2/funding-rates`

    exchange: Exchange id.
    symbol: Base asset, a pair in a usual spelling (`BTC/USDT`, `BTC-USDT`), or an exchange's own symbol. All when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v2/funding-rates",
        {"exchange": exchange, "symbol": symbol, "max_age": max_age, "wait": wait},
        (
            Table("items", "market symbol quote mark_price index_price funding_rate predicted_rate interval_hours funding_rate_8h premium @next_funding_time @venue_time @updated_at"),
        ),
    )


def open_interest(
    *,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"],
    symbol: str | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.OpenInterestV2, t.OpenInterestV2Item]:
    """Open interest of the perpetuals of one exchange.

    `GET /v2/open-interest`

    exchange: Exchange id.
    symbol: Base asset, a pair in a usual spelling (`BTC/USDT`, `BTC-USDT`), or an exchange's own symbol. All when absent.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v2/open-interest",
        {"exchange": exchange, "symbol": symbol, "max_age": max_age, "wait": wait},
        (
            Table("items", "market symbol quote open_interest_base open_interest_value mark_price @venue_time @updated_at"),
        ),
    )


def orderbook(
    *,
    exchange: Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"],
    symbol: str,
    depth: int | None = None,
    kind: Literal["spot", "perpetual"] | None = None,
    max_age: int | None = None,
) -> Query[t.OrderbookV2, dict[str, Any]]:
    """Order book of one market, live where it is kept, else asked of the exchange at once.

    `GET /v2/orderbook`

    exchange: Exchange id.
    symbol: The exchange's own symbol.
    depth: Levels a side; cut to the 20 or 50 that the exchange is served with.
    kind: Which market is meant where an exchange uses one symbol for both; spot when the exchange lists it there.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v2/orderbook",
        {"exchange": exchange, "symbol": symbol, "depth": depth, "kind": kind, "max_age": max_age},
        (),
    )


def dex_search(
    *,
    q: str,
    max_age: int | None = None,
) -> Query[t.DexSearchV2, t.DexSearchV2Pair]:
    """Pairs of every DEX on every chain by name, symbol or address of a token.

    `GET /v2/dex/search`

    q: Token name, symbol or contract address: 1 to 100 characters, none of them a control character.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v2/dex/search",
        {"q": q, "max_age": max_age},
        (
            Table("pairs", "chain dex base_token base_address quote_token price_usd volume_24h liquidity_usd fdv pair_address url price_change_5m price_change_1h price_change_24h"),
        ),
    )


def dex_token_by_address(
    *,
    address: str,
    max_age: int | None = None,
) -> Query[t.DexSearchV2, t.DexSearchV2Pair]:
    """Every pair of a token, on any chain.

    `GET /v2/dex/token/{address}`

    address: Contract of the token: 0x and 1 to 64 hexadecimal digits, where a chain has them followed by ::module::Name, or 3 to 128 letters, digits and . _ : -.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    """
    return Query(
        "/v2/dex/token/{address}",
        {"address": address, "max_age": max_age},
        (
            Table("pairs", "chain dex base_token base_address quote_token price_usd volume_24h liquidity_usd fdv pair_address url price_change_5m price_change_1h price_change_24h"),
        ),
    )


def dex_uniswap_pools(
    *,
    limit: int | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.DexUniswapPoolsV2, t.DexUniswapPoolsV2Pool]:
    """Uniswap v3 pools on ethereum, by TVL.

    `GET /v2/dex/uniswap/pools`

    limit: Most pools in the answer.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v2/dex/uniswap/pools",
        {"limit": limit, "max_age": max_age, "wait": wait},
        (
            Table("pools", "pool_id token0 token1 fee_tier tvl_usd volume_usd"),
        ),
    )


def dex_raydium_pools(
    *,
    limit: int | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.DexRaydiumPoolsV2, t.DexRaydiumPoolsV2Pool]:
    """Raydium pools on solana, by 24 h volume.

    `GET /v2/dex/raydium/pools`

    limit: Most pools in the answer.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v2/dex/raydium/pools",
        {"limit": limit, "max_age": max_age, "wait": wait},
        (
            Table("pools", "pool_id pool_type mint_a mint_b symbol_a symbol_b tvl volume_24h fee_24h apr_24h"),
        ),
    )


def dex_orca_pools(
    *,
    limit: int | None = None,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.DexOrcaPoolsV2, t.DexOrcaPoolsV2Pool]:
    """Orca whirlpools on solana, by TVL.

    `GET /v2/dex/orca/pools`

    limit: Most pools in the answer.
    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v2/dex/orca/pools",
        {"limit": limit, "max_age": max_age, "wait": wait},
        (
            Table("pools", "address token_a token_b symbol_a symbol_b price tvl volume_24h fee_rate"),
        ),
    )


def defi_stablecoins(
    *,
    max_age: int | None = None,
    wait: int | None = None,
) -> Query[t.DefiStablecoinsV2, t.DefiStablecoinsV2Stablecoin]:
    """Stablecoins with what circulates of them, the largest first.

    `GET /v2/defi/stablecoins`

    max_age: Oldest age of the newest reading in the answer, ms: where it is older the answer is a 503 `too_old` that says how old it is.
    wait: With `If-None-Match`: longest wait for a version other than that, ms; 304 where none comes.
    """
    return Query(
        "/v2/defi/stablecoins",
        {"max_age": max_age, "wait": wait},
        (
            Table("stablecoins", "name symbol peg_type circulating chains"),
        ),
    )
