# Made from the description of the API by `npm run docs`.
"""The bodies of answers and requests."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


ErrorCode: TypeAlias = "Literal[\"portfolio_failed\", \"bad_parameter\", \"bad_request\", \"unauthorized\", \"forbidden\", \"not_found\", \"unknown_symbol\", \"unknown_exchange\", \"method_not_allowed\", \"request_timeout\", \"too_large\", \"unsupported_media_type\", \"not_enough_data\", \"too_many_requests\", \"internal\", \"upstream_failed\", \"warming_up\", \"too_old\", \"overloaded\", \"store_unavailable\"]"
"""Which error it is, for programs."""


class ErrorAnswer(TypedDict):
    status: Literal["error"]
    """This is an error."""
    timestamp: int
    """Response time, Unix milliseconds."""
    code: ErrorCode
    message: str
    """The fault, in words."""


class AggTrade(TypedDict):
    a: int | None
    """The exchange's own id."""
    p: str | None
    """Price."""
    q: str | None
    """Quantity (base)."""
    T: int
    """Unix ms."""
    m: bool
    """Whether the buyer was the maker: the taker sold."""


class AggregatedBookLevel(TypedDict):
    price: float
    """US dollars, a multiple of `step`: bids rounded down, asks up."""
    quantity: float
    """Base units."""
    value_usd: float
    """Sum of price x quantity of the levels, US dollars."""
    exchanges: dict[str, float]
    """Map from exchange."""


class AlertCondition(TypedDict):
    type: Literal["above", "below", "crosses", "change", "outside", "stale", "event"]
    """Kind of condition."""
    value: NotRequired[float]
    """Level of `above`, `below` and `crosses`, in the unit of the watched value."""
    direction: NotRequired[Literal["up", "down", "any"]]
    """Which way counts."""
    percent: NotRequired[float]
    """Of `change`: by how many percent the value must have changed."""
    within: NotRequired[int]
    """Of `change`: in how many seconds."""
    low: NotRequired[float]
    """Of `outside`: lowest value of the band, in the unit of the watched value."""
    high: NotRequired[float]
    """Of `outside`: highest value of the band, in the unit of the watched value."""
    after: NotRequired[int]
    """Of `stale`: seconds without news."""
    above: NotRequired[float | None]
    """Of `event`: the value of the event must be greater, in the unit of the watched value; null for any."""
    below: NotRequired[float | None]
    """Of `event`: the value of the event must be smaller, in the unit of the watched value; null for any."""


class AlertReceiver(TypedDict):
    type: Literal["webhook", "telegram", "discord", "slack"]
    """Kind of receiver."""
    target: str
    """Its host or its chat; URLs and tokens are never shown again."""
    former_target: str | None
    """The chat that was given, where Telegram has said that its group is another one now; else null."""
    status: Literal["ok", "failing", "paused", "refused"]
    """`ok`; `failing`: the last attempt failed; `paused`: nothing is sent until `next_attempt`; `refused`: it says that it will never take this."""
    error: str | None
    """The fault of the last attempt, in words; null without one."""
    failing_since: int | None
    """Its first failure since the last delivery, Unix ms; null without one."""
    next_attempt: int | None
    """Until when nothing is sent to it, Unix ms; null for no pause."""


Alert = TypedDict(
    "Alert",
    {
        "id": "str",
        "name": "str",
        "status": "Literal[\"active\", \"paused\", \"expired\"]",
        "path": "str",
        "pointer": "str",
        "condition": "AlertCondition",
        "for": "int",
        "hysteresis": "float",
        "cooldown": "int",
        "expires_at": "int | None",
        "deliver": "list[AlertReceiver]",
        "resolved": "bool",
        "paused": "bool",
        "revision": "int",
        "created_at": "int",
        "updated_at": "int",
    },
)


class AlertEvent(TypedDict):
    id: str
    """The same however often it is sent: the `webhook-id`."""
    alert_id: str
    """Of the alert."""
    name: str
    """Of the alert."""
    kind: Literal["fired", "resolved", "test"]
    """The condition was fulfilled, it ended, or somebody has asked for a sample."""
    fired_at: int
    """Unix milliseconds."""
    data_time: int | None
    """When the value was received, Unix ms; null where that is not known."""
    path: str
    """As of the alert."""
    pointer: str
    """As of the alert."""
    subject: str | None
    """The symbol, row or name of several; null where one value is watched."""
    value: float | None
    """The value, in the unit that the answer has it in; of `stale` seconds without news."""
    previous: float | None
    """The value before, or that which a change is measured from, in the unit of the watched value; null where none is known."""
    condition: AlertCondition
    """When the alert fires."""
    text: str
    """For people."""


class AlertDeadLetter(TypedDict):
    id: str
    """Of the dead letter."""
    receiver: str
    """Kind of receiver."""
    target: str
    """Its host or its chat."""
    attempts: int
    """Attempts before it was given up."""
    given_up_at: int
    """Unix milliseconds."""
    error: str
    """The fault of the last attempt, in words."""
    event: AlertEvent
    """What an alert has fired."""


class AlertDelivery(TypedDict):
    event_id: str
    """Of the event."""
    receiver: str
    """Kind of receiver."""
    target: str
    """Its host or its chat."""
    attempt: int
    """Number of the attempt, from 1."""
    at: int
    """When it ended, Unix ms."""
    took_ms: int
    """How long the receiver took, ms."""
    outcome: Literal["delivered", "failed", "dead"]
    """Failed: it is tried again. Dead: it was given up."""
    status: int | None
    """HTTP status; null without an answer."""
    error: str | None
    """The fault, in words; null without one."""


class AlertValue(TypedDict):
    subject: str | None
    """The symbol, row or name of several, as events have it; null where one value is watched."""
    value: float | None
    """The value, in the unit of the watched value; null without one."""
    data_time: int | None
    """When it was received, Unix ms; null where that is not known."""


AlertWithSecret = TypedDict(
    "AlertWithSecret",
    {
        "id": "str",
        "name": "str",
        "status": "Literal[\"active\", \"paused\", \"expired\"]",
        "path": "str",
        "pointer": "str",
        "condition": "AlertCondition",
        "for": "int",
        "hysteresis": "float",
        "cooldown": "int",
        "expires_at": "int | None",
        "deliver": "list[AlertReceiver]",
        "resolved": "bool",
        "paused": "bool",
        "revision": "int",
        "created_at": "int",
        "updated_at": "int",
        "value": "float | None",
        "values": "list[AlertValue]",
        "secret": "str | None",
    },
)


class Alerts(TypedDict):
    count: int
    """Number of rows in the answer."""
    limit: int | None
    """Alerts that the plan allows; null for no limit."""
    alerts: list[Alert]
    """The oldest first."""


class AlertsByIdDeliveries(TypedDict):
    count: int
    """Number of rows in the answer."""
    deliveries: list[AlertDelivery]
    """Newest first."""


class AlertsDeadLetters(TypedDict):
    count: int
    """Number of rows in the answer."""
    letters: list[AlertDeadLetter]
    """Newest first."""


class AlertsEvents(TypedDict):
    count: int
    """Number of rows in the answer."""
    events: list[AlertEvent]
    """Newest first."""


class AnalyticsBitfinexMarginHistoryPoint(TypedDict):
    timestamp: int
    """When this was held, Unix ms."""
    long_size: float
    """Held long on margin, base units."""
    short_size: float
    """Held short on margin, base units."""
    long_short_ratio: float | None
    """Long over short; null where nothing is held short."""


class AnalyticsBitfinexMarginHistory(TypedDict):
    symbol: str
    """Base asset."""
    exchange: Literal["bitfinex"]
    """Exchange id."""
    pair: str
    """The exchange's own id of the market."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    points: list[AnalyticsBitfinexMarginHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class FundingHistoryPoint(TypedDict):
    timestamp: int
    """When it was charged, Unix ms."""
    funding_rate: float
    """Fraction of `interval_hours`."""
    predicted_rate: float | None
    """The rate expected before, a fraction of `interval_hours`; null where the exchange keeps none."""
    funding_rate_8h: float | None
    """Fraction: the rate x 8 / `interval_hours`."""
    interval_hours: float | None
    """Hours since the funding before."""


class AnalyticsBybitFundingHistory(TypedDict):
    symbol: str
    """Base asset."""
    exchange: Literal["bybit"]
    """Exchange id."""
    contract: str
    """The exchange's own id."""
    count: int
    """Number of rows in the answer."""
    points: list[FundingHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class AnalyticsOkxLongShortPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms."""
    long_ratio: float
    """Share of long, a fraction."""
    short_ratio: float
    """Share of short, a fraction."""
    long_short_ratio: float
    """Long over short."""
    locked_ratio: float | None
    """Share of locked positions; null where the exchange states none."""


class AnalyticsBybitLongShort(TypedDict):
    symbol: str
    """Base asset."""
    exchange: Literal["bybit"]
    """Exchange id."""
    contract: str
    """The exchange's own id."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    points: list[AnalyticsOkxLongShortPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class AnalyticsBybitOiHistoryPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms."""
    open_interest_base: float | None
    """Base units, one side."""
    open_interest_usd: float | None
    """The same x mark price; null while there is none."""


class AnalyticsBybitOiHistory(TypedDict):
    symbol: str
    """Base asset."""
    exchange: Literal["bybit"]
    """Exchange id."""
    contract: str
    """The exchange's own id."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    points: list[AnalyticsBybitOiHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class AnalyticsHtxEliteAccountRatio(TypedDict):
    symbol: str
    """Base asset."""
    exchange: Literal["htx"]
    """Exchange id."""
    contract: str
    """The exchange's own id."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    points: list[AnalyticsOkxLongShortPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class AnalyticsHtxFundingHistory(TypedDict):
    symbol: str
    """Base asset."""
    exchange: Literal["htx"]
    """Exchange id."""
    contract: str
    """The exchange's own id."""
    count: int
    """Number of rows in the answer."""
    points: list[FundingHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class HyperliquidAccount(TypedDict):
    address: str
    """Address of the account."""
    account_value_usd: float
    """USDC, counted as dollars."""
    total_position_usd: float
    """USDC, counted as dollars."""
    total_margin_used_usd: float
    """USDC, counted as dollars."""
    withdrawable_usd: float
    """USDC, counted as dollars."""


class AnalyticsHyperliquidClearinghouseAsset(TypedDict):
    symbol: str
    """Base asset."""
    contract: str
    """The exchange's own id."""
    open_interest_base: float
    """Base units."""
    open_interest_usd: float
    """Base units x mark price."""
    volume_24h_usd: float
    """Turnover of 24 hours."""
    mark_price: float
    """US dollars."""
    oracle_price: float | None
    """Of the validators, US dollars; null where it is not known."""
    mid_price: float | None
    """Middle of the order book, US dollars; the mark price while a side is empty."""
    premium: float | None
    """Impact price against the oracle price, a fraction."""
    funding_rate_1h: float
    """Fraction of the running hour."""
    funding_rate_8h: float
    """The same times eight, a fraction."""
    max_leverage: float
    """Largest leverage, a multiple of the margin."""
    only_isolated: bool
    """Margin is never shared with other positions."""
    maintenance_margin_rate: float
    """1 / (2 x `max_leverage`), a fraction of the position."""
    price_change_24h_percent: float | None
    """Change of the price of this market in 24 hours, percent; null where the exchange states none."""


class AnalyticsHyperliquidClearinghouse(TypedDict):
    exchange: Literal["hyperliquid"]
    """Exchange id."""
    updated_at: int
    """When the markets were received, Unix ms."""
    total_open_interest_usd: float
    """Over all listed assets."""
    total_volume_24h_usd: float
    """Turnover of 24 hours over all listed assets, USD."""
    price_change_24h_basis: Literal["market"]
    """Of one market each, not of the asset as in the tables of assets."""
    asset_count: int
    """All listed assets, before `limit`."""
    assets_at_oi_cap: list[str]
    """Base assets whose open interest may not grow."""
    liquidity_vault: HyperliquidAccount
    """Account of the protocol's own vault."""
    assets: list[AnalyticsHyperliquidClearinghouseAsset]
    """Largest open interest first."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class AnalyticsHyperliquidFundingHistoryPoint(TypedDict):
    timestamp: int
    """When it was charged, Unix ms."""
    funding_rate_1h: float
    """Fraction of the hour."""
    funding_rate_8h: float
    """The same times eight, a fraction."""
    annualized: float
    """Rate of 365 days, a fraction."""
    premium: float | None
    """Fraction."""


class AnalyticsHyperliquidFundingHistory(TypedDict):
    symbol: str
    """Base asset."""
    exchange: Literal["hyperliquid"]
    """Exchange id."""
    contract: str
    """The exchange's own id."""
    count: int
    """Number of rows in the answer."""
    interval: Literal["1h"]
    """Between two points."""
    points: list[AnalyticsHyperliquidFundingHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class VaultPeriod(TypedDict):
    pnl_usd: float
    """Profit of the period: the last value of `pnl` less the first."""
    volume_usd: float
    """USDC, counted as dollars."""
    account_value: list[list[float]]
    """Value of the vault: [Unix ms, USD]."""
    pnl: list[list[float]]
    """Profit and loss: [Unix ms, USD]."""


class AnalyticsHyperliquidVaultPerformance(TypedDict):
    day: VaultPeriod
    """The last 24 hours."""
    week: VaultPeriod
    """The last 7 days."""
    month: VaultPeriod
    """The last 30 days."""
    all_time: VaultPeriod
    """Since the vault was made."""


class AnalyticsHyperliquidVaultFollower(TypedDict):
    address: str
    """`Leader` for the leader."""
    equity_usd: float
    """USDC, counted as dollars."""
    pnl_usd: float
    """USDC, counted as dollars."""
    all_time_pnl_usd: float
    """USDC, counted as dollars."""
    days_following: int
    """Days since the deposit, as the exchange counts them."""
    entry_time: int | None
    """Unix milliseconds, or null."""


class AnalyticsHyperliquidVault(TypedDict):
    address: str
    """Address of the vault."""
    name: str
    """Name of the vault."""
    leader: str
    """Address of its leader."""
    description: str
    """In the words of the leader."""
    apr: float
    """A fraction, as the exchange states it."""
    tvl_usd: float
    """Last value of the vault in the chart of the day, USD."""
    leader_fraction: float
    """Part of the vault that is the leader's own, a fraction."""
    leader_commission: float
    """Part of the profit that the leader takes, a fraction."""
    is_closed: bool
    """It is closed for good."""
    allow_deposits: bool
    """It takes deposits."""
    max_distributable_usd: float
    """USDC, counted as dollars."""
    max_withdrawable_usd: float
    """USDC, counted as dollars."""
    follower_count: int
    """Followers that the exchange names."""
    follower_count_capped: bool
    """True at 100: the exchange names no more."""
    child_vaults: list[str]
    """Addresses of vaults that it holds."""
    performance: AnalyticsHyperliquidVaultPerformance
    """Profit, volume and value over several periods."""
    followers: list[AnalyticsHyperliquidVaultFollower]
    """As the exchange orders them."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class AnalyticsKrakenDepthBid(TypedDict):
    price: float
    """USD."""
    quantity: float
    """Base units."""
    value_usd: float
    """Price x quantity."""


class AnalyticsKrakenDepth(TypedDict):
    symbol: str
    """Base asset."""
    contract: str
    """The exchange's own id."""
    bids: list[AnalyticsKrakenDepthBid]
    """Price descending."""
    asks: list[AnalyticsKrakenDepthBid]
    """Price ascending."""
    best_bid: float | None
    """Highest bid, USD; null without bids."""
    best_ask: float | None
    """Lowest ask, USD; null without asks."""
    mid_price: float | None
    """USD; null while a side is empty or the book is crossed."""
    spread_percent: float | None
    """Best ask less best bid, percent of the mid price."""
    bids_usd_1pct: float
    """Value of all bids within 1 % of the mid price."""
    asks_usd_1pct: float
    """Value of all asks within 1 % of the mid price."""
    timestamp: int
    """When the exchange took it, Unix ms."""
    suspect: NotRequired[bool]
    """True where its middle is more than 30 % away from all prices of the asset."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class AnalyticsKrakenFundingRatesItem(TypedDict):
    symbol: str
    """Base asset."""
    contract: str
    """The exchange's own id."""
    funding_rate_1h: float | None
    """Fraction of the running hour."""
    funding_rate_8h: float | None
    """The same times eight, a fraction."""
    predicted_rate_1h: float | None
    """Fraction expected for the next hour."""
    predicted_rate_8h: float | None
    """The same times eight, a fraction."""
    mark_price: float
    """USD."""
    index_price: float | None
    """USD; null where the exchange states none."""
    next_funding_time: int
    """When the running rate is charged: the next full hour, Unix ms."""


class AnalyticsKrakenFundingRates(TypedDict):
    exchange: Literal["kraken"]
    """Exchange id."""
    updated_at: int
    """When the newest reading was received, Unix ms."""
    count: int
    """Number of rows in the answer."""
    items: list[AnalyticsKrakenFundingRatesItem]
    """One row a contract."""


class AnalyticsKrakenMarkPricesItem(TypedDict):
    symbol: str
    """Base asset."""
    contract: str
    """The exchange's own id."""
    kind: Literal["perpetual", "future"]
    """Dated futures are not listed."""
    mark_price: float
    """USD."""
    index_price: float | None
    """USD; null where the exchange states none."""
    last_price: float | None
    """Last trade, USD."""
    premium_percent: float | None
    """Mark over index, less one, percent; null without an index."""


class AnalyticsKrakenMarkPrices(TypedDict):
    exchange: Literal["kraken"]
    """Exchange id."""
    updated_at: int
    """When the newest reading was received, Unix ms."""
    count: int
    """Number of rows in the answer."""
    items: list[AnalyticsKrakenMarkPricesItem]
    """One row a contract."""


class AnalyticsKrakenOpenInterestItem(TypedDict):
    symbol: str
    """Base asset."""
    contract: str
    """The exchange's own id."""
    margin_type: Literal["linear", "inverse"]
    """inverse: margined in the base asset."""
    kind: Literal["perpetual", "future"]
    """Dated futures are not listed."""
    open_interest_base: float
    """Base units, one side."""
    open_interest_usd: float
    """USD, one side."""
    volume_24h_usd: float | None
    """Turnover of 24 hours, USD."""


class AnalyticsKrakenOpenInterest(TypedDict):
    exchange: Literal["kraken"]
    """Exchange id."""
    updated_at: int
    """When the newest reading was received, Unix ms."""
    total_open_interest_usd: float
    """Sum of all items, USD."""
    count: int
    """Number of rows in the answer."""
    items: list[AnalyticsKrakenOpenInterestItem]
    """One row a contract."""


class AnalyticsOkxFundingHistory(TypedDict):
    symbol: str
    """Base asset."""
    exchange: Literal["okx"]
    """Exchange id."""
    contract: str
    """The exchange's own id."""
    count: int
    """Number of rows in the answer."""
    points: list[FundingHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class AnalyticsOkxLiquidationsOrder(TypedDict):
    symbol: str
    """Base asset."""
    contract: str
    """The exchange's own id."""
    side: Literal["long", "short"]
    """Of the position that was closed."""
    price: float
    """At which the margin was used up, for one unit of the base asset, in quote."""
    price_kind: Literal["bankruptcy"]
    """The price at which the margin was used up."""
    quantity_contracts: float
    """Contracts."""
    quantity_base: float
    """Base units."""
    value_usd: float
    """US dollars; stablecoins count as one each."""
    bankruptcy_loss: float | None
    """Loss beyond the margin, in a unit that the exchange does not document; null where it states none."""
    timestamp: int
    """When it happened, as the exchange states it, Unix ms."""


class AnalyticsOkxLiquidations(TypedDict):
    exchange: Literal["okx"]
    """Exchange id."""
    recording_since: int
    """First time of the last 24 hours in which a feed was heard, Unix ms."""
    connected: bool
    """Every feed of the answer is heard at present, or was 60 s ago."""
    count: int
    """Number of rows in the answer."""
    orders: list[AnalyticsOkxLiquidationsOrder]
    """Newest first."""


class AnalyticsOkxLongShort(TypedDict):
    symbol: str
    """Base asset."""
    exchange: Literal["okx"]
    """Exchange id."""
    contract: str
    """The exchange's own id."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    points: list[AnalyticsOkxLongShortPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class SpotTakerBuysellHistoryPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms."""
    taker_buy_usd: float | None
    """Bought by takers, US dollars."""
    taker_sell_usd: float | None
    """Sold by takers, US dollars."""
    taker_buy_base: float | None
    """Base units."""
    taker_sell_base: float | None
    """Base units."""
    buy_sell_ratio: float | None
    """Bought over sold; null where nothing was sold."""
    delta_usd: float | None
    """Bought less sold, US dollars."""
    closed: bool
    """False while the interval still ran when the exchange was asked."""


class AnalyticsOkxTakerVolume(TypedDict):
    symbol: str
    """Base asset."""
    exchange: Literal["okx"]
    """Exchange id."""
    contract: str
    """The exchange's own id."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    points: list[SpotTakerBuysellHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class TopTradersPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms."""
    account_long_ratio: float
    """Share of accounts that are long, a fraction."""
    account_short_ratio: float
    """Share of accounts that are short."""
    account_long_short_ratio: float | None
    """Long over short."""
    position_long_ratio: float
    """Share of positions that are long, a fraction."""
    position_short_ratio: float
    """Share of positions that are short."""
    position_long_short_ratio: float | None
    """Long over short."""


class AnalyticsOkxTopTraders(TypedDict):
    symbol: str
    """Base asset."""
    exchange: Literal["okx"]
    """Exchange id."""
    pair: str
    """The exchange's own id of the market."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    points: list[TopTradersPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class AnalyticsTakerVolume(TypedDict):
    symbol: str
    """Base asset."""
    exchange: Literal["binance"]
    """Exchange id."""
    pair: str
    """The exchange's own id of the market."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    points: list[SpotTakerBuysellHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class AnalyticsTopTraders(TypedDict):
    symbol: str
    """Base asset."""
    exchange: Literal["binance"]
    """Exchange id."""
    pair: str
    """The exchange's own id of the market."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    points: list[TopTradersPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class AuthKey(TypedDict):
    id: str
    """Id of the key, a UUID."""
    name: str
    """1 to 64 characters once trimmed, without control characters."""
    prefix: str
    """The first 12 characters of the key."""
    kind: Literal["live", "link"]
    """`link`: it reads its `paths` and nothing else, and may stand in the URL (`link=`)."""
    paths: list[str] | None
    """Paths that a key of the kind `link` reads: `/v1/bars` with any query, `/v1/bars?symbol=BTC` with exactly this one; null for other keys."""
    created_at: int
    """Unix milliseconds."""
    last_used_at: int | None
    """Unix milliseconds, at most 10 s late; null when it was never used."""
    requests_today: int
    """Requests with the key since 00:00 UTC, whatever came of them, at most 10 s late."""
    plan: str
    """As the newest token that states one has it; free when none has."""
    status: Literal["active", "revoked"]
    """Revoked: it is refused."""
    revoked: bool
    """The same as `status`."""
    ends_at: int | None
    """When a browser session or a replaced key ends by itself, Unix milliseconds; null for others."""
    revoked_at: int | None
    """Unix milliseconds; null while the key is active."""


class AuthMeLimits(TypedDict):
    requests_per_minute: int | None
    """Requests a minute, over all keys of the account."""
    api_keys: int | None
    """Active keys at once."""
    connections: int | None
    """Requests that may wait for upstreams or for their body at once."""


class AuthMe(TypedDict):
    id: str
    """The subject that the identity provider states."""
    email: NotRequired[str]
    """As the token states it; absent where it states none."""
    plan: str
    """As the newest token that states one has it; free when none has."""
    rate_limit: int | None
    """Requests a minute; null for no limit."""
    limits: AuthMeLimits
    """Null for no limit."""
    key_count: int
    """Active keys."""
    created_at: int | None
    """When the first token of the account was seen, Unix milliseconds; null while that is not noted."""


class AuthSession(TypedDict):
    account: str | None
    """Whose session it is; null without one."""
    expires_at: int | None
    """When it ends by itself, Unix milliseconds; null without one."""


class Bar(TypedDict):
    timestamp: int
    """Open time, Unix milliseconds."""
    open: float
    """First price, in quote."""
    high: float
    """Highest price, in quote."""
    low: float
    """Lowest price, in quote."""
    close: float
    """Last price, in quote."""
    volume: float
    """Base asset."""
    volume_usd: float | None
    """Turnover; null when the market is not quoted in dollars."""
    closed: bool
    """False while the interval still runs."""
    exchange_count: NotRequired[int]
    """Exchanges with a candle of this time; with `exchange=all` only."""


class Bars(TypedDict):
    exchange: str
    """Exchange id, or `all`."""
    symbol: str
    """As asked; the asset with `exchange=all`."""
    failed_exchanges: NotRequired[list[str]]
    """Exchanges that could not be asked; with `exchange=all` only."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    market: str
    """Native symbol that the bars are of; the asset with `exchange=all`."""
    kind: str | None
    """`spot` or `perpetual`; null where it is not known."""
    quote: str | None
    """Quote asset; null as `kind`. `USD` with `exchange=all`."""
    bars: list[Bar]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class BatchAnswer(TypedDict):
    path: str
    """As given."""
    status: int
    """HTTP status that the path has by itself."""
    as_of: NotRequired[int]
    """When the newest reading in the data was received, Unix ms."""
    version: NotRequired[str]
    """Of the data, as in its `ETag`."""
    data: NotRequired[Any]
    """As the path has it by itself."""
    code: NotRequired[str]
    """Which error it is."""
    message: NotRequired[str]
    """The fault, in words."""


Filter: TypeAlias = "dict[str, str]"


class BinanceContract(TypedDict):
    symbol: str
    """The exchange's own id."""
    status: Literal["TRADING"]
    """Markets that are not traded are left out."""
    baseAsset: str
    """Base asset."""
    baseAssetPrecision: int
    """Digits after the point."""
    quoteAsset: str
    """Quote asset."""
    quotePrecision: int
    """Digits after the point."""
    filters: list[Filter]
    """Empty where they are not known."""
    pair: str
    """As `symbol`."""
    contractType: Literal["PERPETUAL"]
    """Others are left out."""
    deliveryDate: int
    """Unix ms; in the year 2100 for contracts that do not end."""
    onboardDate: int | None
    """When it was listed, Unix ms."""
    marginAsset: str
    """What it is settled in."""
    pricePrecision: int | None
    """Digits after the point."""
    quantityPrecision: int | None
    """Digits after the point."""


class BinanceContractDay(TypedDict):
    symbol: str
    """The exchange's own id."""
    priceChange: str | None
    """Last price less that of 24 h ago."""
    priceChangePercent: str | None
    """The same, percent."""
    weightedAvgPrice: str | None
    """Turnover divided by volume."""
    lastPrice: str | None
    """Of the last trade."""
    openPrice: str | None
    """24 h ago."""
    highPrice: str | None
    """Of 24 h."""
    lowPrice: str | None
    """Of 24 h."""
    volume: str | None
    """Base assets in 24 h."""
    quoteVolume: str | None
    """Quote assets in 24 h."""
    openTime: int
    """24 h before `closeTime`, Unix ms."""
    closeTime: int
    """The time of the ticker, Unix ms."""


class BinanceContractPrice(TypedDict):
    symbol: str
    """The exchange's own id."""
    price: str | None
    """Of the last trade."""
    time: int
    """Unix ms."""


class BinancePremium(TypedDict):
    symbol: str
    """The exchange's own id."""
    markPrice: str | None
    """In quote."""
    indexPrice: str | None
    """In quote."""
    lastFundingRate: str | None
    """A fraction, charged at `nextFundingTime`."""
    nextFundingTime: int | None
    """Unix ms."""
    time: int
    """Unix ms."""


class BinanceQuotes(TypedDict):
    symbol: str
    """The exchange's own id."""
    bidPrice: str | None
    """Best bid; null where it is not known."""
    bidQty: str | None
    """Null in `ticker/24hr`."""
    askPrice: str | None
    """Best ask, of the same message; null as the bid."""
    askQty: str | None
    """As `bidQty`."""
    time: NotRequired[int]
    """The time of the book, Unix ms; of contracts."""


class BinanceSpotDay(TypedDict):
    symbol: str
    """The exchange's own id."""
    priceChange: str | None
    """Last price less that of 24 h ago."""
    priceChangePercent: str | None
    """The same, percent."""
    weightedAvgPrice: str | None
    """Turnover divided by volume."""
    lastPrice: str | None
    """Of the last trade."""
    openPrice: str | None
    """24 h ago."""
    highPrice: str | None
    """Of 24 h."""
    lowPrice: str | None
    """Of 24 h."""
    volume: str | None
    """Base assets in 24 h."""
    quoteVolume: str | None
    """Quote assets in 24 h."""
    openTime: int
    """24 h before `closeTime`, Unix ms."""
    closeTime: int
    """The time of the ticker, Unix ms."""
    bidPrice: str | None
    """Best bid; null where it is not known."""
    bidQty: str | None
    """Null in `ticker/24hr`."""
    askPrice: str | None
    """Best ask, of the same message; null as the bid."""
    askQty: str | None
    """As `bidQty`."""


class BinanceSpotMarket(TypedDict):
    symbol: str
    """The exchange's own id."""
    status: Literal["TRADING"]
    """Markets that are not traded are left out."""
    baseAsset: str
    """Base asset."""
    baseAssetPrecision: int
    """Digits after the point."""
    quoteAsset: str
    """Quote asset."""
    quotePrecision: int
    """Digits after the point."""
    filters: list[Filter]
    """Empty where they are not known."""
    quoteAssetPrecision: int
    """Digits after the point."""
    isSpotTradingAllowed: Literal[True]
    """Others are left out."""
    isMarginTradingAllowed: bool
    """Traded on margin as well."""
    permissions: list[str]
    """Empty, as at the exchange."""
    permissionSets: list[list[str]]
    """What an account needs: SPOT, or MARGIN where it is traded on margin. Those of groups of traders are left out."""


class BinanceSpotPrice(TypedDict):
    symbol: str
    """The exchange's own id."""
    price: str | None
    """Of the last trade."""


class BookLevel(TypedDict):
    price: float
    """Of one base asset, in the quote of the market."""
    quantity: float
    """Base asset, whatever the exchange counts in."""


class BorrowRateExtreme(TypedDict):
    exchange: str
    """Exchange id."""
    annual_rate_pct: float
    """Percent a year, without interest on interest."""


ChartCoverage = TypedDict(
    "ChartCoverage",
    {
        "from": "int | None",
        "to": "int | None",
        "points": "int",
        "recorded_from": "int | None",
    },
)


CompatBinanceApiV3Ping: TypeAlias = "dict[str, Any]"


class CompatBinanceApiV3ExchangeInfo(TypedDict):
    timezone: Literal["UTC"]
    """Of days."""
    serverTime: int
    """When the answer was made, Unix ms."""
    rateLimits: list[CompatBinanceApiV3Ping]
    """Empty: limits are those of the account at this service."""
    exchangeFilters: list[CompatBinanceApiV3Ping]
    """Empty."""
    symbols: list[BinanceSpotMarket]
    """Those that are traded."""


class CompatBinanceFapiV1ExchangeInfo(TypedDict):
    timezone: Literal["UTC"]
    """Of days."""
    serverTime: int
    """When the answer was made, Unix ms."""
    rateLimits: list[CompatBinanceApiV3Ping]
    """Empty: limits are those of the account at this service."""
    exchangeFilters: list[CompatBinanceApiV3Ping]
    """Empty."""
    symbols: list[BinanceContract]
    """Those that are traded."""


class CompatBinanceFapiV1FundingInfoItem(TypedDict):
    symbol: str
    """The exchange's own id."""
    fundingIntervalHours: int
    """Hours between two fundings."""


class CompatBinanceFapiV1FundingRateItem(TypedDict):
    symbol: str
    """The exchange's own id."""
    fundingTime: int
    """Unix ms, to the full minute."""
    fundingRate: str | None
    """A fraction."""
    markPrice: str | None
    """At the settlement; null where it is not stated."""


class CompatBinanceFapiV1OpenInterest(TypedDict):
    symbol: str
    """The exchange's own id."""
    openInterest: str | None
    """Base assets, one side."""
    time: int
    """Unix ms."""


class ComputedIndicatorsIndicator(TypedDict):
    name: str
    """Name in the catalogue."""
    params: dict[str, Any]
    """Its parameters by name."""
    fields: list[str]
    """Names of its outputs."""
    latest: dict[str, float | None]
    """Map from output to the value of the last candle."""
    series: NotRequired[dict[str, list[float | None]]]
    """Map from output to values, oldest first."""


class ComputedIndicatorsWarning(TypedDict):
    id: str
    """Key in `indicators`."""
    name: str
    """Name in the catalogue."""
    needed: int
    """Candles that it takes."""
    available: int
    """Candles that there are."""
    message: str
    """The fault, in words."""


RecordCoverage = TypedDict(
    "RecordCoverage",
    {
        "from": "int | None",
        "to": "int | None",
        "expected": "int",
        "present": "int",
        "complete": "bool",
        "backfilled": "bool",
    },
)


class ComputedIndicatorsRecorded(TypedDict):
    name: str
    """Name of the series."""
    symbol: str
    """Base asset."""
    column: str
    """Which of its values."""
    exchange: NotRequired[str]
    """Exchange id."""
    margin: NotRequired[str]
    """Of the contracts, as asked."""
    kind: NotRequired[str]
    """Of the markets, as asked."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""


class ComputedIndicators(TypedDict):
    symbol: str | None
    """The exchange's own symbol; null with candles of your own."""
    market: str | None
    """The same."""
    exchange: str | None
    """Exchange id; null with candles of your own or a recorded series."""
    timeframe: str | None
    """Candle length; null where candles of your own state none."""
    timestamp: int | None
    """Close time of the last closed candle; of your own, its timestamp. Unix milliseconds."""
    count: int
    """Closed candles that are shown."""
    timestamps: NotRequired[list[int]]
    """Open times; with series only."""
    candles: NotRequired[dict[str, list[float]]]
    """Map from column to values; with series of a symbol only."""
    indicators: dict[str, ComputedIndicatorsIndicator]
    """Map from id to indicator."""
    warnings: list[ComputedIndicatorsWarning]
    """Indicators for which the candles are too few, or do not reach the start of a period: what lacks them is null."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    recorded: NotRequired[ComputedIndicatorsRecorded]
    """The recorded series that stands for candles; absent without one."""


class ComputedMarketsItem(TypedDict):
    symbol: str
    """As asked."""
    exchange: str
    """Exchange id."""
    timeframe: str
    """Candle length."""
    data: ComputedIndicators | None
    """As of one market; null with an error."""
    code: str | None
    """Which error it is; null with data."""
    message: str | None
    """The fault, in words; null with data."""


class ComputedMarkets(TypedDict):
    count: int
    """Number of rows in the answer."""
    items: list[ComputedMarketsItem]
    """In the order of `markets`."""


class CvdAggregatedPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms."""
    delta_usd: float
    """Bought less sold by takers on all these exchanges, US dollars."""
    cvd_usd: float
    """Sum of the differences from the first point of this answer on, US dollars: each page of a range begins at 0."""
    exchange_count: int
    """Exchanges with a row of this interval."""
    exchanges: dict[str, float]
    """Map from exchange."""


class CvdHistoryPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms."""
    delta_usd: float
    """Bought less sold by takers, US dollars."""
    cvd_usd: float
    """Sum of the differences from the first point of this answer on, US dollars: each page of a range begins at 0."""
    delta_base: float
    """Bought less sold, base units."""
    cvd_base: float
    """Sum of the differences from the first point of this answer on, base units: each page of a range begins at 0."""
    close: float | None
    """Last price of the interval, in quote; null where the volumes come without one."""


class CvdHistory(TypedDict):
    symbol: str
    """Base asset."""
    exchange: str
    """Exchange id."""
    pair: str
    """The exchange's own id of the market."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    points: list[CvdHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class DefiStablecoinsV2Stablecoin(TypedDict):
    name: str
    """Name of the coin."""
    symbol: str
    """Symbol of the coin."""
    peg_type: str
    """`peggedUSD`, `peggedEUR`."""
    circulating: float
    """The amount on all chains, USD: for coins pegged to another currency too the value in dollars, as the source states it."""
    chains: list[str]
    """The largest first."""


class DefiStablecoinsV2(TypedDict):
    updated_at: int
    """When the rows were received, Unix milliseconds."""
    stale: NotRequired[Literal[True]]
    """Older than 15 minutes: no source has answered since."""
    count: int
    """Number of rows in the answer."""
    stablecoins: list[DefiStablecoinsV2Stablecoin]
    """The largest first."""


class DeleteAlertsById(TypedDict):
    id: str
    """Id of the alert."""
    status: Literal["deleted"]
    """It does not fire any more."""


class DeleteAuthKeysById(TypedDict):
    id: str
    """Id of the key, a UUID."""
    status: Literal["revoked"]
    """It is refused from now on."""


class DeleteAuthSession(TypedDict):
    account: str | None
    """Whose session it is; null without one."""


class Depth(TypedDict):
    lastUpdateId: NotRequired[int]
    """The exchange's number of the book's last change."""
    T: NotRequired[int]
    """When the book was so, Unix ms; of contracts."""
    bids: list[list[str]]
    """Price descending."""
    asks: list[list[str]]
    """Price ascending."""


class DexOrcaPoolsV2Pool(TypedDict):
    address: str
    """Address of the pool."""
    token_a: str
    """Mint of token A."""
    token_b: str
    """Mint of token B."""
    symbol_a: NotRequired[str]
    """Absent where the token has none."""
    symbol_b: NotRequired[str]
    """Absent where the token has none."""
    price: float
    """Amount of token B for one token A, a ratio."""
    tvl: float
    """USD."""
    volume_24h: float
    """USD."""
    fee_rate: float
    """Fraction of a trade: 0.003 is 0.3 %."""


class DexOrcaPoolsV2(TypedDict):
    updated_at: int
    """When the rows were received, Unix milliseconds."""
    stale: NotRequired[Literal[True]]
    """Older than 3 minutes: no source has answered since."""
    count: int
    """Number of rows in the answer."""
    pools: list[DexOrcaPoolsV2Pool]
    """In the order of the summary."""


class DexRaydiumPoolsV2Pool(TypedDict):
    pool_id: str
    """Address of the pool."""
    pool_type: str
    """`Standard` or `Concentrated`."""
    mint_a: str
    """Mint of token A."""
    mint_b: str
    """Mint of token B."""
    symbol_a: NotRequired[str]
    """Absent where the token has none."""
    symbol_b: NotRequired[str]
    """Absent where the token has none."""
    tvl: float
    """USD."""
    volume_24h: float
    """USD."""
    fee_24h: float
    """USD."""
    apr_24h: float
    """Percent a year, fees and rewards together."""


class DexRaydiumPoolsV2(TypedDict):
    updated_at: int
    """When the rows were received, Unix milliseconds."""
    stale: NotRequired[Literal[True]]
    """Older than 3 minutes: no source has answered since."""
    count: int
    """Number of rows in the answer."""
    pools: list[DexRaydiumPoolsV2Pool]
    """In the order of the summary."""


class DexSearchV2Pair(TypedDict):
    chain: str
    """In the words of the source: `ethereum`, `solana`."""
    dex: str
    """Exchange."""
    base_token: str
    """Symbol, as the maker of the token wrote it."""
    base_address: str
    """Contract of the base token."""
    quote_token: str
    """Symbol."""
    price_usd: float
    """Of the base token, USD."""
    volume_24h: float
    """USD."""
    liquidity_usd: float
    """USD; 0 where the pair has no pool yet."""
    fdv: float | None
    """Fully diluted value, USD; null when unknown."""
    pair_address: str
    """The pool's address, or the id that its exchange has for it."""
    url: str
    """The pair on the site of the source."""
    price_change_5m: float | None
    """Percent; null when unknown."""
    price_change_1h: float | None
    """Percent; null when unknown."""
    price_change_24h: float
    """Percent; 0 as well where nothing traded."""


class DexSearchV2(TypedDict):
    pairs: list[DexSearchV2Pair]
    """In the order of the source, which is by relevance."""
    count: int
    """How many pairs there are here; the source gives about 30 at most."""
    source: str
    """The source: `dexscreener`, or `geckoterminal` while that fails."""
    updated_at: int
    """When its answer was received, Unix milliseconds."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class DexUniswapPoolsV2Pool(TypedDict):
    pool_id: str
    """Contract of the pool, in checksum form."""
    token0: str
    """Symbol; the shortened address where it is unknown."""
    token1: str
    """Symbol; the shortened address where it is unknown."""
    fee_tier: Literal[100, 500, 3000, 10000]
    """Hundredths of a basis point."""
    tvl_usd: float
    """USD."""
    volume_usd: float
    """24 h, USD; 0 as well where the source does not know it."""


class DexUniswapPoolsV2(TypedDict):
    updated_at: int
    """When the rows were received, Unix milliseconds."""
    stale: NotRequired[Literal[True]]
    """Older than 15 minutes: no source has answered since."""
    count: int
    """Number of rows in the answer."""
    pools: list[DexUniswapPoolsV2Pool]
    """In the order of the summary."""


class Exchange(TypedDict):
    id: str
    """Exchange id."""
    name: str
    """Name of the exchange."""
    kinds: list[str]
    """spot, perpetual."""
    capabilities: list[str]
    """prices, derivatives, open_interest, orderbook, bars."""
    orderbook_cap: int | None
    """Most levels a side; null without an order book."""
    example: str
    """One of the exchange's own symbols."""


class ExchangeDetailCapability(TypedDict):
    how: Literal["polled", "streamed", "on_demand"]
    """On demand: asked when a client asks."""
    every_seconds: float | None
    """Between two readings; null where asked on demand."""


class ExchangeDetail(TypedDict):
    id: str
    """Exchange id."""
    name: str
    """Name of the exchange."""
    kinds: list[str]
    """spot, perpetual."""
    capabilities: dict[str, ExchangeDetailCapability]
    """Map from name of the data to how it is had."""
    orderbook_cap: int | None
    """Most levels a side; null without an order book."""
    bar_intervals: list[str]
    """Candle lengths of the exchange itself; others are built of them."""
    example: str
    """One of the exchange's own symbols."""


class Exchanges(TypedDict):
    count: int
    """Number of rows in the answer."""
    exchanges: list[Exchange]
    """One row an exchange."""


class ExchangesV2(TypedDict):
    count: int
    """Number of rows in the answer."""
    exchanges: list[ExchangeDetail]
    """One row an exchange."""


class ExchangesVolumeHistoryPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms; values are those at its end."""
    volume_24h_usd: float
    """Sum of `exchanges`, US dollars."""
    exchange_count: int
    """Exchanges with a value: where it changes, so does what the sum is of."""
    exchanges: dict[str, float]
    """Map from exchange."""


class ExchangesVolumeHistory(TypedDict):
    kind: Literal["spot", "perpetual"]
    """Kind of the markets."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    note: NotRequired[str]
    """Why there are no points."""
    points: list[ExchangesVolumeHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class ExplanationInput(TypedDict):
    exchange: str
    """Exchange id."""
    market: str
    """The exchange's own symbol of the market."""
    value: float
    """As the exchange states it, in `unit`: an amount in quote, or a fraction."""
    unit: str
    """What the value is in."""
    conversion: float
    """Factor that makes it comparable: US dollars a quote, or 8 / hours."""
    weight: float
    """Of the converted value, a fraction or 1; 0 where it does not count."""
    received_at: int
    """When it was received, Unix ms."""
    age_ms: int
    """How much older it is than the newest input, or than the answer, ms."""
    excluded: str | None
    """Why it does not count; null where it does."""


class Explanation(TypedDict):
    field: str
    """The field of the answer that the inputs give."""
    result: float
    """Its value, US dollars or a fraction."""
    method: Literal["weighted_sum", "weighted_median"]
    """Sum of weight × value × conversion, or the smallest value × conversion at which half of the weight is reached."""
    rule: str
    """Which inputs count, and how their weights follow."""
    inputs: list[ExplanationInput]
    """All that were looked at."""


class FearGreedParts(TypedDict):
    weight: float
    """Of the parts that are known, a fraction of all."""
    ranks: dict[str, float | None]
    """Map from part to its rank among its last 365 days, percent."""


class FixingExchange(TypedDict):
    exchange: str
    """Exchange id."""
    minutes: int
    """Minutes of the hour of which every trade is known, 60 at most."""


class FootprintBarLevel(TypedDict):
    price: float
    """Start of the level, in quote."""
    buy_base: float
    """Base units."""
    sell_base: float
    """Base units."""
    buy_usd: float
    """US dollars."""
    sell_usd: float
    """US dollars."""
    delta_base: float
    """Base units."""


class FootprintBar(TypedDict):
    timestamp: int
    """Start of the bar, Unix ms."""
    method: Literal["trades", "klines_1m", "mixed"]
    """Of the minutes of the bar."""
    trade_minutes: int
    """Minutes that are made of trades."""
    candle_minutes: int
    """Minutes that are made of candles; the newest one is."""
    missing_minutes: int
    """Minutes until now that are neither: what was traded in them is in no number of the bar."""
    open: float
    """First price, in quote."""
    high: float
    """Highest price, in quote."""
    low: float
    """Lowest price, in quote."""
    close: float
    """Last price, in quote."""
    volume_base: float
    """Base units."""
    buy_base: float
    """Base units."""
    sell_base: float
    """Base units."""
    delta_base: float
    """Bought less sold by takers, base units."""
    poc_price: float | None
    """Start of the level with the largest volume, in quote."""
    value_area_high: float | None
    """Highest level of the run around it with 70 % of the volume, in quote."""
    value_area_low: float | None
    """Its lowest level, in quote."""
    levels: list[FootprintBarLevel]
    """Ascending by price."""


class Footprint(TypedDict):
    symbol: str
    """Base asset."""
    exchange: str
    """Exchange id."""
    market: str
    """The exchange's own id of the market."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    step: float
    """Width of a level, in quote."""
    method: Literal["trades", "klines_1m"]
    """Of most minutes: `trades` are the trades themselves, `klines_1m` spreads the volume of each minute evenly from its low to its high."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    count: int
    """Bars."""
    bars: list[FootprintBar]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class FundingArbitrageSide(TypedDict):
    exchange: str
    """Exchange id."""
    contract: str
    """The exchange's own id of the contract."""
    funding_rate: float
    """As the exchange states it, a fraction per `interval_hours`."""
    interval_hours: int
    """Hours between two fundings."""
    annualized: float
    """Rate of 365 days, a fraction, without interest on interest."""
    next_funding_time: int | None
    """Unix ms; null where it is not known."""
    mark_price: float | None
    """In the quote of the contract."""
    open_interest_usd: float | None
    """One side, USD."""
    volume_24h_usd: float | None
    """Turnover of 24 hours, USD."""


class FundingArbitrageItem(TypedDict):
    symbol: str
    """Base asset."""
    long: FundingArbitrageSide
    """The contract to be bought."""
    short: FundingArbitrageSide
    """The contract to be sold."""
    apr_percent: float
    """Received by the pair in 365 days at the present rates, percent of the size of one side, before fees."""
    basis_percent: float
    """Mark of the short side over that of the long side, less one, percent."""


class FundingArbitrage(TypedDict):
    fees_included: Literal[False]
    """Fees, slippage and borrowing are not in the figures."""
    note: str
    """What the figures leave out, in words."""
    min_apr: float
    """Percent a year, as asked."""
    min_volume: float
    """USD, as asked."""
    total: int
    """Pairs found, before `limit`."""
    count: int
    """Number of rows in the answer."""
    items: list[FundingArbitrageItem]
    """Best first."""


class FundingRateExtreme(TypedDict):
    exchange: str
    """Exchange id."""
    contract: str
    """The exchange's own id of the contract."""
    annualized: float
    """Rate of 365 days, a fraction, without interest on interest."""


class FundingRatesAtItem(TypedDict):
    exchange: str
    """Exchange id."""
    margin: Literal["stable", "coin"]
    """Settled in a dollar currency or in the base asset."""
    sampled_at: int
    """Hour in which it was settled, Unix ms."""
    backfilled: bool
    """Whether an exchange stated it afterwards; false where it was recorded at that time."""
    funding_rate: float | None
    """Settled, a fraction per `interval_hours`."""
    interval_hours: float | None
    """Hours that it is for."""


class FundingRatesAt(TypedDict):
    symbol: str
    """Base asset."""
    at: int
    """As asked, Unix ms."""
    step_ms: int
    """Time between two samples, ms."""
    count: int
    """Number of rows in the answer."""
    items: list[FundingRatesAtItem]
    """What was recorded."""


class FundingRatesCumulativeExchange(TypedDict):
    exchange: str
    """Exchange id."""
    contract: str
    """The exchange's own id."""
    interval_hours: float | None
    """Hours before the newest settlement; null without any."""
    settlements: int
    """Settlements that are recorded in the range."""
    cumulative_1d: float | None
    """Sum of the rates settled in 24 hours, a fraction; null where less than that is recorded."""
    cumulative_7d: float | None
    """Sum of the rates settled in 7 days, a fraction; null where less than that is recorded."""
    cumulative_30d: float | None
    """Sum of the rates settled in 30 days, a fraction; null where less than that is recorded."""
    cumulative_range: float | None
    """Sum of the rates settled in the range, a fraction; null where less than that is recorded."""
    annualized: float | None
    """The sum of the range in 365 days."""


FundingRatesCumulativePoint: TypeAlias = "dict[str, float | int]"


class FundingRatesCumulative(TypedDict):
    symbol: str
    """Base asset."""
    range: str
    """Days back, as asked."""
    exchanges: list[FundingRatesCumulativeExchange]
    """Largest sum of the range first."""
    points: list[FundingRatesCumulativePoint]
    """By exchange that has recorded the whole range: the sum from its beginning until the end of the day."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class FundingRatesOfSymbolRate(TypedDict):
    exchange: str
    """Exchange id."""
    contract: str
    """The exchange's own id of the contract."""
    quote: str
    """Quote asset."""
    funding_rate: float
    """As the exchange states it, a fraction per `interval_hours`."""
    predicted_rate: float | None
    """Expected for the next interval, a fraction per `interval_hours`; null where the exchange states none."""
    interval_hours: int
    """Hours between two fundings."""
    funding_rate_8h: float
    """Fraction: the rate x 8 / `interval_hours`."""
    annualized: float
    """Rate of 365 days, a fraction, without interest on interest."""
    next_funding_time: int | None
    """Unix ms; null where it is not known."""
    mark_price: float | None
    """In the quote of the contract."""
    index_price: float | None
    """In `quote`."""
    open_interest_usd: float | None
    """One side, USD."""
    volume_24h_usd: float | None
    """Turnover of 24 hours, USD."""
    updated_at: int
    """When it was received, Unix ms."""


class FundingRatesOfSymbol(TypedDict):
    symbol: str
    """Base asset."""
    exchange_count: int
    """Exchanges with a rate of it."""
    contract_count: int
    """Contracts that the means are of."""
    average_rate_8h: float
    """Mean of `funding_rate_8h`, each contract counted once, a fraction."""
    median_rate_8h: float
    """Median of `funding_rate_8h`, a fraction."""
    annualized: float
    """The mean per 365 days, a fraction."""
    highest: FundingRateExtreme
    """Contract with the highest rate."""
    lowest: FundingRateExtreme
    """Contract with the lowest rate."""
    rates: list[FundingRatesOfSymbolRate]
    """Highest first."""
    stale_exchanges: list[str]
    """Exchanges left out: what they stated is too old."""
    explanation: NotRequired[Explanation]
    """What the main number is made of; with `explain=1`."""


class MissingSymbol(TypedDict):
    symbol: str
    """Base asset, as asked."""
    code: Literal["unknown_symbol", "warming_up"]
    """Which error it is."""
    message: str
    """The fault, in words."""


class FundingRatesOfSymbols(TypedDict):
    count: int
    """Symbols that were found."""
    symbols: dict[str, FundingRatesOfSymbol]
    """Map from symbol to its answer, as `symbol` gives it."""
    missing: list[MissingSymbol]
    """Symbols without an answer, and why."""


class FundingRatesOiWeightedHistoryPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms."""
    funding_rate_8h: float
    """Mean of the rates of eight hours by open interest, a fraction."""
    annualized: float
    """Rate of 365 days, a fraction, without interest on interest."""
    average_rate_8h: float
    """Mean of the same rates, each contract counted once, a fraction."""
    open_interest_usd: float
    """Open interest of these contracts at the end of the interval, one side, US dollars."""
    exchange_count: int
    """Exchanges with a settlement and an open interest in the interval."""


class FundingRatesOiWeightedHistory(TypedDict):
    symbol: str
    """Base asset."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    note: NotRequired[str]
    """Why there are no points."""
    points: list[FundingRatesOiWeightedHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class FundingRatesPageItem(TypedDict):
    symbol: str
    """Base asset."""
    exchange_count: int
    """Exchanges with a rate of it."""
    contract_count: int
    """Contracts that the means are of."""
    average_rate_8h: float
    """Mean of `funding_rate_8h`, each contract counted once, a fraction."""
    median_rate_8h: float
    """Median of `funding_rate_8h`, a fraction."""
    annualized: float
    """The mean per 365 days, a fraction."""
    highest: FundingRateExtreme
    """Contract with the highest rate."""
    lowest: FundingRateExtreme
    """Contract with the lowest rate."""
    rates: NotRequired[list[FundingRatesOfSymbolRate]]
    """With `detail=full`; highest first."""


class FundingRatesPage(TypedDict):
    total: int
    """Symbols that there are."""
    offset: int
    """Symbols before the first item, as asked."""
    limit: int
    """Most items, as asked."""
    count: int
    """Number of rows in the answer."""
    items: list[FundingRatesPageItem]
    """One row a symbol, in the order of `sort`."""


class FundingRatesPredictedHistoryPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms; rates are those at its end."""
    average_rate_8h: float
    """Mean of `exchanges`, a fraction of eight hours."""
    median_rate_8h: float
    """Their median, a fraction of eight hours."""
    exchange_count: int
    """Exchanges with a rate at the end of the interval."""
    exchanges: dict[str, float]
    """Map from exchange."""


class FundingRatesPredictedHistory(TypedDict):
    symbol: str
    """Base asset."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    note: NotRequired[str]
    """Why there are no points."""
    points: list[FundingRatesPredictedHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class FundingRatesV2Item(TypedDict):
    market: str
    """The exchange's own symbol."""
    symbol: str
    """Base asset."""
    quote: str
    """Quote asset."""
    mark_price: float | None
    """Of one base asset, in `quote`."""
    index_price: float | None
    """Of one base asset, in `quote`."""
    funding_rate: float | None
    """As the exchange states it, a fraction per `interval_hours`."""
    predicted_rate: float | None
    """Expected for the next interval, a fraction per `interval_hours`; null where none is stated."""
    interval_hours: float | None
    """Hours between two fundings; null where they are not known."""
    funding_rate_8h: float | None
    """Fraction: the rate x 8 / `interval_hours`."""
    premium: float | None
    """Against the index, a fraction, where the exchange states it."""
    next_funding_time: int | None
    """Unix ms."""
    venue_time: int | None
    """The time that the exchange states, Unix ms."""
    updated_at: int
    """When it was received, Unix ms."""


class FundingRatesV2(TypedDict):
    exchange: str
    """Exchange id."""
    stale_count: int
    """Markets that are left out: what was stated of them is too old."""
    count: int
    """Number of rows in the answer."""
    items: list[FundingRatesV2Item]
    """One row a market."""


class FundingRatesVolWeightedExchange(TypedDict):
    exchange: str
    """Exchange id."""
    contract: str
    """The exchange's own id of the contract."""
    funding_rate: float
    """As the exchange states it, a fraction per `interval_hours`."""
    interval_hours: int
    """Hours between two fundings."""
    funding_rate_8h: float
    """Fraction: the rate x 8 / `interval_hours`."""
    volume_24h_usd: float | None
    """Turnover of 24 hours, USD."""
    open_interest_usd: float | None
    """One side, USD."""
    weight: float | None
    """Share of the turnover; null where it is not known."""
    next_funding_time: int | None
    """Unix ms; null where it is not known."""


class FundingRatesVolWeighted(TypedDict):
    symbol: str
    """Base asset."""
    vol_weighted_rate_8h: float
    """Mean of `funding_rate_8h` by turnover, a fraction."""
    oi_weighted_rate_8h: float | None
    """The same by open interest, a fraction; null where none is known."""
    average_rate_8h: float
    """Mean, each contract counted once, a fraction."""
    annualized: float
    """Rate of 365 days, a fraction, without interest on interest."""
    total_volume_24h_usd: float
    """Turnover of 24 hours of these contracts, USD."""
    exchange_count: int
    """Exchanges with a rate of it."""
    updated_at: int
    """When the newest of the rates was received, Unix ms."""
    exchanges: list[FundingRatesVolWeightedExchange]
    """Largest turnover first."""
    explanation: NotRequired[Explanation]
    """What the main number is made of; with `explain=1`."""


class FundingRatesVolWeightedHistoryPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms."""
    vol_weighted_rate_8h: float
    """Mean of the rates of eight hours by the turnover of the perpetuals of each exchange in the interval, as recorded, a fraction: of the exchanges whose turnover is recorded, and without weights where `weighted_count` is 0."""
    average_rate_8h: float
    """Mean of the same, each exchange counted once, a fraction."""
    weighted_count: int
    """Exchanges whose turnover in the interval is recorded: those that are weighted."""
    total_volume_usd: float | None
    """Turnover of the perpetuals of all exchanges in the interval, US dollars; null where none is recorded."""
    exchange_count: int
    """Exchanges with a settlement in the interval."""


class FundingRatesVolWeightedHistory(TypedDict):
    symbol: str
    """Base asset."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    note: NotRequired[str]
    """Why there are no points."""
    points: list[FundingRatesVolWeightedHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class FuturesBasisHistoryPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms."""
    basis_percent: float | None
    """Mark over index, less 1, percent; null without an index."""
    mark_price: float | None
    """At the end of the interval, or now where it still runs, in quote."""
    index_price: float | None
    """The same of the index, in quote; null where the exchange has no such candle."""


class FuturesBasisHistory(TypedDict):
    symbol: str
    """Base asset."""
    exchange: str
    """Exchange id."""
    contract: str
    """The exchange's own id."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    origin: Literal["exchange", "recorded"]
    """Asked of the exchange, or read of what this service has recorded of an exchange that keeps none."""
    coverage: NotRequired[RecordCoverage]
    """How much of what was asked for is recorded."""
    note: NotRequired[str]
    """Why there are no points."""
    points: list[FuturesBasisHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class FuturesCoinsMarketsItem(TypedDict):
    symbol: str
    """Base asset."""
    price: float
    """US dollars: mean over the markets by their turnover, without those more than 5 % from the median."""
    price_change_1h_percent: float | None
    """Change of the mean price of all exchanges in one hour, percent; null where it is not recorded."""
    price_change_24h_percent: float | None
    """Change of the price of the asset in 24 hours, percent: mean over its markets, spot and perpetual, by their turnover."""
    price_change_24h_basis: Literal["asset", "exchange", "recorded"] | None
    """asset: the markets of all exchanges. exchange: those of the exchange asked for. recorded: the recorded mean price, where no market states a change. Null where the change is."""
    open_interest_usd: float | None
    """One side, USD; null where it is not known."""
    open_interest_change_1h_percent: float | None
    """Percent, over the exchanges that are recorded at both times; null where they have less than half of it."""
    open_interest_change_24h_percent: float | None
    """Percent, over the exchanges that are recorded at both times; null where they have less than half of it."""
    volume_24h_usd: float
    """Turnover of 24 hours of the markets that count, USD."""
    funding_rate_8h: float | None
    """Fraction: mean over the markets by their turnover."""
    oi_volume_ratio: float | None
    """Open interest over turnover."""
    liquidation_usd_24h: float | None
    """US dollars, of 24 hours as far as they are recorded (`coverage` of /v1/liquidations/coin-list); null where no feed states any."""
    long_liquidation_usd_24h: float | None
    """US dollars, of 24 hours as far as they are recorded (`coverage` of /v1/liquidations/coin-list); null where no feed states any."""
    short_liquidation_usd_24h: float | None
    """US dollars, of 24 hours as far as they are recorded (`coverage` of /v1/liquidations/coin-list); null where no feed states any."""
    long_short_ratio: float | None
    """Accounts that are long over those that are short, on Binance, of the newest five minutes; null for assets that are not recorded."""
    long_short_ratio_basis: Literal["binance"]
    """Of that exchange alone; /v1/long-short-ratio is the mean of several."""
    exchange_count: int
    """Exchanges whose markets count."""
    updated_at: int
    """When the newest of its numbers was received, Unix ms."""
    disputed: NotRequired[Literal[True]]
    """Two exchanges differ by more than 10 % in the price, or no majority of them agrees: the mean is of little worth."""
    outliers: NotRequired[dict[str, list[str]]]
    """Map from a number of this row to the exchanges of which a market is left out of it: a price more than 5 % from the median, an open interest that cannot be true; absent without any."""
    old_since: NotRequired[dict[str, int]]
    """Map from a number of this row that is more than 90 seconds old to the time of its newest part; absent without any."""


class FuturesCoinsMarkets(TypedDict):
    count: int
    """Number of rows in the answer."""
    items: list[FuturesCoinsMarketsItem]
    """The rows of the table."""


class FuturesCoinsPriceChangeItem(TypedDict):
    symbol: str
    """Base asset."""
    price: float
    """Mean of the perpetuals of all exchanges, US dollars."""
    price_change_percent_5m: float | None
    """Change in 5m, percent; null where the price then is not recorded."""
    price_change_percent_15m: float | None
    """Change in 15m, percent; null where the price then is not recorded."""
    price_change_percent_30m: float | None
    """Change in 30m, percent; null where the price then is not recorded."""
    price_change_percent_1h: float | None
    """Change in 1h, percent; null where the price then is not recorded."""
    price_change_percent_4h: float | None
    """Change in 4h, percent; null where the price then is not recorded."""
    price_change_percent_12h: float | None
    """Change in 12h, percent; null where the price then is not recorded."""
    price_change_percent_24h: float | None
    """Change of the asset in 24 hours, percent: as in the tables of assets."""
    price_change_24h_basis: Literal["asset", "exchange", "recorded"] | None
    """asset: the markets of all exchanges. exchange: those of the exchange asked for. recorded: the recorded mean price, where no market states a change. Null where the change is."""
    price_amplitude_percent_24h: float | None
    """Highest less lowest price of 24 hours in percent of the lowest, of the prices at the ends of the hours and now."""


class FuturesCoinsPriceChange(TypedDict):
    count: int
    """Number of rows in the answer."""
    items: list[FuturesCoinsPriceChangeItem]
    """The rows of the table."""


class FuturesCvdAggregated(TypedDict):
    symbol: str
    """Base asset."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    failed_exchanges: list[str]
    """Exchanges of which a market could not be had."""
    points: list[CvdAggregatedPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class FuturesExchangeRankItem(TypedDict):
    rank: int
    """Among all exchanges, from 1."""
    exchange: str
    """Exchange id."""
    open_interest_usd: float | None
    """One side, USD; null where it is not known."""
    volume_24h_usd: float | None
    """Turnover of 24 hours, USD."""
    liquidation_usd_24h: float | None
    """US dollars, of 24 hours as far as they are recorded (`coverage` of /v1/liquidations/coin-list); null where no feed states any."""
    pairs: int
    """Perpetuals against dollars."""
    oi_share: float | None
    """Fraction of the open interest of all exchanges."""
    volume_share: float | None
    """Fraction of the turnover of all exchanges."""
    oi_volume_ratio: float | None
    """Open interest over turnover."""


class FuturesExchangeRank(TypedDict):
    count: int
    """Number of rows in the answer."""
    items: list[FuturesExchangeRankItem]
    """The rows of the table."""


class FuturesPairsMarketsItem(TypedDict):
    exchange: str
    """Exchange id."""
    contract: str
    """The exchange's own id."""
    symbol: str
    """Base asset."""
    quote: str
    """Quote asset."""
    margin_type: Literal["linear", "inverse"]
    """inverse: margined in the base asset."""
    price: float
    """Last trade, in `quote`; the mark price where the exchange states none."""
    mark_price: float | None
    """In `quote`."""
    index_price: float | None
    """In `quote`."""
    price_change_24h_percent: float | None
    """Change of the price of this market in 24 hours, percent; null where the exchange states none."""
    volume_24h_usd: float | None
    """Turnover of 24 hours, USD."""
    open_interest_usd: float | None
    """One side, USD; null where it is not known."""
    open_interest_base: float | None
    """One side, base units."""
    funding_rate: float | None
    """Fraction per `funding_interval_hours`."""
    funding_interval_hours: float | None
    """Hours between two fundings; null where they are not known."""
    funding_rate_8h: float | None
    """Fraction: the rate x 8 / `funding_interval_hours`."""
    next_funding_time: int | None
    """Unix ms."""
    updated_at: int
    """When the newest of its numbers was received, Unix ms."""


class FuturesPairsMarkets(TypedDict):
    price_change_24h_basis: Literal["market"]
    """Of one market each, not of the asset as in the tables of assets."""
    count: int
    """Number of rows in the answer."""
    items: list[FuturesPairsMarketsItem]
    """The rows of the table."""


class FuturesTermStructureItem(TypedDict):
    exchange: str
    """Exchange id."""
    contract: str
    """The exchange's own symbol."""
    quote: str
    """Quote asset."""
    margin_type: Literal["linear", "inverse"] | None
    """Inverse: settled in the base asset. Null while the instrument list is not known."""
    expiry: int | None
    """Unix ms; null for a perpetual."""
    days_to_expiry: float | None
    """Days, with their fraction; null for a perpetual."""
    mark_price: float
    """Of one base asset, in `quote`."""
    index_price: float | None
    """Of one base asset, in `quote`, as the exchange states it for this contract."""
    basis_percent: float | None
    """Mark over index, less 1, percent; null without an index."""
    annualized_percent: float | None
    """basis_percent x 365 / days_to_expiry, percent a year, simple interest; null for a perpetual, without an index, and in the last hour."""
    open_interest_usd: float | None
    """One side, US dollars; null where it is not known."""
    volume_24h_usd: float | None
    """Turnover of 24 hours, US dollars; null where it is not known."""
    updated_at: int
    """When it was received, Unix ms."""


class FuturesTermStructure(TypedDict):
    symbol: str
    """Base asset."""
    count: int
    """Number of rows in the answer."""
    items: list[FuturesTermStructureItem]
    """Perpetuals first, then by expiry, soonest first."""


class HealthzRedisServer(TypedDict):
    setting: str
    """`REDIS_URL`, `REDIS_BUS_URL` or `REDIS_READ_URL`."""
    state: Literal["up", "slow", "read_only", "down"]
    """As `redis`."""
    problem: str | None
    """What is wrong with it, and what to do."""


class HealthzRedisLatency(TypedDict):
    p50_ms: float
    """Median, ms."""
    p99_ms: float
    """99th percentile, ms."""


class HealthzHistory(TypedDict):
    state: Literal["up", "failing", "down"]
    """`down`: no history process runs."""
    problem: str | None
    """Why nothing can be written at present (a full disk, a database that does not answer), or what has happened to the file since the start: a damaged one is set aside under a new name."""


class HealthzClock(TypedDict):
    host: str
    """Name of the machine."""
    ahead_ms: int
    """By how much its clock is ahead of that of Redis, ms; negative where it is behind."""


class Healthz(TypedDict):
    data: Literal["live", "simulated"]
    """Of the upstreams, or made up by the simulator."""
    redis: Literal["up", "slow", "read_only", "down"]
    """`slow`: it answers after more than 500 ms. `read_only`: it answers and takes no writes: its memory (`maxmemory`) or its disk is full, too few replicas follow, or it is a replica. Of several servers the worst."""
    redis_problem: str | None
    """What Redis has lost and how it is restored, where it was emptied while the service was in use, or why keys cannot be changed."""
    redis_servers: list[HealthzRedisServer]
    """Each server of Redis that has a setting of its own."""
    redis_latency: HealthzRedisLatency | None
    """How long Redis takes to answer this process, of a ping each second over the last minute; null before its first answer."""
    history: HealthzHistory
    """The store of recorded series."""
    clocks: list[HealthzClock]
    """Hosts whose clock differs from that of Redis by more than a second; their processes use the time of Redis."""
    newest_reading_age_ms: int | None
    """Since the newest reading was received, ms; null before the first."""
    uptime_s: int
    """Since the process began, seconds."""
    version: str
    """Of the service."""


class HistoryCoverageItem(TypedDict):
    series: str
    """Recorded series; docs/history.md has their columns."""
    step: str
    """Length of a stored step: `1m`, `5m`, `1h` or `1d`."""
    kept_ms: int | None
    """For how long a row is kept, milliseconds; null where always."""
    recorded_from: int | None
    """When the recording of the series began, Unix ms: older rows are of exchanges that keep them. Null where it has not begun."""
    newest: int | None
    """Start of the newest complete step with rows, Unix ms; null where none of the last 16 has any."""
    keys: int
    """Keys (exchanges and assets) with a row in that step."""
    key: str | None
    """The key whose rows are counted: of these keys the first by name that names BTC, else the first one; null without any."""
    rows: int
    """Rows of that key in the last `steps` complete steps. Liquidations have rows only where there were any, fundings at settlements."""
    steps: int
    """Steps of 24 hours; of 7 days where a step is an hour, and of 30 days where it is a day."""


class HistoryCoverage(TypedDict):
    count: int
    """Number of rows in the answer."""
    items: list[HistoryCoverageItem]
    """By series and step, the shorter step first."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class IndicatorInput(TypedDict):
    name: str
    """Part of the index, coin or exchange."""
    value: float | None
    """US dollars, percent or what `unit` says; null where it is not known or not accepted, which leaves it out."""
    unit: str
    """What the value is in."""
    weight: float
    """Of the value, a plain factor or power; 0 where it does not count."""
    of: NotRequired[str]
    """The row of the answer that it is for, as `rule` says; absent where it is for all."""
    side: NotRequired[Literal["above", "below"]]
    """Of a ratio: above its line or below it."""


IndicatorInputSeries = TypedDict(
    "IndicatorInputSeries",
    {
        "name": "str",
        "unit": "str",
        "weight": "float",
        "from": "int",
        "step_ms": "int",
        "values": "list[float | None]",
        "of": "NotRequired[str]",
        "side": "NotRequired[Literal[\"above\", \"below\"]]",
    },
)


class IndicatorExplanation(TypedDict):
    field: str
    """The field of the answer that the inputs give; `[]` of each row."""
    result: float | None
    """Its value: US dollars, percent, a ratio or index points as the field; of the first row where there are several."""
    method: Literal["stated", "sum", "rounded_sum", "weighted_mean", "rounded_weighted_mean", "rounded_share_above", "share_below", "ratio_of_sums", "excess_of_ratio_pct", "product_of_powers", "logarithmic_band", "last_product_over_mean", "correlation"]
    """How `result` follows, for each `of` where inputs have one: stated: the one input as its source states it. sum, rounded_sum: of weight × value; rounded to one decimal. weighted_mean, rounded_weighted_mean: the sum of weight × value over that of the weights; rounded. rounded_share_above: the share of the inputs above `threshold`, percent, rounded. share_below: the share of the values below `threshold`, a fraction. ratio_of_sums: the sum of weight × value of the side above over that below; excess_of_ratio_pct: the same less 1, percent. product_of_powers: the product of value^weight; logarithmic_band: floor(ln(that product) / 0.3 + 2.5), 0 at least and 8 at most. last_product_over_mean: the products of both series day by day, the last over their mean. correlation: Pearson's coefficient of the returns (logarithms of ratios; differences where the unit is percent a year) of both series."""
    threshold: float | None
    """What the inputs are compared with, US dollars or percent as they are; null where they are not."""
    rule: str
    """What the inputs are, and how their weights follow."""
    sources: list[str]
    """Where the inputs are from."""
    updated_at: int
    """Time of the newest input, Unix ms."""
    age_ms: int
    """How old that was when the number was made, ms."""
    inputs: list[IndicatorInput]
    """All that were looked at."""
    series: NotRequired[list[IndicatorInputSeries]]
    """Inputs of many days, which count as the others."""


class IndicatorRequest(TypedDict):
    name: str
    """Name in the catalogue."""
    id: NotRequired[str]
    """Its name in the answer; made from name and parameters when absent."""
    params: NotRequired[dict[str, Any]]
    """Parameters by name; they may also stand beside the name."""


class IndicatorsMacd(TypedDict):
    value: float
    """EMA 12 less EMA 26, in quote."""
    signal: float
    """EMA 9 of `value`, in quote."""
    histogram: float
    """`value` less `signal`, in quote."""


class IndicatorsBollinger(TypedDict):
    upper: float
    """`middle` and two deviations, in quote."""
    middle: float
    """SMA 20, in quote."""
    lower: float
    """`middle` less two deviations, in quote."""


class Indicators(TypedDict):
    symbol: str
    """As asked, in upper case."""
    market: str
    """The exchange's own symbol of the market."""
    timeframe: Literal["1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "8h", "12h", "1d", "3d", "1w", "1M"]
    """Candle length."""
    rsi: float
    """14 candles, averages smoothed by Wilder, 0 to 100."""
    macd: IndicatorsMacd
    """EMA 12 less EMA 26, signal 9."""
    bollinger: IndicatorsBollinger
    """SMA 20 and two sample standard deviations."""
    atr: float
    """14 candles, smoothed by Wilder, in quote."""
    ema20: float
    """EMA of 20 candles, in quote."""
    ema50: float
    """EMA of 50 candles, in quote."""
    timestamp: int
    """Close time of the last closed candle, Unix milliseconds."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class Indicators200WeekMaHistoryItem(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    provisional: NotRequired[Literal[True]]
    """The day or hour of this point is not over."""
    price: float
    """Price of one BTC, US dollars."""
    ma_200_week: float
    """Mean of 200 weekly closes, US dollars."""


class Indicators200WeekMa(TypedDict):
    price: float
    """Price of one BTC, US dollars."""
    ma_200_week: float
    """Mean of 200 weekly closes, US dollars."""
    distance_percent: float
    """Price above that mean, percent of it."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[Indicators200WeekMaHistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class IndicatorsAhr999HistoryItem(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    provisional: NotRequired[Literal[True]]
    """The day or hour of this point is not over."""
    value: float
    """(price / cost) x (price / growth valuation), a ratio."""
    price_usd: float
    """Price of one BTC, US dollars."""
    cost_200d_usd: float
    """Geometric mean of the last 200 daily closes, US dollars."""
    growth_valuation_usd: float
    """10^(5.84 log10(age in days) - 17.01), US dollars."""


class IndicatorsAhr999(TypedDict):
    value: float
    """(price / cost) x (price / growth valuation), a ratio."""
    price_usd: float
    """Price of one BTC, US dollars."""
    cost_200d_usd: float
    """Geometric mean of the last 200 daily closes, US dollars."""
    growth_valuation_usd: float
    """10^(5.84 log10(age in days) - 17.01), US dollars."""
    age_days: int
    """Whole days since 2009-01-03."""
    zone: Literal["bottom_fishing", "dca_zone", "wait", "overheated"]
    """Below 0.45, below 1.2, below 5, above."""
    signal: Literal["buy", "accumulate", "hold", "sell"]
    """What the zone suggests."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[IndicatorsAhr999HistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class IndicatorsAltcoinSeasonCoin(TypedDict):
    symbol: str
    """Base asset."""
    rank: int
    """By market capitalisation."""
    change_pct: float
    """Percent."""
    outperforms: bool
    """It did better than Bitcoin."""


class IndicatorsAltcoinSeasonHistoryItem(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    provisional: NotRequired[Literal[True]]
    """The day or hour of this point is not over."""
    index: float
    """0 to 100."""
    backfilled: NotRequired[Literal[True]]
    """Made afterwards from today's coins: flatters the altcoins."""


class IndicatorsAltcoinSeason(TypedDict):
    index: float
    """Share of the coins that did better than Bitcoin in 90 days, percent."""
    classification: Literal["altcoin_season", "bitcoin_season", "neutral"]
    """What the index means."""
    period_days: int
    """Days over which the changes are taken."""
    coins_evaluated: int
    """Coins that are compared."""
    coins_outperforming: int
    """Coins that did better than Bitcoin."""
    bitcoin_change_pct: float
    """Bitcoin's own change in 90 days, percent."""
    month_index: float | None
    """The same over 30 days."""
    year_index: float | None
    """The same over 365 days."""
    coins: list[IndicatorsAltcoinSeasonCoin]
    """Coins that are compared."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[IndicatorsAltcoinSeasonHistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class IndicatorsBitcoinCorrelationsAsset(TypedDict):
    id: str
    """Key of its column in `history`."""
    name: str
    """Name of the asset."""
    correlation_30d: float | None
    """Pearson's coefficient of daily log returns (of the differences for a yield); null with too few of them."""
    correlation_90d: float | None
    """Pearson's coefficient of daily log returns (of the differences for a yield); null with too few of them."""
    correlation_365d: float | None
    """Pearson's coefficient of daily log returns (of the differences for a yield); null with too few of them."""
    last_price: float | None
    """Index points, US dollars an ounce, or percent a year."""
    last_date: str | int | None
    """Day of the last price: YYYY-MM-DD, or Unix milliseconds."""
    source: str | None
    """Where its prices are from; null without any."""
    strength: str | None
    """Of 90 days: weak, moderate (from 0.3) or strong (from 0.6), with `negative_` below 0."""


class IndicatorsBitcoinCorrelationsHistoryItem(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    provisional: NotRequired[Literal[True]]
    """The day or hour of this point is not over."""
    sp500: float | None
    """Pearson's coefficient of daily log returns (of the differences for a yield); null with too few of them."""
    nasdaq: float | None
    """Pearson's coefficient of daily log returns (of the differences for a yield); null with too few of them."""
    gold: float | None
    """Pearson's coefficient of daily log returns (of the differences for a yield); null with too few of them."""
    dxy: float | None
    """Pearson's coefficient of daily log returns (of the differences for a yield); null with too few of them."""
    us10y: float | None
    """Pearson's coefficient of daily log returns (of the differences for a yield); null with too few of them."""


class IndicatorsBitcoinCorrelations(TypedDict):
    base: str
    """The asset that the others are compared with."""
    assets: list[IndicatorsBitcoinCorrelationsAsset]
    """One row an asset."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[IndicatorsBitcoinCorrelationsHistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class IndicatorsBitcoinDominanceHistoryItem(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    provisional: NotRequired[Literal[True]]
    """The day or hour of this point is not over."""
    dominance_pct: float
    """Percent."""


class IndicatorsBitcoinDominance(TypedDict):
    dominance_pct: float
    """Bitcoin's share of all capitalisation, percent."""
    eth_dominance_pct: float | None
    """Percent; null where it is not known."""
    others_pct: float | None
    """Percent; null where it is not known."""
    total_market_cap_usd: float
    """US dollars."""
    btc_market_cap_usd: float
    """US dollars."""
    total_volume_24h_usd: float | None
    """US dollars; null where it is not known."""
    change_24h_pct_points: float | None
    """Percentage points."""
    trend: Literal["rising", "falling", "flat"] | None
    """Over 7 days; flat within 0.1 points; null while the record is shorter."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[IndicatorsBitcoinDominanceHistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class IndicatorsBitfinexMarginFundingItem(TypedDict):
    currency: str
    """What is lent."""
    frr_daily_pct: float | None
    """Flash return rate, percent a day."""
    frr_annual_pct: float | None
    """The same, simple, percent a year."""
    average_period_days: float | None
    """Mean length of the loans, days."""
    provided: float | None
    """In the currency."""
    used: float | None
    """In the currency."""
    utilization_ratio: float | None
    """Used / provided."""
    below_threshold: float | None
    """Open offers below the threshold of the exchange (0.75 %), in the currency."""


class IndicatorsBitfinexMarginChange24h(TypedDict):
    long_pct: float | None
    """Percent; null where it is not known."""
    short_pct: float | None
    """Percent; null where it is not known."""


class IndicatorsBitfinexMarginHistoryItem(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    provisional: NotRequired[Literal[True]]
    """The day or hour of this point is not over."""
    long_size: float
    """Base asset."""
    short_size: float
    """Base asset."""
    frr_daily_pct: NotRequired[float | None]
    """Flash return rate, percent a day."""
    backfilled: NotRequired[Literal[True]]
    """Of the history that the exchange itself keeps, not recorded here."""


class IndicatorsBitfinexMargin(TypedDict):
    symbol: str
    """Base asset."""
    long_size: float
    """Base asset."""
    short_size: float
    """Base asset."""
    long_usd: float | None
    """US dollars; null where it is not known."""
    short_usd: float | None
    """US dollars; null where it is not known."""
    long_short_ratio: float | None
    """Null without shorts."""
    long_pct: float | None
    """Share of the longs, percent."""
    funding: list[IndicatorsBitfinexMarginFundingItem]
    """Of USD and of the base asset."""
    change_24h: IndicatorsBitfinexMarginChange24h
    """Change of the sizes in 24 hours."""
    signal: Literal["crowded_long", "crowded_short", "normal"] | None
    """The larger side, when the ratio is beyond two deviations from its mean of 30 days on that side; null while fewer hours are recorded."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[IndicatorsBitfinexMarginHistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class IndicatorsBorrowInterestRateAsset(TypedDict):
    asset: str
    """Symbol of the asset that is lent."""
    average_annual_rate_pct: float
    """Percent a year, without interest on interest."""
    average_daily_rate_pct: float
    """Percent a day."""
    min: BorrowRateExtreme
    """Exchange with the lowest rate."""
    max: BorrowRateExtreme
    """Exchange with the highest rate."""
    exchange_count: int
    """Exchanges that answered within two hours."""


class IndicatorsBorrowInterestRateHistoryItem(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    provisional: NotRequired[Literal[True]]
    """The day or hour of this point is not over."""
    usdt: NotRequired[float | None]
    """Percent a year; null where no exchange said it."""
    usdc: NotRequired[float | None]
    """Percent a year; null where no exchange said it."""
    btc: NotRequired[float | None]
    """Percent a year; null where no exchange said it."""
    eth: NotRequired[float | None]
    """Percent a year; null where no exchange said it."""


class IndicatorsBorrowInterestRate(TypedDict):
    symbol: Literal["USDT"]
    """Asset of the rate below."""
    average_annual_rate_pct: float | None
    """Percent a year."""
    assets: list[IndicatorsBorrowInterestRateAsset]
    """One row an asset."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[IndicatorsBorrowInterestRateHistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class IndicatorsBorrowRate(TypedDict):
    exchange: str
    """Exchange id."""
    asset: str
    """Symbol of the asset that is lent."""
    hourly_rate_pct: float
    """Percent an hour, of the lowest tier of users."""
    daily_rate_pct: float
    """Percent a day."""
    annual_rate_pct: float
    """Percent a year, without interest on interest."""
    borrow_limit: float | None
    """Most that one user may borrow, in the asset."""
    updated_at: int | None
    """Unix milliseconds."""


class IndicatorsBorrowRatesRefusedItem(TypedDict):
    exchange: str
    """Exchange id."""
    asset: str
    """Symbol of the asset that is lent."""


IndicatorsBorrowRatesHistoryItem: TypeAlias = "dict[str, float | None | int | Literal[True]]"


class IndicatorsBorrowRates(TypedDict):
    rates: list[IndicatorsBorrowRate]
    """One row an exchange and asset."""
    count: int
    """Rates that are shown."""
    refused: list[IndicatorsBorrowRatesRefusedItem]
    """Rates left out: far above what all others ask."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[IndicatorsBorrowRatesHistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class IndicatorsBullMarketPeakItemInput(TypedDict):
    field: str
    """Field of the answer of the indicator."""
    value: float
    """Its value, US dollars, a ratio or index points as there."""
    power: Literal[1, -1]
    """Of the value."""


class IndicatorsBullMarketPeakItem(TypedDict):
    indicator: Literal["fear-greed", "altcoin-season", "bitcoin-dominance", "stablecoin-mcap", "bitcoin-correlations", "options-futures-oi-ratio", "futures-spot-volume-ratio", "ahr999", "puell-multiple", "stock-to-flow", "pi-cycle", "rainbow-chart", "two-year-ma", "200-week-ma", "golden-ratio", "profitable-days", "exchange-transparency", "borrow-interest-rate", "borrow-rates", "bitfinex-margin"]
    """Last segment of the path of the indicator."""
    title: str
    """Its name in words."""
    value: float | None
    """What is compared, a ratio or an index, as `rule` says; null while it is not known."""
    threshold: float
    """The value from which on it is reached, a ratio or an index as `value`."""
    rule: str
    """What the value is, and where its threshold is from."""
    reached: bool | None
    """Null while the value is not known or stale."""
    progress: float | None
    """Value over threshold, a fraction of 0 to 1; null without a value."""
    source: str | list[str] | None
    """Null without a value."""
    updated_at: int | None
    """Time of the newest input, Unix milliseconds; null without a value."""
    stale: bool | None
    """The newest input is older than three times its cadence; null without a value."""
    inputs: NotRequired[list[IndicatorsBullMarketPeakItemInput]]
    """`value` is the product of these to their powers; with `explain=1`."""


class IndicatorsBullMarketPeak(TypedDict):
    reached: int
    """Signals that are reached."""
    known: int
    """Signals whose state is known."""
    count: int
    """Number of rows in the answer."""
    items: list[IndicatorsBullMarketPeakItem]
    """One row a signal."""


class IndicatorsCatalogueIndicatorParameter(TypedDict):
    name: str
    """Name of the parameter."""
    type: Literal["integer", "number", "word"]
    """Word: one of `allowed`."""
    default: float | str
    """The value where none is given, in the unit of the parameter."""
    minimum: NotRequired[float]
    """Least value, in the unit of the parameter."""
    maximum: NotRequired[float]
    """Largest value, in the unit of the parameter."""
    allowed: NotRequired[list[str]]
    """Words that it may be."""
    description: str
    """What it does, with its unit."""


class IndicatorsCatalogueIndicator(TypedDict):
    name: str
    """Name for requests."""
    aliases: list[str]
    """Other names of it."""
    title: str
    """Name for readers."""
    category: str
    """What it measures: trend, momentum, volatility, volume and others."""
    parameters: list[IndicatorsCatalogueIndicatorParameter]
    """In the order of the short form."""
    inputs: list[str]
    """Columns of the candles that it reads."""
    outputs: list[str]
    """Names of its values."""
    on_price: list[str]
    """Those of `outputs` that are prices where it is computed from prices: on a chart they belong over the candles, the others into a pane of their own."""
    minimum: int
    """Candles until every output has a value, with the defaults."""
    cumulative: bool
    """True where each value counts from the first candle that is fetched: the same candle has another value with another `limit` or start, and only changes compare."""
    formula: str
    """How it is computed."""
    source: str
    """Where the formula is from."""


class IndicatorsCatalogue(TypedDict):
    count: int
    """Number of rows in the answer."""
    indicators: list[IndicatorsCatalogueIndicator]
    """By category."""


class IndicatorsExchangeTransparencyExchange(TypedDict):
    exchange: str
    """Id."""
    name: str
    """Name of the exchange."""
    score: float
    """40 for wallets, 25 for audits, 20 for reserves in coins of others, 15 for leverage."""
    grade: Literal["A", "B", "C", "D", "E"]
    """From 80, 60, 40, 20, 0."""
    reserves_usd: float | None
    """US dollars; null where it is not known."""
    clean_reserves_usd: float | None
    """Without its own token, US dollars."""
    clean_ratio: float | None
    """Clean reserves / reserves."""
    own_token: str | None
    """Symbol of the token of the exchange; null without one."""
    inflow_24h_usd: float | None
    """US dollars; positive is towards the exchange."""
    inflow_7d_usd: float | None
    """US dollars; positive is towards the exchange."""
    inflow_30d_usd: float | None
    """US dollars; positive is towards the exchange."""
    spot_volume_24h_usd: float | None
    """US dollars; null where it is not known."""
    derivatives_volume_24h_usd: NotRequired[float | None]
    """US dollars; null where it is not known."""
    open_interest_usd: float | None
    """US dollars; null where it is not known."""
    leverage_ratio: float | None
    """Open interest / reserves."""
    auditor: str | None
    """Who audits it; null where none is known."""
    last_audit_at: int | None
    """Unix milliseconds, or null."""
    audit_url: str | None
    """Where the audit is published; null as `auditor`."""
    wallets_url: str | None
    """Where its wallets are listed; null where it lists none."""
    wallets_published: bool
    """Its wallets are known."""


class IndicatorsExchangeTransparencyHistoryItem(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    provisional: NotRequired[Literal[True]]
    """The day or hour of this point is not over."""
    reserves_usd: float | None
    """Of all exchanges, US dollars."""
    clean_reserves_usd: float | None
    """Without their own tokens, US dollars."""
    exchanges_with_reserves: int | None
    """How many publish them."""


class IndicatorsExchangeTransparency(TypedDict):
    exchanges: list[IndicatorsExchangeTransparencyExchange]
    """One row an exchange."""
    count: int
    """Number of rows in the answer."""
    method: Literal["published_reserves", "trust_score"]
    """Whose scores: our own, or those of another times ten."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[IndicatorsExchangeTransparencyHistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class IndicatorsFearGreedHistoryItem(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    provisional: NotRequired[Literal[True]]
    """The day or hour of this point is not over."""
    value: float
    """0 to 100."""
    classification: Literal["extreme_fear", "fear", "neutral", "greed", "extreme_greed"]
    """What the value means."""


class IndicatorsFearGreed(TypedDict):
    value: float
    """0 to 100."""
    classification: Literal["extreme_fear", "fear", "neutral", "greed", "extreme_greed"]
    """What the value means."""
    classification_label: str
    """The same in words."""
    previous_close: float | None
    """0 to 100."""
    week_ago: float | None
    """0 to 100."""
    month_ago: float | None
    """0 to 100."""
    next_update_in_s: int | None
    """Seconds to the next value, counted down each minute; null where the source does not say."""
    computed_from: NotRequired[FearGreedParts]
    """The parts of our own index."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[IndicatorsFearGreedHistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class IndicatorsFuturesSpotVolumeRatioByAssetItem(TypedDict):
    symbol: str
    """Base asset."""
    ratio: float | None
    """24 h turnover of futures over that of spot, a ratio."""
    futures_volume_24h_usd: float | None
    """US dollars; null where it is not known."""
    spot_volume_24h_usd: float | None
    """US dollars; null where it is not known."""


class IndicatorsFuturesSpotVolumeRatioByExchangeItem(TypedDict):
    exchange: str
    """Exchange id."""
    ratio: float | None
    """24 h turnover of futures over that of spot, a ratio."""
    futures_volume_24h_usd: float | None
    """US dollars; null where it is not known."""
    spot_volume_24h_usd: float | None
    """US dollars; null where it is not known."""


class IndicatorsFuturesSpotVolumeRatioHistoryItem(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    provisional: NotRequired[Literal[True]]
    """The day or hour of this point is not over."""
    ratio: float | None
    """24 h turnover of futures over that of spot, a ratio."""
    futures_volume_24h_usd: NotRequired[float | None]
    """US dollars; null where it is not known."""
    spot_volume_24h_usd: NotRequired[float | None]
    """US dollars; null where it is not known."""


class IndicatorsFuturesSpotVolumeRatio(TypedDict):
    ratio: float | None
    """24 h turnover of futures over that of spot, a ratio."""
    futures_volume_24h_usd: float | None
    """US dollars; null where it is not known."""
    spot_volume_24h_usd: float | None
    """US dollars; null where it is not known."""
    by_asset: list[IndicatorsFuturesSpotVolumeRatioByAssetItem]
    """By base asset."""
    by_exchange: list[IndicatorsFuturesSpotVolumeRatioByExchangeItem]
    """By exchange."""
    signal: Literal["leverage_driven", "spot_driven", "balanced"] | None
    """Above 5 leverage, below 2 spot."""
    excluded_exchanges: NotRequired[list[str]]
    """Exchanges whose turnover is not accepted."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[IndicatorsFuturesSpotVolumeRatioHistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class IndicatorsGoldenRatioHistoryItem(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    provisional: NotRequired[Literal[True]]
    """The day or hour of this point is not over."""
    price: float
    """Price of one BTC, US dollars."""
    ma_350_day: float
    """Mean of 350 daily closes, US dollars."""


class IndicatorsGoldenRatio(TypedDict):
    price: float
    """Price of one BTC, US dollars."""
    ma_350_day: float
    """Mean of 350 daily closes, US dollars."""
    multiples: dict[str, float]
    """Map from multiple."""
    reached: float | None
    """The largest multiple at or below the price; null below all."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[IndicatorsGoldenRatioHistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class IndicatorsOptionsFuturesOiRatioByAssetItem(TypedDict):
    symbol: str
    """Base asset."""
    ratio: float | None
    """Open interest of options over that of futures, a ratio."""
    options_oi_usd: float | None
    """US dollars; null where it is not known."""
    futures_oi_usd: float | None
    """US dollars; null where it is not known."""
    options_exchanges: list[str]
    """Exchanges whose options are in the sum."""
    futures_exchange_count: int
    """Exchanges whose futures are in the sum."""


class IndicatorsOptionsFuturesOiRatioHistoryItem(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    provisional: NotRequired[Literal[True]]
    """The day or hour of this point is not over."""
    ratio: float | None
    """Open interest of options over that of futures, a ratio."""
    options_oi_usd: NotRequired[float | None]
    """US dollars; null where it is not known."""
    futures_oi_usd: NotRequired[float | None]
    """US dollars; null where it is not known."""


class IndicatorsOptionsFuturesOiRatio(TypedDict):
    symbol: NotRequired[str]
    """Asset of the ratio."""
    ratio: float | None
    """Open interest of options over that of futures, a ratio."""
    options_oi_usd: float | None
    """US dollars; null where it is not known."""
    futures_oi_usd: float | None
    """US dollars; null where it is not known."""
    by_asset: list[IndicatorsOptionsFuturesOiRatioByAssetItem]
    """One row an asset."""
    signal: Literal["options_dominant", "futures_dominant", "balanced"] | None
    """Above 1 options, below 0.5 futures."""
    missing_options_exchanges: NotRequired[list[str]]
    """Exchanges that the sums lack now."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[IndicatorsOptionsFuturesOiRatioHistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class IndicatorsPiCycleLastCross(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    direction: Literal["up", "down"]
    """Of the 111-day mean."""
    price_usd: float
    """Price of one BTC, US dollars."""


class IndicatorsPiCycleHistoryItem(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    provisional: NotRequired[Literal[True]]
    """The day or hour of this point is not over."""
    price_usd: float
    """Price of one BTC, US dollars."""
    ma_111d_usd: float
    """Mean of 111 daily closes, US dollars."""
    ma_350d_x2_usd: float
    """Twice the mean of 350 daily closes, US dollars."""


class IndicatorsPiCycle(TypedDict):
    ma_111d_usd: float
    """Mean of 111 daily closes, US dollars."""
    ma_350d_x2_usd: float
    """Twice the mean of 350 daily closes, US dollars."""
    gap_pct: float
    """How far the 111-day mean is above the other, percent."""
    crossed: bool
    """On the last day that is over."""
    state: Literal["above", "below"]
    """Where the 111-day mean is."""
    last_cross: IndicatorsPiCycleLastCross | None
    """Null before the first."""
    crosses: list[IndicatorsPiCycleLastCross]
    """Oldest first."""
    signal: Literal["top", "approaching", "neutral"]
    """Top for 30 days from a cross upwards, approaching from 5 % below it on."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[IndicatorsPiCycleHistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class IndicatorsProfitableDaysHistoryItem(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    provisional: NotRequired[Literal[True]]
    """The day or hour of this point is not over."""
    price: float
    """Price of one BTC, US dollars."""
    days: int
    """Days that are compared."""
    profitable_days: int
    """Those that closed below the price."""
    share: float
    """Their share, a fraction."""


class IndicatorsProfitableDays(TypedDict):
    price: float
    """Price of one BTC, US dollars."""
    days: int
    """Days that are compared."""
    profitable_days: int
    """Those that closed below the price."""
    share: float
    """Their share, a fraction."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[IndicatorsProfitableDaysHistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class IndicatorsPuellMultipleHistoryItem(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    provisional: NotRequired[Literal[True]]
    """The day or hour of this point is not over."""
    value: float
    """A day's issue / its mean of 365 days, both in US dollars."""
    daily_issuance_usd: float
    """Subsidies of one day without fees, US dollars."""


class IndicatorsPuellMultiple(TypedDict):
    value: float
    """A day's issue / its mean of 365 days, both in US dollars."""
    value_smoothed: float
    """The same with the mean of 7 days above the line."""
    daily_issuance_btc: float
    """BTC."""
    daily_issuance_usd: float
    """Subsidies of one day without fees, US dollars."""
    average_365d_usd: float
    """US dollars."""
    blocks: int | None
    """Of the day; null where the source gives coins."""
    subsidy_btc: float
    """Of one block, BTC."""
    zone: Literal["undervalued", "normal", "elevated", "overvalued"]
    """Below 0.5, below 2, below 4, above."""
    signal: Literal["buy", "hold", "caution", "sell"]
    """What the zone suggests."""
    includes_fees: NotRequired[bool]
    """True where the source counts fees in."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[IndicatorsPuellMultipleHistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class IndicatorsRainbowChartBand(TypedDict):
    index: int
    """From 0, the lowest."""
    name: str
    """Name of the band."""
    color: str
    """#rrggbb"""
    lower_usd: float
    """US dollars."""
    upper_usd: float
    """US dollars."""


class IndicatorsRainbowChartModel(TypedDict):
    a: float
    """Intercept, of the natural logarithm of US dollars."""
    b: float
    """Slope, a plain factor."""
    fitted_through: str
    """YYYY-MM-DD"""


class IndicatorsRainbowChartHistoryItem(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    provisional: NotRequired[Literal[True]]
    """The day or hour of this point is not over."""
    price_usd: float
    """Price of one BTC, US dollars."""
    base_usd: float
    """Price of the regression, US dollars."""
    band: int
    """Index of the band of the price."""


class IndicatorsRainbowChart(TypedDict):
    price_usd: float
    """Price of one BTC, US dollars."""
    base_usd: float
    """Price of the regression, US dollars."""
    trolololo_line_usd: float
    """Trolololo's line of 2014 for comparison, US dollars."""
    days: int
    """Since 2009-01-09."""
    band: int
    """Index of the band of the price."""
    classification: str
    """Name of the band."""
    bands: list[IndicatorsRainbowChartBand]
    """The lowest first."""
    model: IndicatorsRainbowChartModel
    """exp(a + b ln(days)), US dollars."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[IndicatorsRainbowChartHistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class IndicatorsStablecoinMcapTopItem(TypedDict):
    symbol: str
    """Symbol of the stablecoin."""
    name: str
    """Name of the stablecoin."""
    market_cap_usd: float
    """US dollars."""
    share_pct: float
    """Percent."""
    change_30d_pct: float | None
    """Percent; null where it is not known."""


class IndicatorsStablecoinMcapHistoryItem(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    provisional: NotRequired[Literal[True]]
    """The day or hour of this point is not over."""
    total_market_cap_usd: float
    """US dollars."""


class IndicatorsStablecoinMcap(TypedDict):
    total_market_cap_usd: float
    """US dollars."""
    change_24h_pct: float | None
    """Percent; null where it is not known."""
    change_7d_pct: float | None
    """Percent; null where it is not known."""
    change_30d_pct: float | None
    """Percent; null where it is not known."""
    usd_pegged_usd: float | None
    """Those pegged to the dollar, US dollars."""
    stablecoin_supply_ratio: float | None
    """Bitcoin's capitalisation / that of stablecoins."""
    top: list[IndicatorsStablecoinMcapTopItem]
    """The ten largest, the largest first."""
    signal: Literal["expanding", "contracting", "stable"] | None
    """By 1 % within 30 days."""
    partial: NotRequired[bool]
    """Only the largest stablecoins are in the sum."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[IndicatorsStablecoinMcapHistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class IndicatorsStockToFlowHistoryItem(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    provisional: NotRequired[Literal[True]]
    """The day or hour of this point is not over."""
    ratio: float
    """Stock / flow, years."""
    model_price_usd: float
    """exp(-1.84) x ratio^3.36, US dollars."""
    price_usd: float
    """Price of one BTC, US dollars."""


class IndicatorsStockToFlow(TypedDict):
    stock_btc: float
    """Coins that exist, BTC."""
    flow_btc_365d: float
    """Issued in the last 365 days, BTC."""
    nominal_flow_btc: NotRequired[float]
    """52,560 blocks of the current subsidy, BTC."""
    ratio: float
    """Stock / flow, years."""
    model_price_usd: float
    """exp(-1.84) x ratio^3.36, US dollars."""
    price_usd: float
    """Price of one BTC, US dollars."""
    model_price_2019_usd: float
    """By the article of 2019, US dollars."""
    deflection: float
    """Price over model price, a ratio."""
    block_height: int
    """Newest block, its number."""
    next_halving_height: int
    """Number of the block at which the subsidy halves."""
    days_to_halving: float
    """Days, at 144 blocks each."""
    signal: Literal["undervalued", "fair", "overvalued"]
    """Below 0.5, below 2, above."""
    note: NotRequired[str]
    """What is special in these figures, in words."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[IndicatorsStockToFlowHistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class IndicatorsTwoYearMaHistoryItem(TypedDict):
    timestamp: int
    """Unix milliseconds."""
    provisional: NotRequired[Literal[True]]
    """The day or hour of this point is not over."""
    price: float
    """Price of one BTC, US dollars."""
    two_year_ma: float
    """Mean of 730 daily closes, US dollars."""
    multiplier_5x: float
    """Five times that mean, US dollars."""


class IndicatorsTwoYearMa(TypedDict):
    price: float
    """Price of one BTC, US dollars."""
    two_year_ma: float
    """Mean of 730 daily closes, US dollars."""
    multiplier_5x: float
    """Five times that mean, US dollars."""
    state: Literal["below_average", "between", "above_multiplier"]
    """Where the price is; tops of the past came near to five times the mean."""
    updated_at: int
    """Time of the newest input, as its source states it, Unix milliseconds."""
    received_at: int
    """When the newest input was received, Unix milliseconds."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""
    coverage: ChartCoverage
    """The whole chart that `history` is the end of."""
    history: list[IndicatorsTwoYearMaHistoryItem]
    """Ascending by time; one point a UTC day where not said otherwise."""
    explanation: NotRequired[IndicatorExplanation]
    """What the main number is made of; with `explain=1`."""


class Instrument(TypedDict):
    exchange: str
    """Exchange id."""
    market: str
    """The exchange's own symbol."""
    name: str | None
    """The name that the exchange gives it, where its symbol is a mere number."""
    unified: str | None
    """`BTC/USDT` for spot, `BTC/USDT:USDT` (linear) or `BTC/USD:BTC` (inverse) for perpetuals, `BTC/USD:BTC-260327` for dated futures; null for other kinds."""
    kind: Literal["spot", "perpetual", "future", "other"]
    """Future: dated, and part of /v1/futures/term-structure only. Other: listed, but not followed."""
    base: str
    """Base asset in its usual ticker: XBT is BTC, 1000PEPE is PEPE."""
    quote: str
    """Quote asset."""
    contract_size: float | None
    """Of one contract: units of the quote where an inverse contract is counted in them, else base assets (1000 of 1000PEPE). Null for spot."""
    margin_type: Literal["linear", "inverse"] | None
    """Inverse: settled in the base asset. Null for spot."""
    expiry: int | None
    """When a dated future expires, Unix ms; null for other kinds."""
    funding_interval_hours: float | None
    """Hours between two fundings; null where the instrument list does not state it."""
    tick_size: float | None
    """Smallest step of a price, in the quote asset (1e-10 of PEPE where 1000PEPE moves by 1e-7); null where the instrument list does not state it, or where it depends on the price."""
    max_leverage: float | None
    """A multiple of the margin; null where the instrument list does not state it."""


class Instruments(TypedDict):
    count: int
    """Number of rows in the answer."""
    instruments: list[Instrument]
    """By exchange."""


class ItemDepthItem(TypedDict):
    bid_usd: float | None
    """Bids within that distance of the mid price, US dollars; null where the known book is too thin or ends before it."""
    ask_usd: float | None
    """Asks within it, US dollars; null where the known book is too thin or ends before it."""


class ItemSlippageItem(TypedDict):
    usd: float
    """Size of the order, US dollars."""
    buy: float | None
    """Mean price of a purchase above the mid price, a fraction; null where the known book is too thin or ends before it."""
    sell: float | None
    """Mean price of a sale below the mid price, a fraction; null where the known book is too thin or ends before it."""


class LargeOrdersItem(TypedDict):
    exchange: str
    """Exchange id."""
    pair: str
    """The exchange's own id of the market."""
    side: Literal["bid", "ask"]
    """To buy, or to sell."""
    price: float
    """In quote, a dollar or a dollar stablecoin."""
    quantity: float
    """Base units; of a closed order the last that was seen."""
    value_usd: float
    """US dollars."""
    initial_value_usd: float
    """US dollars, when it was first seen."""
    distance_percent: float
    """From the mid price, percent of it: negative below."""
    state: Literal["active", "filled", "cancelled"]
    """Filled: the price has gone through it; cancelled: less than 30 % of it is left."""
    first_seen: int
    """Unix milliseconds."""
    last_seen: int
    """Of a closed order the time at which it was found to be so, Unix ms."""


class LargeOrders(TypedDict):
    symbol: str
    """Base asset."""
    count: int
    """Number of rows in the answer."""
    tracked: bool
    """The order books of the asset are sampled all the time; else `first_seen` is the time of the answer."""
    items: list[LargeOrdersItem]
    """Largest value first; where there are more than `limit`, ended ones are left out first."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class LatestLongShort(TypedDict):
    exchange: str
    """Exchange id."""
    timestamp: int
    """Unix milliseconds."""
    long_ratio: float
    """Share of long, a fraction."""
    short_ratio: float
    """Share of short, a fraction."""
    long_short_ratio: float
    """Long over short."""


class LendingRatesPool(TypedDict):
    protocol: str
    """Protocol with its version, lower case: `aave-v3`."""
    chain: str
    """Lower case: `ethereum`, `optimism`."""
    asset: str
    """Symbol of the token lent or borrowed, upper case."""
    pool_id: str
    """Unique."""
    supply_apy: float
    """Percent a year, base and reward together."""
    borrow_apy: float
    """Percent a year, before rewards; 0 where nothing can be borrowed."""
    tvl_usd: float
    """The amount that is supplied and not borrowed, USD."""
    utilization: float
    """Borrowed over supplied, a fraction."""
    reward_apy: float | None
    """Part of `supply_apy` that is rewards, percent a year."""
    borrowable: bool
    """False where the protocol does not lend the asset out."""
    updated_at: int
    """When the row was received, Unix milliseconds."""


class LendingOverviewAsset(TypedDict):
    asset: str
    """Symbol of the token, upper case."""
    best_supply: LendingRatesPool
    """Pool of the highest supply rate; pools of dust do not count."""
    best_borrow: LendingRatesPool
    """Pool of the lowest borrow rate above zero; pools of dust do not count."""
    avg_supply_apy: float
    """Plain mean over the pools that count, percent a year."""
    avg_borrow_apy: float
    """Plain mean over the pools that count and lend, percent a year."""
    total_tvl: float
    """Over all pools of the asset, USD."""


class LendingOverview(TypedDict):
    assets: list[LendingOverviewAsset]
    """The asset with most in its pools first."""
    updated_at: int
    """When the newest of it was received, Unix milliseconds."""
    stale: NotRequired[Literal[True]]
    """Older than 15 minutes: no source has answered since."""


class LendingRates(TypedDict):
    pools: list[LendingRatesPool]
    """One row per pool that can be supplied or borrowed."""
    total: int
    """How many pools there are."""
    updated_at: int
    """When the newest of it was received, Unix milliseconds."""
    stale: NotRequired[Literal[True]]
    """Older than 15 minutes: no source has answered since."""


class LendingTvlProtocol(TypedDict):
    protocol: str
    """Protocol with its version, lower case."""
    tvl_usd: float
    """Without what is borrowed, USD."""
    chains: list[str]
    """Chains that it is on."""


class LendingTvl(TypedDict):
    protocols: list[LendingTvlProtocol]
    """The largest first."""
    total_tvl_usd: float
    """Sum over the protocols, USD."""
    updated_at: int
    """When the newest of it was received, Unix milliseconds."""
    stale: NotRequired[Literal[True]]
    """Older than 15 minutes: no source has answered since."""


class LiquidationMaxPain(TypedDict):
    symbol: str
    """Base asset."""
    exchange: str
    """Exchange id."""
    range: str
    """Length of the past that is looked at, as asked."""
    current_price: float
    """Last close, in quote."""
    long_max_pain_price: float | None
    """Of the largest level of longs, in quote; null without any."""
    long_max_pain_value_usd: float | None
    """Value of that level, US dollars; null as its price."""
    long_max_pain_distance_percent: float | None
    """From the current price to that level, percent of it, negative below; null as its price."""
    short_max_pain_price: float | None
    """Of the largest level of shorts, in quote; null without any."""
    short_max_pain_value_usd: float | None
    """Value of that level, US dollars; null as its price."""
    short_max_pain_distance_percent: float | None
    """From the current price to that level, percent of it, negative below; null as its price."""
    max_pain_price: float | None
    """Of the larger of the two, in quote."""
    max_pain_value_usd: float | None
    """Value of that level, US dollars; null as its price."""
    max_pain_distance_percent: float | None
    """From the current price to that level, percent of it, negative below; null as its price."""
    updated_at: int
    """Unix ms."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class LiquidationMaxPainList(TypedDict):
    exchange: str
    """Exchange id."""
    range: str
    """Length of the past that is looked at, as asked."""
    count: int
    """Number of rows in the answer."""
    items: list[LiquidationMaxPain]
    """Largest turnover first."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class LiquidationsAggregatedHistoryPointExchange(TypedDict):
    long_usd: float
    """Of long positions, US dollars."""
    short_usd: float
    """Of short positions, US dollars."""


class LiquidationsAggregatedHistoryPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms."""
    long_usd: float
    """Of long positions, US dollars."""
    short_usd: float
    """Of short positions, US dollars."""
    total_usd: float
    """Of both, US dollars."""
    order_count: int | None
    """Null where sums of an exchange come without it."""
    exchanges: dict[str, LiquidationsAggregatedHistoryPointExchange]
    """Map from exchange."""


class LiquidationsAggregatedHistory(TypedDict):
    symbol: str
    """Base asset."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    note: NotRequired[str]
    """Why there are no points."""
    sampled_exchanges: list[str]
    """Exchanges that tell of one liquidation a contract and second only: their sums are lower bounds."""
    points: list[LiquidationsAggregatedHistoryPoint]
    """Ascending by time; none where no feed was heard."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class LiquidationsCoinListItem(TypedDict):
    symbol: str
    """Base asset."""
    liquidation_usd_1h: float
    """US dollars."""
    long_1h_usd: float
    """US dollars."""
    short_1h_usd: float
    """US dollars."""
    liquidation_usd_4h: float
    """US dollars."""
    long_4h_usd: float
    """US dollars."""
    short_4h_usd: float
    """US dollars."""
    liquidation_usd_12h: float
    """US dollars."""
    long_12h_usd: float
    """US dollars."""
    short_12h_usd: float
    """US dollars."""
    liquidation_usd_24h: float
    """US dollars."""
    long_24h_usd: float
    """US dollars."""
    short_24h_usd: float
    """US dollars."""
    largest_order_usd_24h: float | None
    """The largest single one, US dollars."""


class LiquidationsCoinList(TypedDict):
    recording_since: int
    """First time of the last 24 hours in which a feed was heard, Unix ms."""
    connected: bool
    """Every feed of the answer is heard at present, or was 60 s ago."""
    disconnected_exchanges: list[str]
    """Exchanges whose feed is not heard at present."""
    sampled_exchanges: list[str]
    """Exchanges that tell of one liquidation a contract and second only: their sums are lower bounds."""
    not_covered: list[str]
    """Exchanges with perpetuals and without a public feed."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    count: int
    """Number of rows in the answer."""
    items: list[LiquidationsCoinListItem]
    """Largest sum of 24 hours first."""


class LiquidationsExchangeListItem(TypedDict):
    exchange: str
    """`all` in the first item."""
    liquidation_usd: float
    """US dollars."""
    long_usd: float
    """US dollars."""
    short_usd: float
    """US dollars."""
    long_ratio: float | None
    """Share of longs, 0 to 1; null without liquidations."""
    order_count: int | None
    """Liquidations; null where sums of an exchange come without it."""
    share: float | None
    """Of all exchanges, 0 to 1; null without liquidations."""


class LiquidationsExchangeList(TypedDict):
    symbol: str | None
    """Base asset; null for all."""
    range: str
    """Length of the window, as asked."""
    recording_since: int
    """First time of the last 24 hours in which a feed was heard, Unix ms."""
    connected: bool
    """Every feed of the answer is heard at present, or was 60 s ago."""
    disconnected_exchanges: list[str]
    """Exchanges whose feed is not heard at present."""
    sampled_exchanges: list[str]
    """Exchanges that tell of one liquidation a contract and second only: their sums are lower bounds."""
    not_covered: list[str]
    """Exchanges with perpetuals and without a public feed."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    count: int
    """Number of rows in the answer."""
    items: list[LiquidationsExchangeListItem]
    """All exchanges together, then each, largest sum first."""


class LiquidationsFeedOrder(TypedDict):
    symbol: str
    """Base asset."""
    pair: str
    """The exchange's own id."""
    side: Literal["long", "short"]
    """Of the position that was closed."""
    order_side: Literal["buy", "sell"]
    """Of the order that closed the position."""
    price: float
    """Of the order, for one unit of the base asset, in quote."""
    average_price: float
    """At which it was filled, in quote; 0 where the exchange states none."""
    quantity_base: float
    """Base units."""
    value_usd: float
    """US dollars; stablecoins count as one each."""
    order_type: str
    """As the exchange states it: `LIMIT`."""
    time_in_force: str
    """As the exchange states it: `IOC`."""
    status: str
    """Of the order, as the exchange states it: `FILLED`."""
    timestamp: int
    """When it happened, as the exchange states it, Unix ms."""


class LiquidationsFeed(TypedDict):
    exchange: Literal["binance"]
    """Exchange id."""
    sampled: Literal[True]
    """The largest liquidation of a contract and second only."""
    recording_since: int
    """First time of the last 24 hours in which a feed was heard, Unix ms."""
    connected: bool
    """Every feed of the answer is heard at present, or was 60 s ago."""
    count: int
    """Number of rows in the answer."""
    orders: list[LiquidationsFeedOrder]
    """Newest first."""


class LiquidationsHeatmap(TypedDict):
    symbol: str
    """Base asset."""
    range: str
    """Length of the past that is looked at, as asked."""
    exchanges: list[str]
    """Exchanges that the map is of."""
    failed_exchanges: list[str]
    """Exchanges whose candles could not be had."""
    method: Literal["oi_delta_leverage_v1"]
    """Estimated from the growth of open interest and assumed leverages."""
    bucket_size: float
    """Width of a row, in quote."""
    timestamps: list[int]
    """Ascending."""
    prices: list[float]
    """Ascending."""
    cells: list[list[float]]
    """What would be liquidated there; rows without anything are left out."""
    max_value_usd: float
    """Largest of the cells, US dollars."""
    close: list[float | None]
    """Close of each candle on the first exchange."""
    updated_at: int
    """Unix ms."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class LiquidationsMapLevel(TypedDict):
    price: float
    """Start of the level, in quote."""
    side: Literal["long", "short"]
    """Of the position that was closed."""
    value_usd: float
    """US dollars."""
    by_leverage: dict[str, float]
    """Map from leverage."""
    cumulative_usd: float
    """From the current price to this level, US dollars."""


class LiquidationsMap(TypedDict):
    symbol: str
    """Base asset."""
    exchange: str
    """Exchange id."""
    range: str
    """Length of the past that is looked at, as asked."""
    current_price: float
    """Last close, in quote."""
    bucket_size: float
    """Width of a level, in quote."""
    model: Literal["oi_delta_leverage_v1"]
    """Estimated from the growth of open interest and assumed leverages."""
    levels: list[LiquidationsMapLevel]
    """Ascending by price, within 25 % of the current price."""
    total_long_usd: float
    """US dollars."""
    total_short_usd: float
    """US dollars."""
    updated_at: int
    """Unix ms."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class LiquidationsOrder(TypedDict):
    exchange: str
    """Exchange id."""
    symbol: str
    """Base asset."""
    contract: str
    """The exchange's own id."""
    side: Literal["long", "short"]
    """Of the position that was closed."""
    price: float
    """Of one unit of the base asset, in the quote of the contract."""
    price_kind: Literal["average", "bankruptcy", "order", "fill"]
    """Average of the fills, price at which the margin was used up, price of the order, or of one fill."""
    quantity_base: float
    """Base units."""
    value_usd: float
    """US dollars; stablecoins count as one each."""
    timestamp: int
    """When it happened, as the exchange states it, Unix ms."""


class LiquidationsOrders(TypedDict):
    recording_since: int
    """First time of the last 24 hours in which a feed was heard, Unix ms."""
    connected: bool
    """Every feed of the answer is heard at present, or was 60 s ago."""
    disconnected_exchanges: list[str]
    """Exchanges whose feed is not heard at present."""
    sampled_exchanges: list[str]
    """Exchanges that tell of one liquidation a contract and second only: their sums are lower bounds."""
    not_covered: list[str]
    """Exchanges with perpetuals and without a public feed."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    count: int
    """Number of rows in the answer."""
    orders: list[LiquidationsOrder]
    """Newest first."""


class LiquidityAtItem(TypedDict):
    exchange: str
    """Exchange id."""
    kind: Literal["spot", "perpetual"]
    """Of the market."""
    sampled_at: int
    """When it was sampled, Unix ms."""
    backfilled: bool
    """Whether an exchange stated it afterwards; false where it was recorded at that time."""
    spread_percent: float | None
    """Best ask less best bid, percent of the mid price."""
    depth: dict[str, ItemDepthItem]
    """Map from distance from the mid price, percent of it."""
    slippage: list[ItemSlippageItem]
    """Smallest order first."""


class LiquidityAt(TypedDict):
    symbol: str
    """Base asset."""
    at: int
    """As asked, Unix ms."""
    step_ms: int
    """Time between two samples, ms."""
    count: int
    """Number of rows in the answer."""
    items: list[LiquidityAtItem]
    """What was recorded."""


class LiquidityExplanation(TypedDict):
    rule: str
    """How the numbers follow from the levels."""
    most_levels: int
    """Levels of a side that count at most."""
    bids: list[list[float]]
    """The best first."""
    asks: list[list[float]]
    """The best first."""


class LiquidityHistoryPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms; values are those of its last minute."""
    spread_percent: float | None
    """Best ask less best bid, percent of the mid price."""
    bid_depth_usd: float | None
    """Bids within `depth_percent` of the mid price, US dollars; null where the known book is too thin or ends before it."""
    ask_depth_usd: float | None
    """Asks within it, US dollars; null where the known book is too thin or ends before it."""
    slippage_buy: float | None
    """Of a purchase of `order_usd`, a fraction; null where the known book is too thin or ends before it."""
    slippage_sell: float | None
    """Of a sale of it, a fraction; null where the known book is too thin or ends before it."""


class LiquidityHistory(TypedDict):
    symbol: str
    """Base asset."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    note: NotRequired[str]
    """Why there are no points."""
    exchange: str
    """Exchange id."""
    kind: Literal["spot", "perpetual"]
    """Of the market."""
    depth_percent: float
    """Distance from the mid price, percent."""
    order_usd: float
    """Size of the order, US dollars."""
    points: list[LiquidityHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class LiquidityOfBooksItem(TypedDict):
    exchange: str
    """Exchange id."""
    market: str
    """The exchange's own id of the market."""
    kind: Literal["spot", "perpetual"]
    """Of the market."""
    mid_price: float
    """Between the best bid and ask, in quote, a dollar or a dollar stablecoin."""
    spread_percent: float
    """Best ask less best bid, percent of the mid price."""
    depth: dict[str, ItemDepthItem]
    """Map from distance from the mid price, percent of it."""
    slippage: list[ItemSlippageItem]
    """Smallest order first."""
    as_of: int
    """When the book was received, Unix ms."""
    explanation: NotRequired[LiquidityExplanation]
    """The levels of which all numbers of the item are made; with `explain=1`."""


class LiquidityOfBooks(TypedDict):
    symbol: str
    """Base asset."""
    count: int
    """Number of rows in the answer."""
    items: list[LiquidityOfBooksItem]
    """By exchange."""


class LongShortRatioExchange(TypedDict):
    exchange: str
    """Exchange id."""
    contract: str
    """The exchange's own id."""
    timestamp: int
    """Start of the interval, Unix ms."""
    long_ratio: float
    """Share of long, a fraction."""
    short_ratio: float
    """Share of short, a fraction."""
    long_short_ratio: float
    """Long over short."""


class LongShortRatio(TypedDict):
    symbol: str
    """Base asset."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    failed_exchanges: list[str]
    """Exchanges that could not be asked."""
    long_ratio: float
    """Share of long, a fraction."""
    short_ratio: float
    """Share of short, a fraction."""
    long_short_ratio: float
    """Long over short."""
    long_short_ratio_basis: Literal["exchanges"]
    """Mean over `exchanges`; the tables of assets have that of one exchange."""
    exchange_count: int
    """Exchanges in the mean."""
    exchanges: list[LongShortRatioExchange]
    """The newest point of each, largest share of long first."""
    stale_exchanges: list[str]
    """Exchanges whose newest point is too old to be compared."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class LongShortRatioNetPositionPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms."""
    open_interest_base: float
    """Base units."""
    net_long_change_base: float | None
    """Longs that takers opened less those that they closed since the row before; null where that or their volume is missing."""
    net_short_change_base: float | None
    """The same of shorts."""
    net_long_base: float
    """Sum of the changes from the first point on."""
    net_short_base: float
    """The same of shorts."""
    net_position_base: float
    """Longs less shorts."""
    net_position_usd: float | None
    """The same at the price of the open interest."""
    top_trader_net_ratio: float | None
    """Share of long less share of short positions of the largest accounts, -1 to 1."""


class LongShortRatioNetPosition(TypedDict):
    symbol: str
    """Base asset."""
    exchange: str
    """Exchange id."""
    pair: str
    """The exchange's own id of the market."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    points: list[LongShortRatioNetPositionPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class LongShortRatioTakerBuysellRatioPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms."""
    taker_buy_usd: float
    """Bought by takers, US dollars."""
    taker_sell_usd: float
    """Sold by takers, US dollars."""
    buy_ratio: float
    """Bought share of both, a fraction."""
    sell_ratio: float
    """Sold share of both, a fraction."""
    buy_sell_ratio: float | None
    """Bought over sold; null where nothing was sold."""


class LongShortRatioTakerBuysellRatio(TypedDict):
    symbol: str
    """Base asset."""
    exchange: str
    """Exchange id."""
    pair: str
    """The exchange's own id of the market."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    points: list[LongShortRatioTakerBuysellRatioPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class LongShortRatioTopAccountsPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms."""
    long_ratio: float
    """Share of long, a fraction."""
    short_ratio: float
    """Share of short, a fraction."""
    long_short_ratio: float
    """Long over short."""


class LongShortRatioTopAccounts(TypedDict):
    symbol: str
    """Base asset."""
    exchange: str
    """Exchange id."""
    pair: str
    """The exchange's own id of the market."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    latest: list[LatestLongShort]
    """The newest point of each exchange that has answered, of a range up to the end of this page."""
    points: list[LongShortRatioTopAccountsPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class MarginHistoryPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms."""
    open_interest_usd: float
    """One side, US dollars."""
    open_interest_base: float | None
    """One side, base units; null where an exchange in the sum states none."""
    exchange_count: int
    """Exchanges in the sum."""
    missing_exchanges: NotRequired[list[str]]
    """Exchanges of this answer that have no value at this time; absent where all have."""
    carried: int
    """Values in the sum that stand for missing ones: the last ones before."""
    closed: bool
    """False while the interval still runs."""
    exchanges: dict[str, float]
    """Map from exchange."""


class MarginHistory(TypedDict):
    symbol: str
    """Base asset."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    note: NotRequired[str]
    """Why there are no points."""
    coverage_by_exchange: dict[str, RecordCoverage]
    """Map from exchange."""
    points: list[MarginHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class MissingRows(TypedDict):
    exchange: str
    """Exchange id."""
    symbol: str | None
    """Base asset; null for all that were asked for."""
    column: str | None
    """Name of the column; null for all that were asked for."""
    reason: str
    """In words."""


class NetflowOfSymbolPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms."""
    inflow_usd: float
    """Bought by takers, US dollars."""
    outflow_usd: float
    """Sold by takers, US dollars."""
    netflow_usd: float
    """The difference."""


class NetflowOfSymbol(TypedDict):
    symbol: str
    """Base asset."""
    exchange: str
    """Exchange id."""
    pair: str
    """The exchange's own id of the market."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    method: Literal["taker"]
    """Trades, not transfers on a blockchain."""
    points: list[NetflowOfSymbolPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class NetflowRankingItem(TypedDict):
    symbol: str
    """Base asset."""
    netflow_usd_5m: float | None
    """Bought less sold by takers in 5m, US dollars; null where less is recorded."""
    netflow_usd_15m: float | None
    """Bought less sold by takers in 15m, US dollars; null where less is recorded."""
    netflow_usd_30m: float | None
    """Bought less sold by takers in 30m, US dollars; null where less is recorded."""
    netflow_usd_1h: float | None
    """Bought less sold by takers in 1h, US dollars; null where less is recorded."""
    netflow_usd_4h: float | None
    """Bought less sold by takers in 4h, US dollars; null where less is recorded."""
    netflow_usd_12h: float | None
    """Bought less sold by takers in 12h, US dollars; null where less is recorded."""
    netflow_usd_24h: float | None
    """Bought less sold by takers in 24h, US dollars; null where less is recorded."""
    volume_24h_usd: float
    """Bought and sold in 24 hours, as far as recorded, US dollars."""


class NetflowRanking(TypedDict):
    exchange: str
    """Exchange id."""
    method: Literal["taker"]
    """Trades, not transfers on a blockchain."""
    count: int
    """Number of rows in the answer."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    note: NotRequired[str]
    """Why there are no points."""
    items: list[NetflowRankingItem]
    """Largest net flow of 24 hours first."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class OnchainBlock(TypedDict):
    chain: Literal["ethereum", "base", "arbitrum", "polygon", "bsc", "optimism", "avalanche", "bitcoin", "solana"]
    """Chain id."""
    block_number: int
    """Latest block number; the slot for solana."""
    gas_gwei: float | None
    """Gas price, Gwei; null for bitcoin and solana."""
    updated_at: int
    """When the row was received, Unix seconds."""
    stale: NotRequired[Literal[True]]
    """Older than three minutes: no endpoint has answered since."""


class OnchainExchangeFlow(TypedDict):
    label: str
    """Exchange and `_hot`: the sum of its known hot wallets."""
    chain: Literal["ethereum", "base", "arbitrum", "polygon", "bsc", "optimism", "avalanche"]
    """Chain id."""
    eth_balance: float
    """Whole coins."""
    usdc_balance: float
    """Whole coins."""
    usdt_balance: float
    """Whole coins."""
    updated_at: int
    """When the row was received, Unix seconds."""
    stale: NotRequired[Literal[True]]
    """Older than three minutes: no endpoint has answered since."""


class OnchainGasItem(TypedDict):
    chain: Literal["ethereum", "base", "arbitrum", "polygon", "bsc", "optimism", "avalanche"]
    """Chain id."""
    gas_gwei: float
    """Gas price, Gwei."""
    block: int
    """Latest block number."""
    updated_at: int
    """When the row was received, Unix seconds."""
    stale: NotRequired[Literal[True]]
    """Older than three minutes: no endpoint has answered since."""


class OnchainSupplyItem(TypedDict):
    token: Literal["USDC", "USDT"]
    """Symbol of the stablecoin."""
    chain: Literal["ethereum", "base", "arbitrum", "polygon", "bsc", "optimism", "avalanche"]
    """Chain id."""
    total_supply: float
    """Whole coins."""
    updated_at: int
    """When the row was received, Unix seconds."""
    stale: NotRequired[Literal[True]]
    """Older than three minutes: no endpoint has answered since."""


class OnchainWalletToken(TypedDict):
    token: str
    """Symbol."""
    chain: str
    """Chain of the token."""
    balance: float
    """Whole coins."""
    contract: NotRequired[str]
    """Absent for the native coin."""
    price_usd: float
    """0 for a token without a price."""
    value_usd: float
    """Balance x price, US dollars."""


class OnchainWallet(TypedDict):
    address: str
    """As asked."""
    chain: str
    """As asked."""
    total_value_usd: float
    """Sum over the tokens, US dollars."""
    tokens: list[OnchainWalletToken]
    """The most valuable first."""
    partial: NotRequired[str]
    """The missing part, in words: tokens that could not be listed, or prices. Absent when nothing is."""


class OpenInterestAggregatedHistoryPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms."""
    open_interest_usd: float
    """One side, US dollars."""
    change_usd: float | None
    """Since the point before; null in the first one, and where other exchanges are in its sum."""
    change_percent: float | None
    """Since the point before, of the contracts that are in both sums; null where they are less than half."""
    stablecoin_margin_usd: float | None
    """Of contracts settled in dollars or a dollar stablecoin."""
    coin_margin_usd: float | None
    """US dollars, of contracts settled in the asset itself."""
    price: float | None
    """Mean price of the perpetuals, US dollars; null where none is recorded."""
    exchange_count: int
    """Exchanges in the sum."""
    missing_exchanges: NotRequired[list[str]]
    """Exchanges of this answer that have no value at this time; absent where all have."""
    carried: int
    """Values in the sum that stand for missing ones: the last ones before."""
    closed: bool
    """False while the interval still runs."""


class OpenInterestAggregatedHistory(TypedDict):
    symbol: str
    """Base asset."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    note: NotRequired[str]
    """Why there are no points."""
    coverage_by_exchange: dict[str, RecordCoverage]
    """Map from exchange."""
    points: list[OpenInterestAggregatedHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class OpenInterestAtItem(TypedDict):
    exchange: str
    """Exchange id."""
    margin: Literal["stable", "coin"]
    """Settled in a dollar currency or in the base asset."""
    sampled_at: int
    """When it was sampled, Unix ms."""
    backfilled: bool
    """Whether an exchange stated it afterwards; false where it was recorded at that time."""
    open_interest_usd: float | None
    """One side, US dollars."""
    open_interest_base: float | None
    """One side, base units."""


class OpenInterestAt(TypedDict):
    symbol: str
    """Base asset."""
    at: int
    """As asked, Unix ms."""
    step_ms: int
    """Time between two samples, ms."""
    count: int
    """Number of rows in the answer."""
    items: list[OpenInterestAtItem]
    """What was recorded."""


class OpenInterestExchangeHistoryChart(TypedDict):
    symbol: str
    """Base asset."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    note: NotRequired[str]
    """Why there are no points."""
    coverage_by_exchange: dict[str, RecordCoverage]
    """Map from exchange."""
    count: int
    """Number of rows in the answer."""
    timestamps: list[int]
    """Ascending."""
    prices: list[float | None]
    """Mean price of the perpetuals, US dollars; null where none is recorded."""
    exchanges: dict[str, list[float | None]]
    """Map from exchange."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class OpenInterestOfSymbolExchange(TypedDict):
    oi_usd: float
    """One side, USD."""
    oi_contracts: float | None
    """One side, base units."""
    updated_at: int
    """When the oldest of its markets was received, Unix milliseconds."""
    venue_time: int | None
    """The time that the exchange states, Unix milliseconds."""
    mark_price: float | None
    """Price that turned units into value, USD; null where the exchange gave both."""
    excluded: NotRequired[Literal[True]]
    """More than all other exchanges together and more than 100 days of the exchange's own turnover: not part of the sum."""


class SuspectMarket(TypedDict):
    exchange: str
    """Exchange id."""
    market: str
    """The exchange's own symbol."""


class OpenInterestOfSymbol(TypedDict):
    symbol: str
    """Base asset."""
    total_oi_usd: float
    """Sum over the exchanges that are not excluded, one side counted, USD."""
    exchange_count: int
    """How many exchanges the sum is of."""
    exchanges: dict[str, OpenInterestOfSymbolExchange]
    """Map from exchange id to its open interest."""
    stale_exchanges: list[str]
    """Exchanges left out: what they said is too old, or they are frozen."""
    suspect: list[SuspectMarket]
    """Markets whose newest number is held back, since it moved by more than 30 % and nothing confirms it yet: the last good one stands for them, with its age, or none."""
    explanation: NotRequired[Explanation]
    """What the main number is made of; with `explain=1`."""


class OpenInterestOfSymbols(TypedDict):
    count: int
    """Symbols that were found."""
    symbols: dict[str, OpenInterestOfSymbol]
    """Map from symbol to its answer, as `symbol` gives it."""
    missing: list[MissingSymbol]
    """Symbols without an answer, and why."""


class OpenInterestOhlcPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms."""
    open: float
    """At the end of the interval before, one side, US dollars."""
    high: float
    """Highest of the samples and `open`, US dollars."""
    low: float
    """Lowest of them, US dollars."""
    close: float
    """At the end of the interval, US dollars; the newest while it runs."""
    samples: int
    """Samples of the interval: each five minutes, above `1h` each hour."""
    exchange_count: int
    """Exchanges in the sums."""
    closed: bool
    """False while the interval still runs."""


class OpenInterestOhlc(TypedDict):
    symbol: str
    """Base asset."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    note: NotRequired[str]
    """Why there are no points."""
    coverage_by_exchange: dict[str, RecordCoverage]
    """Map from exchange."""
    points: list[OpenInterestOhlcPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class OpenInterestSummary(TypedDict):
    total_oi_usd: float
    """Sum over the exchanges that are not excluded, one side counted, USD."""
    exchange_count: int
    """How many exchanges the sum is of."""


class OpenInterestV2Item(TypedDict):
    market: str
    """The exchange's own symbol."""
    symbol: str
    """Base asset."""
    quote: str
    """Quote asset."""
    open_interest_base: float | None
    """Base assets, one side; null where only the value is known."""
    open_interest_value: float
    """In `quote`, one side."""
    mark_price: float | None
    """The price of the conversion, in `quote`; null where both were stated."""
    venue_time: int | None
    """The time that the exchange states, Unix ms."""
    updated_at: int
    """When it was received, Unix ms."""


class OpenInterestV2(TypedDict):
    exchange: str
    """Exchange id."""
    stale_count: int
    """Markets that are left out: what was stated of them is too old."""
    count: int
    """Number of rows in the answer."""
    items: list[OpenInterestV2Item]
    """One row a market."""


class OpenapiJson(TypedDict):
    openapi: str
    """Version of OpenAPI."""
    info: dict[str, Any]
    """Title, version and contact."""
    paths: dict[str, Any]
    """Map from path to its operations."""


class OptionsExchangeOiItemSettlement(TypedDict):
    settlement_currency: str
    """The base asset, or USDC."""
    instrument_count: int
    """Options that are listed."""
    open_interest_base: float
    """Base units, one side."""
    open_interest_usd: float
    """At the forward of each option, US dollars."""


class OptionsExchangeOiItem(TypedDict):
    exchange: str
    """Exchange id."""
    symbol: str
    """Base asset."""
    open_interest_base: float
    """Base units, one side."""
    open_interest_usd: float
    """At the forward of each option."""
    call_oi_base: float
    """Base units, one side."""
    put_oi_base: float
    """Base units, one side."""
    put_call_oi_ratio: float | None
    """Null without calls."""
    volume_24h_base: float | None
    """Base units; null where it is not stated."""
    volume_24h_usd: float | None
    """Base units x forward."""
    instrument_count: int
    """Options that are listed."""
    share: float
    """Part of the total, a fraction."""
    settlements: list[OptionsExchangeOiItemSettlement]
    """The same by what the options settle in."""


class OptionsExchangeOiHistoryItem(TypedDict):
    timestamp: int
    """Start of the UTC day, Unix ms."""
    total_open_interest_usd: float
    """At the end of the day; of the day that still runs, now."""
    exchanges: dict[str, float]
    """Map from exchange to US dollars."""
    closed: bool
    """False while the day still runs."""


class OptionsExchangeOi(TypedDict):
    exchanges: list[str]
    """Exchanges with these options; all of them also where `exchange` chooses one."""
    failed_exchanges: list[str]
    """Exchanges of which a list of options is missing or older than three minutes."""
    updated_at: int
    """When the newest list was received, Unix ms."""
    stale: NotRequired[Literal[True]]
    """No exchange answers at present: these are the last lists. Absent otherwise."""
    total_open_interest_usd: float
    """Of all items, US dollars."""
    items: list[OptionsExchangeOiItem]
    """Largest open interest first."""
    history: list[OptionsExchangeOiHistoryItem]
    """Of the last 30 days and of this one, by day: days of which nothing is recorded are left out."""


class OptionsGammaExposureExpiry(TypedDict):
    expiry: int
    """Unix ms."""
    date: str
    """Its day, UTC."""
    days_to_expiry: float
    """Days, with their fraction."""
    calls_usd: float
    """US dollars per 1 % of the price."""
    puts_usd: float
    """The same of puts, 0 or less."""
    net_usd: float
    """Calls and puts together."""


class OptionsGammaExposureStrike(TypedDict):
    strike: float
    """US dollars."""
    calls_usd: float
    """US dollars per 1 % of the price."""
    puts_usd: float
    """The same of puts, 0 or less."""
    net_usd: float
    """Calls and puts together."""


class OptionsGammaExposure(TypedDict):
    symbol: str
    """Base asset."""
    underlying_price: float
    """Forward price of the nearest expiry, US dollars."""
    exchanges: list[str]
    """Exchanges with these options; all of them also where `exchange` chooses one."""
    failed_exchanges: list[str]
    """Exchanges of which a list of options is missing or older than three minutes."""
    updated_at: int
    """When the newest list was received, Unix ms."""
    stale: NotRequired[Literal[True]]
    """No exchange answers at present: these are the last lists. Absent otherwise."""
    convention: Literal["dealers_long_calls_short_puts"]
    """What is assumed of the positions of dealers."""
    calls_usd: float
    """US dollars per 1 % of the price."""
    puts_usd: float
    """The same of puts, 0 or less."""
    net_usd: float
    """Calls and puts together."""
    flip_price: float | None
    """Nearest price at which the net exposure changes its sign, US dollars; null without one within 30 %."""
    expiries: list[OptionsGammaExposureExpiry]
    """Soonest first."""
    strikes: list[OptionsGammaExposureStrike]
    """Lowest first."""


class OptionsGreeksItem(TypedDict):
    exchange: str
    """Exchange id."""
    instrument: str
    """The exchange's own id."""
    expiry: int
    """Unix ms."""
    strike: float
    """US dollars."""
    type: Literal["call", "put"]
    """Right to buy, or to sell."""
    settlement_currency: str
    """The base asset, or USDC."""
    mark_price_usd: float | None
    """Of an option on one base unit, US dollars."""
    implied_volatility: float | None
    """Fraction a year."""
    delta: float | None
    """Base units."""
    gamma: float | None
    """Change of delta per US dollar of the forward."""
    theta: float | None
    """US dollars a day."""
    vega: float | None
    """US dollars per point (0.01) of volatility."""
    rho: float | None
    """US dollars per 1 % of interest; computed for every exchange."""
    open_interest_base: float
    """Base units, one side."""
    underlying_price: float
    """Forward price of the expiry, US dollars."""
    source: Literal["published", "computed"]
    """By the exchange, or here out of its volatility (Black-76)."""


class OptionsGreeks(TypedDict):
    symbol: str
    """Base asset."""
    underlying_price: float
    """Forward price of the nearest expiry, US dollars."""
    exchanges: list[str]
    """Exchanges with these options; all of them also where `exchange` chooses one."""
    failed_exchanges: list[str]
    """Exchanges of which a list of options is missing or older than three minutes."""
    updated_at: int
    """When the newest list was received, Unix ms."""
    stale: NotRequired[Literal[True]]
    """No exchange answers at present: these are the last lists. Absent otherwise."""
    expiry: int
    """Unix ms."""
    date: str
    """Its day, UTC."""
    days_to_expiry: float
    """Days, with their fraction."""
    count: int
    """Number of rows in the answer."""
    items: list[OptionsGreeksItem]
    """By strike."""


class OptionsHistoryPoint(TypedDict):
    timestamp: int
    """Start of the hour or day, Unix ms: the value is that at its end."""
    value: float
    """Fraction a year: 0.5 is 50 %."""


class OptionsHistory(TypedDict):
    symbol: str
    """Base asset."""
    count: int
    """Number of rows in the answer."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    note: NotRequired[str]
    """Why there are no points."""
    metric: Literal["atm_iv", "skew_25d"]
    """As asked."""
    tenor: Literal["7d", "30d", "90d", "180d"]
    """As asked."""
    points: list[OptionsHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class OptionsInfoExpiry(TypedDict):
    expiry: int
    """Unix ms."""
    date: str
    """Its day, UTC."""
    days_to_expiry: float
    """Days, with their fraction."""
    instrument_count: int
    """Options that are listed."""
    open_interest_base: float
    """Base units, one side."""
    open_interest_usd: float
    """At the forward of each option."""
    call_oi_base: float
    """Base units, one side."""
    put_oi_base: float
    """Base units, one side."""
    put_call_ratio: float | None
    """Open interest of puts over that of calls; null without calls."""
    volume_24h_usd: float | None
    """Traded in 24 hours, base units x forward."""
    forward_price: float
    """Median over the options, US dollars."""
    atm_iv: float | None
    """Implied volatility of the strike nearest to the forward, mean of call and put, fraction a year."""
    strikes: list[float]
    """US dollars, ascending."""


class OptionsInfoOption(TypedDict):
    exchange: str
    """Exchange id."""
    instrument: str
    """The exchange's own id."""
    expiry: int
    """Unix ms."""
    strike: float
    """US dollars."""
    type: Literal["call", "put"]
    """Right to buy, or to sell."""
    settlement_currency: str
    """The base asset, or USDC."""
    symbol: str
    """Base asset."""
    open_interest_base: float
    """Base units, one side."""
    open_interest_usd: float
    """Base units x forward."""
    volume_24h_base: float | None
    """Base units; null where it is not stated."""
    volume_24h_usd: float | None
    """Base units x forward."""
    premium_24h_usd: float | None
    """The premium paid for it; null where it is not stated."""
    mark_price_usd: float | None
    """Of an option on one base unit, US dollars."""
    bid_price_usd: float | None
    """Best bid, US dollars; null without one."""
    ask_price_usd: float | None
    """Best ask, US dollars; null without one."""
    mark_price_base: float | None
    """The same in base units."""
    bid_price_base: float | None
    """The best bid in base units."""
    ask_price_base: float | None
    """The best ask in base units."""
    implied_volatility: float | None
    """Of the mark price, fraction a year."""
    bid_iv: float | None
    """Implied volatility of the best bid, fraction a year."""
    ask_iv: float | None
    """Implied volatility of the best ask, fraction a year."""
    underlying_price: float
    """Forward price of the expiry, US dollars."""


class OptionsInfo(TypedDict):
    symbol: str
    """Base asset."""
    underlying_price: float
    """Forward price of the nearest expiry, US dollars."""
    exchanges: list[str]
    """Exchanges with these options; all of them also where `exchange` chooses one."""
    failed_exchanges: list[str]
    """Exchanges of which a list of options is missing or older than three minutes."""
    updated_at: int
    """When the newest list was received, Unix ms."""
    stale: NotRequired[Literal[True]]
    """No exchange answers at present: these are the last lists. Absent otherwise."""
    expiries: list[OptionsInfoExpiry]
    """Soonest first."""
    total_open_interest_usd: float
    """Of all expiries, US dollars."""
    put_call_ratio: float | None
    """Open interest of puts over that of calls; null without calls."""
    options: NotRequired[list[OptionsInfoOption]]
    """With `expiry`: by strike."""


class OptionsMaxPainExpiry(TypedDict):
    expiry: int
    """Unix ms."""
    date: str
    """Its day, UTC."""
    days_to_expiry: float
    """Days, with their fraction."""
    max_pain_price: float | None
    """A strike, the lowest of several, US dollars; null when nothing is open."""
    pain_at_max_pain_usd: float | None
    """Value of all options at that price for their holders."""
    distance_percent: float | None
    """Max pain over `underlying_price`, less one, percent."""
    call_oi_base: float
    """Base units, one side."""
    put_oi_base: float
    """Base units, one side."""
    put_call_ratio: float | None
    """Null without calls."""
    open_interest_usd: float
    """At the forward of each option, US dollars."""
    exchanges: list[str]
    """Exchange ids."""


class OptionsMaxPain(TypedDict):
    symbol: str
    """Base asset."""
    underlying_price: float
    """Forward price of the nearest expiry, US dollars."""
    exchanges: list[str]
    """Exchanges with these options; all of them also where `exchange` chooses one."""
    failed_exchanges: list[str]
    """Exchanges of which a list of options is missing or older than three minutes."""
    updated_at: int
    """When the newest list was received, Unix ms."""
    stale: NotRequired[Literal[True]]
    """No exchange answers at present: these are the last lists. Absent otherwise."""
    expiries: list[OptionsMaxPainExpiry]
    """Soonest first."""


class OptionsSurfaceExpiryPoint(TypedDict):
    strike: float
    """US dollars."""
    moneyness: float
    """Natural logarithm of strike over forward."""
    iv: float | None
    """Mean of call and put, fraction a year."""
    call_iv: float | None
    """Mean over the exchanges, fraction a year."""
    put_iv: float | None
    """Mean over the exchanges, fraction a year."""


class OptionsSurfaceExpiry(TypedDict):
    expiry: int
    """Unix ms."""
    date: str
    """Its day, UTC."""
    days_to_expiry: float
    """Days, with their fraction."""
    forward_price: float
    """Median over the options, US dollars."""
    atm_iv: float | None
    """Of the strike nearest to the forward, fraction a year."""
    forward_iv: float | None
    """Volatility between the expiry before and this one, fraction a year; null for the first, and where variance falls."""
    call_25d_iv: float | None
    """Of the call with a delta of 0.25, fraction a year; null where no strike reaches it."""
    put_25d_iv: float | None
    """Of the put with a delta of -0.25, fraction a year."""
    skew_25d: float | None
    """`put_25d_iv` less `call_25d_iv`, fraction a year."""
    butterfly_25d: float | None
    """Mean of the two less `atm_iv`, fraction a year."""
    points: list[OptionsSurfaceExpiryPoint]
    """By strike."""


class OptionsSurface(TypedDict):
    symbol: str
    """Base asset."""
    underlying_price: float
    """Forward price of the nearest expiry, US dollars."""
    exchanges: list[str]
    """Exchanges with these options; all of them also where `exchange` chooses one."""
    failed_exchanges: list[str]
    """Exchanges of which a list of options is missing or older than three minutes."""
    updated_at: int
    """When the newest list was received, Unix ms."""
    stale: NotRequired[Literal[True]]
    """No exchange answers at present: these are the last lists. Absent otherwise."""
    expiries: list[OptionsSurfaceExpiry]
    """Soonest first: the term structure."""


class Orderbook(TypedDict):
    exchange: str
    """Exchange id."""
    symbol: str
    """As asked."""
    market: str
    """The exchange's own symbol of the market."""
    bids: list[BookLevel]
    """Price descending."""
    asks: list[BookLevel]
    """Price ascending."""
    timestamp: int
    """Snapshot time, Unix milliseconds; receive time where the exchange states none."""
    source: Literal["live", "request"]
    """A book that is kept up to date by the stream of the exchange, or the answer to a request."""
    unheard_since: NotRequired[int]
    """When the exchange was heard about it last, Unix ms: the time of receipt, or that which the exchange states where it is earlier. Absent where that is at most ten seconds ago."""
    sequence: NotRequired[int]
    """The exchange's number of the last change of a live book, where it has any."""
    crossed: NotRequired[bool]
    """True where the best bid is at or above the best ask, also when asked again; absent otherwise."""
    suspect: NotRequired[bool]
    """True where its middle is more than 30 % away from the market's last price and from those of all other exchanges; absent otherwise."""
    spread_pct: float | None
    """Best ask less best bid, percent of the mid price; null where a side is empty or the book is crossed."""
    mid_price: float | None
    """In the quote of the market; null where `spread_pct` is."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class OrderbookHeatmap(TypedDict):
    symbol: str
    """Base asset."""
    exchange: str
    """Exchange id."""
    bucket_size: float
    """Height of a row of prices, in quote."""
    timestamps: list[int]
    """Ascending."""
    prices: list[float]
    """The middle of each row, ascending: 100 rows within 5 % of the newest mid price."""
    bids: list[list[float]]
    """`[index of the time, index of the price, US dollars]`."""
    asks: list[list[float]]
    """The same. Cells below 0.1 % of the largest are left out."""
    max_value_usd: float
    """The largest cell."""
    mid_prices: list[float | None]
    """At each of `timestamps`."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    note: NotRequired[str]
    """Why there are no points."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class OrderbookV2(TypedDict):
    exchange: str
    """Exchange id."""
    symbol: str
    """As asked."""
    bids: list[BookLevel]
    """Price descending."""
    asks: list[BookLevel]
    """Price ascending."""
    timestamp: int
    """Snapshot time, Unix milliseconds; receive time where the exchange states none."""
    source: Literal["live", "request"]
    """A book that is kept up to date by the stream of the exchange, or the answer to a request."""
    unheard_since: NotRequired[int]
    """When the exchange was heard about it last, Unix ms: the time of receipt, or that which the exchange states where it is earlier. Absent where that is at most ten seconds ago."""
    sequence: NotRequired[int]
    """The exchange's number of the last change of a live book, where it has any."""
    crossed: NotRequired[bool]
    """True where the best bid is at or above the best ask, also when asked again; absent otherwise."""
    suspect: NotRequired[bool]
    """True where its middle is more than 30 % away from the market's last price and from those of all other exchanges; absent otherwise."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class OverviewItem(TypedDict):
    symbol: str
    """Base asset."""
    price: float
    """US dollars: of its spot markets, or of its perpetuals where it has none."""
    price_change_1h_percent: float | None
    """Change of the mean price of all exchanges in one hour, percent; null where it is not recorded."""
    price_change_24h_percent: float | None
    """Change of the price of the asset in 24 hours, percent: mean over its markets, spot and perpetual, by their turnover."""
    price_change_24h_basis: Literal["asset", "exchange", "recorded"] | None
    """asset: the markets of all exchanges. exchange: those of the exchange asked for. recorded: the recorded mean price, where no market states a change. Null where the change is."""
    high_24h: float | None
    """Highest spot price of 24 hours, USD."""
    low_24h: float | None
    """Lowest spot price of 24 hours, USD."""
    spot_volume_24h_usd: float | None
    """Null without a spot market."""
    futures_volume_24h_usd: float | None
    """Null without a perpetual."""
    open_interest_usd: float | None
    """One side, USD."""
    open_interest_change_1h_percent: float | None
    """Percent, over the exchanges that are recorded at both times; null where they have less than half of it."""
    open_interest_change_24h_percent: float | None
    """Percent, over the exchanges that are recorded at both times; null where they have less than half of it."""
    funding_rate_8h: float | None
    """Fraction: mean over its perpetuals by their turnover."""
    funding_annualized: float | None
    """The same per 365 days, a fraction."""
    long_short_ratio: float | None
    """Accounts that are long over those that are short, on Binance, of the newest five minutes; null for assets that are not recorded."""
    long_short_ratio_basis: Literal["binance"]
    """Of that exchange alone; /v1/long-short-ratio is the mean of several."""
    liquidation_usd_24h: float | None
    """US dollars, of 24 hours as far as they are recorded (`coverage` of /v1/liquidations/coin-list); null where no feed states any."""
    long_liquidation_usd_24h: float | None
    """US dollars, of 24 hours as far as they are recorded (`coverage` of /v1/liquidations/coin-list); null where no feed states any."""
    short_liquidation_usd_24h: float | None
    """US dollars, of 24 hours as far as they are recorded (`coverage` of /v1/liquidations/coin-list); null where no feed states any."""
    spot_exchange_count: int
    """Exchanges with a spot market of it."""
    futures_exchange_count: int
    """Exchanges with a perpetual of it."""
    updated_at: int
    """When the newest of its numbers was received, Unix ms."""


class Overview(TypedDict):
    total_open_interest_usd: float | None
    """Of all assets, one side, USD."""
    total_spot_volume_24h_usd: float
    """Of all assets, USD."""
    total_futures_volume_24h_usd: float
    """Of all assets, USD."""
    count: int
    """Number of rows in the answer."""
    items: list[OverviewItem]
    """The rows of the table."""


class RequestCondition(TypedDict):
    type: Literal["above", "below", "crosses", "change", "outside", "stale", "event"]
    """Kind of condition."""
    value: NotRequired[float]
    """Level of `above`, `below` and `crosses`, in the unit of the watched value."""
    direction: NotRequired[Literal["up", "down", "any"]]
    """Which way counts."""
    percent: NotRequired[float]
    """Of `change`: by how many percent the value must have changed."""
    within: NotRequired[int]
    """Of `change`: in how many seconds."""
    low: NotRequired[float]
    """Of `outside`: lowest value of the band, in the unit of the watched value."""
    high: NotRequired[float]
    """Of `outside`: highest value of the band, in the unit of the watched value."""
    after: NotRequired[int]
    """Of `stale`: seconds without news."""
    above: NotRequired[float]
    """Of `event`: the value of the event must be greater, in the unit of the watched value."""
    below: NotRequired[float]
    """Of `event`: the value of the event must be smaller, in the unit of the watched value."""


class RequestDeliverItem(TypedDict):
    type: Literal["webhook", "telegram", "discord", "slack"]
    """Kind of receiver."""
    url: NotRequired[str]
    """Of `webhook`, `discord` and `slack`: where it takes messages."""
    token: NotRequired[str]
    """Of `telegram`: the token of a bot."""
    chat_id: NotRequired[str]
    """Of `telegram`: the number of a chat, or @ and the name of a channel."""


PatchAlertsByIdRequest = TypedDict(
    "PatchAlertsByIdRequest",
    {
        "name": "NotRequired[str]",
        "path": "NotRequired[str]",
        "pointer": "NotRequired[str]",
        "condition": "NotRequired[RequestCondition]",
        "for": "NotRequired[int]",
        "hysteresis": "NotRequired[float]",
        "cooldown": "NotRequired[int]",
        "expires_at": "NotRequired[int | None]",
        "deliver": "NotRequired[list[RequestDeliverItem]]",
        "resolved": "NotRequired[bool]",
        "paused": "NotRequired[bool]",
    },
)


class PostAlertsDeadLettersByIdResend(TypedDict):
    id: str
    """Of the dead letter, which leaves the list."""
    status: Literal["queued"]
    """It is being delivered."""


PostAlertsRequest = TypedDict(
    "PostAlertsRequest",
    {
        "name": "str",
        "path": "str",
        "condition": "RequestCondition",
        "pointer": "NotRequired[str]",
        "for": "NotRequired[int]",
        "hysteresis": "NotRequired[float]",
        "cooldown": "NotRequired[int]",
        "expires_at": "NotRequired[int | None]",
        "deliver": "NotRequired[list[RequestDeliverItem]]",
        "resolved": "NotRequired[bool]",
        "paused": "NotRequired[bool]",
    },
)


class PostAlertsSecret(TypedDict):
    secret: str
    """`whsec_` and 32 bytes in base64, in this answer and never again."""
    former_until: int
    """Until when webhooks are signed with the former secret as well, Unix ms."""


class PostAuthKeys(TypedDict):
    id: str
    """Id of the key, a UUID."""
    name: str
    """1 to 64 characters once trimmed, without control characters."""
    prefix: str
    """The first 12 characters of the key."""
    kind: Literal["live", "link"]
    """`link`: it reads its `paths` and nothing else, and may stand in the URL (`link=`)."""
    paths: list[str] | None
    """Paths that a key of the kind `link` reads: `/v1/bars` with any query, `/v1/bars?symbol=BTC` with exactly this one; null for other keys."""
    key: str | None
    """The full key; null in the answer (200) to a request that repeats an Idempotency-Key."""
    created_at: int
    """Unix milliseconds."""


class PostAuthKeysByIdRotateReplaces(TypedDict):
    id: str
    """Id of the key, a UUID."""
    ends_at: int
    """Unix milliseconds."""


class PostAuthKeysByIdRotate(TypedDict):
    id: str
    """Id of the key, a UUID."""
    name: str
    """1 to 64 characters once trimmed, without control characters."""
    prefix: str
    """The first 12 characters of the key."""
    kind: Literal["live", "link"]
    """`link`: it reads its `paths` and nothing else, and may stand in the URL (`link=`)."""
    paths: list[str] | None
    """Paths that a key of the kind `link` reads: `/v1/bars` with any query, `/v1/bars?symbol=BTC` with exactly this one; null for other keys."""
    key: str | None
    """The full key; null in the answer (200) to a request that repeats an Idempotency-Key."""
    created_at: int
    """Unix milliseconds."""
    replaces: PostAuthKeysByIdRotateReplaces
    """The other key, and when it ends."""


class PostAuthKeysByIdRotateRequest(TypedDict):
    overlap_hours: NotRequired[int]
    """How long the other key still works, hours; 24 when absent."""


class PostAuthKeysRequest(TypedDict):
    name: str
    """1 to 64 characters once trimmed, without control characters."""
    kind: NotRequired[Literal["live", "link"]]
    """`link`: it reads its `paths` and nothing else, and may stand in the URL (`link=`)."""
    paths: NotRequired[list[str]]
    """Paths that a key of the kind `link` reads: `/v1/bars` with any query, `/v1/bars?symbol=BTC` with exactly this one; 1 to 20."""


class PostAuthSession(TypedDict):
    account: str | None
    """Whose session it is; null without one."""
    expires_at: int
    """Unix milliseconds."""


class PostAuthSessionRequest(TypedDict):
    code: str
    """Behind `#code=` in the link; it works once, within an hour."""


class PostAuthTicket(TypedDict):
    ticket: str
    """For `ticket` in the query of the stream, or in its first message."""
    expires_at: int
    """Unix milliseconds."""


class PostBatch(TypedDict):
    snapshot_id: str
    """Equal for equal answers."""
    at: int
    """The moment, Unix ms."""
    count: int
    """Number of rows in the answer."""
    answers: list[BatchAnswer]
    """In the order of the paths."""


class PostBatchRequest(TypedDict):
    paths: list[str]
    """Paths of GET requests with their queries."""


class RecordedSeriesRequest(TypedDict):
    name: NotRequired[Any]
    """One of `open-interest`, `funding`, `price`, `taker-flow`, `account-ratio`, `options-open-interest`, `liquidations`, `order-book`."""
    symbol: NotRequired[Any]
    """Base asset, or a pair of it."""
    exchange: NotRequired[Any]
    """Exchange id, `binance` when absent; `price` has none. `aggregated` is all of `order-book` together."""
    margin: NotRequired[Any]
    """Of `open-interest` and `funding`: `stable`, `coin`, the first when absent."""
    kind: NotRequired[Any]
    """Of `price`, `taker-flow` and `order-book`: `perpetual`, `spot`, the first when absent."""
    column: NotRequired[Any]
    """The first when absent, of `open-interest`: `usd`, `base`; `funding`: `rate`; `price`: `price`, `turnover`; `taker-flow`: `buy_usd`, `sell_usd`; `account-ratio`: `long`, `short`; `options-open-interest`: `usd`, `base`, `calls`, `puts`; `liquidations`: `long_usd`, `short_usd`, `count`, `largest_usd`; `order-book`: `mid`, `bids_usd_25`, `asks_usd_25`, `bids_usd_50`, `asks_usd_50`, `bids_usd_100`, `asks_usd_100`, `bids_usd_200`, `asks_usd_200`, `bids_usd_500`, `asks_usd_500`."""
    full: NotRequired[Any]
    """True for every value of the shown rows; only the last ones when absent."""


class PostIndicatorsComputeRequest(TypedDict):
    symbol: NotRequired[str]
    """The exchange's own symbol, a pair in a usual spelling (`BTC/USDT`) or a base asset; either this or candles."""
    markets: NotRequired[list[str | dict[str, Any]]]
    """Several markets instead of a symbol, each by its symbol or as an object with symbol, exchange, kind and interval in the place of those of the body; 20 indicators at most. It counts as so many requests."""
    exchange: NotRequired[Literal["binance", "okx", "bybit", "bitget", "gate", "hyperliquid", "dydx", "aster", "backpack", "whitebit", "lighter", "deribit", "bitfinex", "cryptocom", "kraken", "coinbase", "bingx", "phemex", "woo", "bitstamp", "htx", "kucoin", "mexc"]]
    """Exchange id."""
    kind: NotRequired[Literal["spot", "perpetual"]]
    """Which market is meant where an exchange uses one symbol for both."""
    interval: NotRequired[Literal["1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "8h", "12h", "1d", "3d", "1w", "1M"]]
    """Candle length, 4h when absent; with candles of your own it is only repeated."""
    limit: NotRequired[int]
    """Newest closed candles that are shown, 500 when absent, all of your own. More are fetched before them, so that the start of averages does not show."""
    indicators: list[str | IndicatorRequest]
    """What to compute."""
    series: NotRequired[bool | RecordedSeriesRequest]
    """Which values are wanted, or the recorded series to compute them from."""
    candles: NotRequired[list[dict[str, Any] | list[Any]]]
    """Your own closed candles instead of a symbol, oldest first: objects as /v1/bars gives them, or [timestamp, open, high, low, close, volume]."""


class PriceOfSymbolExchange(TypedDict):
    price: float
    """Last trade of the most traded dollar market, USD."""
    volume_24h: float
    """Rolling 24 h turnover of all dollar markets of the exchange, spot and perpetual, not of `market` alone, USD."""
    markets: int
    """How many markets `volume_24h` is the sum of: those that state a turnover."""
    updated_at: int
    """When the reading was received, Unix milliseconds."""
    venue_time: int | None
    """The time that the exchange states, Unix milliseconds."""
    unheard_since: NotRequired[int]
    """When the exchange was heard about it last, Unix ms: the time of receipt, or that which the exchange states where it is earlier. Absent where that is at most ten seconds ago."""
    market: str
    """Native instrument that the price is of: its most traded dollar market."""
    kind: Literal["spot", "perpetual"]
    """Which of the two `market` is."""
    quote: str
    """Quote asset."""
    excluded: NotRequired[Literal[True]]
    """More than 10 % from the median: not part of the mean."""


class PriceOfSymbol(TypedDict):
    symbol: str
    """Base asset."""
    average_price: float
    """Plain mean over the exchanges that are not excluded, USD."""
    median_price: float
    """Median over all exchanges listed, USD."""
    disputed: NotRequired[Literal[True]]
    """Two exchanges differ by more than 10 %, or no majority of them agrees: the mean is of little worth."""
    exchange_count: int
    """How many prices the mean is of."""
    exchanges: dict[str, PriceOfSymbolExchange]
    """Map from exchange id to its price."""
    stale_exchanges: list[str]
    """Exchanges left out: what they said is too old, or they are frozen."""
    suspect: list[SuspectMarket]
    """Markets whose newest number is held back, since it moved by more than 30 % and nothing confirms it yet: the last good one stands for them, with its age, or none."""
    explanation: NotRequired[Explanation]
    """What the main number is made of; with `explain=1`."""


class PriceSummary(TypedDict):
    average_price: float
    """Plain mean over the exchanges that are not excluded, USD."""
    disputed: NotRequired[Literal[True]]
    """Two exchanges differ by more than 10 %, or no majority of them agrees: the mean is of little worth."""
    exchange_count: int
    """How many prices the mean is of."""
    updated_at: int
    """When the newest of them was received, Unix milliseconds."""
    unheard_since: NotRequired[int]
    """When the exchange was heard about it last, Unix ms: the time of receipt, or that which the exchange states where it is earlier. Absent where that is at most ten seconds ago."""


class PricesAtItem(TypedDict):
    kind: Literal["spot", "perpetual"]
    """Of the markets."""
    sampled_at: int
    """When it was sampled, Unix ms."""
    backfilled: bool
    """Whether an exchange stated it afterwards; false where it was recorded at that time."""
    average_price: float | None
    """Plain mean over the exchanges that were not excluded, US dollars."""
    volume_24h_usd: float | None
    """Turnover of 24 hours; null where it was made of candles afterwards."""


class PricesAt(TypedDict):
    symbol: str
    """Base asset."""
    at: int
    """As asked, Unix ms."""
    step_ms: int
    """Time between two samples, ms."""
    count: int
    """Number of rows in the answer."""
    items: list[PricesAtItem]
    """What was recorded."""


class PricesOfSymbols(TypedDict):
    count: int
    """Symbols that were found."""
    symbols: dict[str, PriceOfSymbol]
    """Map from symbol to its answer, as `symbol` gives it."""
    missing: list[MissingSymbol]
    """Symbols without an answer, and why."""


class Readyz(TypedDict):
    ready: Literal[True]
    """Every view has data."""


class ReferenceVenue(TypedDict):
    exchange: str
    """Exchange id."""
    market: str
    """The exchange's own symbol: its most traded dollar spot market."""
    price: float
    """Last trade, US dollars."""
    weight: float
    """Fraction; those of all used markets add up to 1, all others have 0."""
    age_ms: int
    """Time since the price was received when the rate was computed, ms."""
    deviation_percent: float | None
    """From the median of the eligible markets; null without one."""
    status: Literal["used", "stale", "outlier", "suspended", "no_volume", "crossed"]
    """Why it counts or not: older than 10 s, over 5 % off the median (back below 2.5 %), held back as suspect or frozen, without a known volume of 60 minutes, best bid at or above best ask."""
    volume_60m_base: float | None
    """Base units traded in 60 minutes; null where not known."""
    variance_60m: float | None
    """Variance of the 60 one-minute logarithmic returns, a squared fraction; null where not known."""


class ReferenceRate(TypedDict):
    symbol: str
    """Base asset."""
    rate: float | None
    """US dollars; null where fewer than three markets can be used."""
    reason: str | None
    """Why there is no rate; null where there is one."""
    method: Literal["weighted-median"]
    """The smallest price at which half of the weight is reached."""
    methodology: str
    """Version of the rules; a change of any of them changes it."""
    as_of: int
    """When it was computed, Unix ms."""
    used: int
    """Markets that it is made of."""
    inputs_hash: str
    """SHA-256, hexadecimal, of the lines `exchange market price weight age_ms status` of all venues in their order, with numbers as in this answer and a line feed behind each."""
    venues: list[ReferenceVenue]
    """By exchange."""
    explanation: NotRequired[Explanation]
    """What the main number is made of; with `explain=1`."""


class ReferenceRateAtItem(TypedDict):
    sampled_at: int
    """When it was sampled, Unix ms."""
    backfilled: bool
    """Whether an exchange stated it afterwards; false where it was recorded at that time."""
    rate: float | None
    """US dollars; null where fewer than three markets could be used."""
    used: int | None
    """Markets that it was made of."""


class ReferenceRateAt(TypedDict):
    symbol: str
    """Base asset."""
    at: int
    """As asked, Unix ms."""
    step_ms: int
    """Time between two samples, ms."""
    count: int
    """Number of rows in the answer."""
    items: list[ReferenceRateAtItem]
    """What was recorded."""


class ReferenceRateFixingsItem(TypedDict):
    timestamp: int
    """Start of the hour, Unix ms; the fixing is that of its end."""
    rate: float
    """Mean of the partitions that had trades, US dollars."""
    partitions: list[float | None]
    """Volume-weighted median of each five minutes, US dollars; null without a known trade."""
    trades: int
    """Rows of trades, as the exchanges send them."""
    volume_base: float
    """Base units that were traded in the known minutes."""
    exchanges: list[str]
    """Exchanges with at least one known minute."""
    known: list[FixingExchange]
    """How much of the hour is known of each exchange."""


class ReferenceRateFixings(TypedDict):
    symbol: str
    """Base asset."""
    count: int
    """Number of rows in the answer."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    note: NotRequired[str]
    """Why there are no points."""
    items: list[ReferenceRateFixingsItem]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class Rows(TypedDict):
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    kind: Literal["spot", "perpetual"]
    """Of the markets."""
    count: int
    """Number of rows in the answer."""
    rows: list[list[float | str | None]]
    """By time, and within a time by symbol and exchange as asked. A row without any value is left out."""
    columns: list[str]
    """What the cells of a row are: `timestamp` (start of the interval, Unix ms), `exchange`, `symbol`, then the columns asked for."""
    next: str | None
    """`cursor` of the next page; null on the last one, and without `from`."""
    missing: list[MissingRows]
    """What was asked for and is not there."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class RowsColumn(TypedDict):
    name: str
    """As `columns` of `/v1/rows` takes it."""
    unit: str
    """Of its values."""
    description: str
    """What it is."""
    origin: Literal["recorded", "exchange"]
    """Read of what this service has recorded, or asked of the exchange."""
    spot_exchanges: list[str]
    """Exchanges that have it of spot markets."""
    perpetual_exchanges: list[str]
    """Exchanges that have it of perpetuals."""


class RowsColumns(TypedDict):
    count: int
    """Number of rows in the answer."""
    columns: list[RowsColumn]
    """As in the documentation."""


class ScorecardItem(TypedDict):
    exchange: str
    """Exchange id."""
    topic: str
    """Topic as `/v1/status` names it: `prices` is polled, `priceChanges` streamed."""
    up_24h: float
    """Share of the recorded time that it was up, over its parts."""
    up_7d: float | None
    """The same over 7 days; null until half of their hours, 84, are recorded."""
    age_ms_p50: float | None
    """Milliseconds: median over the minutes of 24 hours of the mean age of its newest data; null while it has none, and of liquidations, books and trades, which may be quiet."""
    age_ms_p99: float | None
    """Milliseconds: 99th percentile over the minutes of 24 hours of their greatest age; null while it has none, and of liquidations, books and trades, which may be quiet."""
    event_latency_ms_p50: float | None
    """Milliseconds from the time that the exchange states to our receipt: median over the minutes of 24 hours of their median; null for what is polled, and where the exchange states no time. Its clock is not corrected."""
    event_latency_ms_p95: float | None
    """Milliseconds from the time that the exchange states to our receipt: 95th percentile over the minutes of 24 hours of their 95th percentile; null for what is polled, and where the exchange states no time. Its clock is not corrected."""
    event_latency_ms_p99: float | None
    """Milliseconds from the time that the exchange states to our receipt: 99th percentile over the minutes of 24 hours of their 99th percentile; null for what is polled, and where the exchange states no time. Its clock is not corrected."""
    delivery_ms_p50: float | None
    """Milliseconds from the receipt to the writing to all followers by WebSocket or SSE: median over the minutes of 24 hours of their median; null where nothing was followed."""
    delivery_ms_p95: float | None
    """Milliseconds from the receipt to the writing to all followers by WebSocket or SSE: 95th percentile over the minutes of 24 hours of their 95th percentile; null where nothing was followed."""
    delivery_ms_p99: float | None
    """Milliseconds from the receipt to the writing to all followers by WebSocket or SSE: 99th percentile over the minutes of 24 hours of their 99th percentile; null where nothing was followed."""
    suspect_24h: int
    """Markets whose number was held back until it was confirmed."""
    differs_24h: int
    """Markets on which a poll and the stream differed by more than a percent, of each poll."""
    refused_24h: int
    """Requests that the exchange refused: too many, banned, blocked."""
    reconnects_24h: int
    """Times that a stream was lost; 0 for what is polled."""
    minutes_24h: int
    """Minutes of 24 hours that are recorded, 1,440 at most."""
    hours_7d: int
    """Hours of 7 days that are recorded, 168 at most."""


class Scorecard(TypedDict):
    count: int
    """Number of rows in the answer."""
    recorded_from: int | None
    """When the recording began, Unix ms; null where it has not."""
    items: list[ScorecardItem]
    """By exchange and topic."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class ScreenerItem(TypedDict):
    symbol: str
    """Base asset."""
    exchange: str
    """Exchange id."""
    market: str
    """The exchange's own symbol: the most traded dollar market of the asset."""
    kind: Literal["spot", "perpetual"]
    """Of the market."""
    price: float
    """Close of the last closed candle, in quote, a dollar or a dollar stablecoin."""
    as_of: int
    """Close time of that candle, of which all values are, Unix ms."""
    values: dict[str, float | None]
    """Map from name of a value to the value."""


class Screener(TypedDict):
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    items: list[ScreenerItem]
    """In the order of `sort`; else the most traded asset first."""
    missing: list[str]
    """Tracked assets without values: not computed yet, or their exchange could not be asked."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class SentimentFearGreed(TypedDict):
    value: float
    """0 to 100."""
    classification: Literal["extreme_fear", "fear", "neutral", "greed", "extreme_greed"]
    """What the value means."""
    classification_label: str
    """The same in words."""
    previous_close: float | None
    """0 to 100."""
    week_ago: float | None
    """0 to 100."""
    month_ago: float | None
    """0 to 100."""
    next_update_in_s: int | None
    """Seconds to the next value, counted down each minute; null where the source does not say."""
    computed_from: NotRequired[FearGreedParts]
    """The parts of our own index."""
    updated_at: int
    """Time of its newest input, Unix ms."""
    source: str | list[str]
    """The source of the inputs; `computed` for an index of our own."""
    stale: bool
    """The newest input is older than three times its cadence."""


class SentimentCoinbasePremium(TypedDict):
    premium_percent: float
    """BTC-USD of Coinbase over the mean of the USDT markets, percent."""
    coinbase_price: float
    """Last trade of BTC-USD, USD."""
    mean_price: float
    """Mean of the last trades of BTC against USDT on spot markets, USD."""
    market_count: int
    """USDT markets that the mean is of."""
    usdt_usd: float
    """USD per USDT that they are converted with."""
    updated_at: int
    """When the price of Coinbase was received, Unix ms."""


class Sentiment(TypedDict):
    fear_greed: SentimentFearGreed | None
    """Null while the index is not known."""
    coinbase_premium: SentimentCoinbasePremium | None
    """Null while one of its prices is missing or too old."""


class SpotCoinbasePremiumHistoryPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms."""
    premium_percent: float | None
    """Price of Coinbase over the mean of the USDT markets, less one, percent."""
    coinbase_price: float
    """Last price of the interval on Coinbase, US dollars."""
    mean_price: float | None
    """Mean of the last prices against USDT, US dollars; null where none is known."""
    market_count: int
    """USDT markets that the mean is of."""
    usdt_usd: float | None
    """US dollars per USDT: the median of its dollar markets; null where unknown."""
    closed: bool
    """False while the interval still ran when Coinbase was asked."""


class SpotCoinbasePremiumHistory(TypedDict):
    symbol: str
    """Base asset."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    failed_exchanges: list[str]
    """Exchanges that could not be asked."""
    points: list[SpotCoinbasePremiumHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class SpotCoinsMarketsItem(TypedDict):
    symbol: str
    """Base asset."""
    price: float
    """US dollars: mean over the markets by their turnover, without those more than 5 % from the median."""
    price_change_1h_percent: float | None
    """Change of the mean price of all exchanges in one hour, percent; null where it is not recorded."""
    price_change_24h_percent: float | None
    """Change of the price of the asset in 24 hours, percent: mean over its markets, spot and perpetual, by their turnover."""
    price_change_24h_basis: Literal["asset", "exchange", "recorded"] | None
    """asset: the markets of all exchanges. exchange: those of the exchange asked for. recorded: the recorded mean price, where no market states a change. Null where the change is."""
    volume_24h_usd: float
    """Turnover of 24 hours of the markets that count, USD."""
    volume_share: float
    """Fraction of the turnover of all assets."""
    high_24h: float | None
    """Highest price of 24 hours on any of them, USD."""
    low_24h: float | None
    """Lowest price of 24 hours on any of them, USD."""
    exchange_count: int
    """Exchanges whose markets count."""
    buy_volume_24h_usd: float | None
    """Bought by takers on Binance in the last 24 whole hours, USD; null where it is not recorded."""
    sell_volume_24h_usd: float | None
    """Sold by takers there; null as above."""
    updated_at: int
    """When the newest of its numbers was received, Unix ms."""
    disputed: NotRequired[Literal[True]]
    """Two exchanges differ by more than 10 % in the price, or no majority of them agrees: the mean is of little worth."""
    outliers: NotRequired[dict[str, list[str]]]
    """Map from a number of this row to the exchanges of which a market is left out of it: a price more than 5 % from the median, an open interest that cannot be true; absent without any."""
    old_since: NotRequired[dict[str, int]]
    """Map from a number of this row that is more than 90 seconds old to the time of its newest part; absent without any."""


class SpotCoinsMarkets(TypedDict):
    count: int
    """Number of rows in the answer."""
    items: list[SpotCoinsMarketsItem]
    """The rows of the table."""


class SpotCvdAggregated(TypedDict):
    symbol: str
    """Base asset."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    note: NotRequired[str]
    """Why there are no points."""
    coverage_by_exchange: dict[str, RecordCoverage]
    """Map from exchange."""
    points: list[CvdAggregatedPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class SpotGainersItem(TypedDict):
    rank: int
    """Among all that moved so, from 1."""
    symbol: str
    """Base asset."""
    exchange: str
    """Exchange id."""
    market: str
    """The asset's most traded market: the exchange's own id."""
    quote: str
    """Quote asset."""
    price: float
    """Last trade, in `quote`."""
    price_change_24h_percent: float
    """Change of the price of the asset in 24 hours, percent: as in the tables of assets."""
    price_change_24h_basis: Literal["asset", "exchange", "recorded"]
    """As in the tables of assets."""
    volume_24h_usd: float
    """Turnover of the market in 24 hours, USD."""
    updated_at: int
    """When the newest of its numbers was received, Unix ms."""


class SpotGainers(TypedDict):
    min_volume: float
    """USD."""
    count: int
    """Number of rows in the answer."""
    items: list[SpotGainersItem]
    """The rows of the table."""


class SpotOrderbookAggregatedDepthItem(TypedDict):
    bids_usd: float
    """Of all bids within it, US dollars."""
    asks_usd: float
    """Of all asks within it, US dollars."""


class SpotOrderbookAggregated(TypedDict):
    symbol: str
    """Base asset."""
    mid_price: float
    """Mean of the mid prices of the exchanges by turnover, US dollars."""
    best_bid: float
    """The highest of all exchanges, US dollars."""
    best_ask: float
    """The lowest of all exchanges, US dollars."""
    crossed: bool
    """The best bid of one exchange is at or above the best ask of another. Nothing is matched."""
    step: float
    """Prices are multiples of it, US dollars."""
    exchanges: list[str]
    """Exchanges in the sums."""
    failed_exchanges: list[str]
    """Exchanges whose order book could not be had, or is far from all prices of the asset."""
    bids: list[AggregatedBookLevel]
    """Price descending."""
    asks: list[AggregatedBookLevel]
    """Price ascending."""
    depth: dict[str, SpotOrderbookAggregatedDepthItem]
    """Map from percent of the mid price to what rests within it, US dollars."""
    depth_limited: list[str]
    """Exchanges whose order book ends nearer than 2 %: their depth beyond is not in the sums."""
    timestamp: int
    """When the newest of the books was taken, Unix ms."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class SpotOrderbookHistoryPoint(TypedDict):
    timestamp: int
    """Start of the interval, Unix ms; values are those of its last minute."""
    bids_usd: float
    """US dollars."""
    asks_usd: float
    """US dollars."""
    bids_base: float
    """Base units."""
    asks_base: float
    """Base units."""
    bid_ask_ratio: float | None
    """bids_usd / asks_usd; null without asks."""
    mid_price: float
    """In quote, a dollar or a dollar stablecoin."""


class SpotOrderbookHistory(TypedDict):
    symbol: str
    """Base asset."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    coverage: RecordCoverage
    """How much of what was asked for is recorded."""
    note: NotRequired[str]
    """Why there are no points."""
    exchange: str
    """Exchange id."""
    range_percent: float
    """Of the mid price, on each side."""
    points: list[SpotOrderbookHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class SpotPairsMarketsItem(TypedDict):
    exchange: str
    """Exchange id."""
    pair: str
    """The exchange's own id."""
    symbol: str
    """Base asset."""
    quote: str
    """Quote asset."""
    price: float
    """Last trade, in `quote`."""
    bid: float | None
    """Best bid, in `quote`, of the same message as `ask`; both are null where the exchange states none or the last price has passed one of them."""
    ask: float | None
    """Best ask, in `quote`; null as `bid`."""
    spread_percent: float | None
    """Ask less bid, percent of the mid price."""
    price_change_24h_percent: float | None
    """Change of the price of this market in 24 hours, percent; null where the exchange states none."""
    volume_24h_base: float | None
    """Base units."""
    volume_24h_usd: float
    """Turnover of 24 hours, USD."""
    high_24h: float | None
    """Highest price of 24 hours, in `quote`."""
    low_24h: float | None
    """Lowest price of 24 hours, in `quote`."""
    quotes_updated_at: int | None
    """When bid and ask were received, Unix ms, which may be before a streamed price; null without them."""
    updated_at: int
    """When the newest of its numbers was received, Unix ms."""


class SpotPairsMarkets(TypedDict):
    price_change_24h_basis: Literal["market"]
    """Of one market each, not of the asset as in the tables of assets."""
    count: int
    """Number of rows in the answer."""
    items: list[SpotPairsMarketsItem]
    """The rows of the table."""


class SpotSupportedCoin(TypedDict):
    symbol: str
    """Base asset."""
    exchange_count: int
    """Exchanges that list it against dollars."""
    exchanges: list[str]
    """Exchanges that list it against dollars."""


class SpotSupportedCoins(TypedDict):
    count: int
    """Number of rows in the answer."""
    coins: list[SpotSupportedCoin]
    """By name."""


class SpotTakerBuysellHistory(TypedDict):
    symbol: str
    """Base asset."""
    exchange: str
    """Exchange id."""
    pair: str
    """The exchange's own id of the market."""
    interval: str
    """Length of an interval, as asked: `5m`, `1h`, `1d`."""
    count: int
    """Number of rows in the answer."""
    points: list[SpotTakerBuysellHistoryPoint]
    """Ascending by time."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
    next: NotRequired[int]
    """`from` of the next page, Unix ms, where the range was begun with `from` and goes on: also where this page has fewer rows than `limit`."""


class SpotVolumeItem(TypedDict):
    rank: int
    """Among all pairs, from 1."""
    exchange: str
    """Exchange id."""
    pair: str
    """The exchange's own id."""
    symbol: str
    """Base asset."""
    volume_24h_usd: float
    """Turnover of 24 hours, USD."""
    price: float
    """Last trade, in the quote of the pair."""
    price_change_24h_percent: float | None
    """Change of the price of this market in 24 hours, percent; null where the exchange states none."""
    share: float
    """Fraction of the total."""


class SpotVolume(TypedDict):
    price_change_24h_basis: Literal["market"]
    """Of one market each, not of the asset as in the tables of assets."""
    total_volume_24h_usd: float
    """Of all pairs, those beyond `limit` among them, USD."""
    count: int
    """Number of rows in the answer."""
    items: list[SpotVolumeItem]
    """The rows of the table."""


class StatusSourceFeedLastError(TypedDict):
    code: str
    """Class of the failure."""
    message: str
    """The fault, in words."""
    at: int
    """Unix milliseconds."""


class StatusSourceFeedSubscriptions(TypedDict):
    acknowledged: int
    """Subscriptions that the source has acknowledged."""
    silent: int
    """Of those, how many have brought nothing yet: normal for quiet markets, suspicious for all."""


class StatusSourceFeedEventLatencyMs(TypedDict):
    p50: float
    """What half of them do not exceed, ms."""
    p95: float
    """What 95 % of them do not exceed, ms."""
    p99: float
    """What 99 % of them do not exceed, ms."""


class StatusSourceFeed(TypedDict):
    topic: str
    """What is received: prices, derivatives, instruments."""
    part: str
    """Request group of the source, such as spot or linear."""
    state: Literal["waiting", "up", "failing", "down", "frozen", "closed", "standby", "silent"]
    """`down`: failing so often that it is only probed; `closed`: the venue states that it trades nothing of this part now, polls go on; `standby`: not asked while a source before it answers; `frozen`: the newest time that the venue states is more than a minute old, or it says the same for ten polls, or it has no turnover at all; it is out of every aggregate; `silent`: its process no longer reports."""
    reason: str | None
    """Why it is closed; null in every other state."""
    last_success: int | None
    """Unix milliseconds, or null."""
    last_attempt: int | None
    """Unix milliseconds, or null."""
    latency_ms: float | None
    """Of the last successful poll."""
    last_error: StatusSourceFeedLastError | None
    """The latest failure, kept after later successes."""
    breaker: Literal["closed", "open", "half_open"]
    """Open: its upstream has failed so often that it is not asked; half open: one request tries."""
    next_poll: int | None
    """Unix milliseconds, or null."""
    rows: int
    """Rows of the last reading; of a stream, those that came since the last report, or live order books."""
    dropped: dict[str, int]
    """Map from Reason to rows of the last poll or publication that were not used, or of which a part was not; of live order books, how many were dropped since the stream began. `bad_row`: a row cannot be read: the last good one stands until it is too old; `unknown_instrument`: no instrument list has the market; `list_cut_off`: markets beyond the last page that is asked for; `duplicate`: a further row of a market in one poll; `request_failed`: a request about a single market failed; `late_row`: a row is older than the values that stand; `suspect`: a number jumped, and is held back until a second message has it too; `crossed_quotes`: the bid is above the ask; `bad_quotes`: bid or ask are far from the price; `bad_range`: the low is above the high, or the price outside of both; `bad_change`: the change is from a price outside of the range of the day, or jumped; `bad_turnover`: the turnover contradicts price and volume, or jumped; `bad_mark`: a mark or an index is no price, or jumped and nothing confirms it; `bad_funding_rate`: a funding rate or a premium is beyond all caps, or jumped; `bad_funding_interval`: hours of funding that do not divide a day; `bad_units`: units, or the price of the conversion, contradict the value of an open interest; `time_ahead`: the stated time is more than a minute ahead of ours; `out_of_time`: an event or a trade is too old, or ahead of our clock; `bad_message`: a message of a stream cannot be read; `message_missed`: a message of a stream has not come, by its number; `subscription_refused`: the upstream refused a name that was subscribed to; `differs_from_poll`: poll and stream of a market differed by more than 1 %; `overflow`: more has come than is kept until it can be used; `late`: a trade came after a newer one; of books: this process read them more than two seconds late; `gap`: trades, or changes of a book, are missing before this one; `bad_checksum`: the checksum of a book is another one; `crossed`: the best bid of a book is not below its best ask; `empty`: a side of a book has no level; `thin`: too few levels of a snapshot are left; `silent`: no message about a book came for a minute; `lost`: the connection of a book ended; `no_snapshot`: the snapshot of a book did not come.."""
    suspect: NotRequired[list[str]]
    """Markets whose newest number is held back until it is confirmed, 20 at most; absent when there are none."""
    strays: NotRequired[list[str]]
    """Of instruments: markets of the source whose price was more than 30 % away from that of the other exchanges for an hour, 20 at most. They have left their asset: their symbol has the name of the exchange behind it. Absent when there are none."""
    subscriptions: NotRequired[StatusSourceFeedSubscriptions]
    """Of a stream whose source acknowledges; absent otherwise."""
    failures: int
    """Consecutive failures."""
    age_ms: int | None
    """Time since the last success, to the second."""
    event_latency_ms: NotRequired[StatusSourceFeedEventLatencyMs]
    """Of a stream that states times: from the newest time that a message states to our receipt. The clock of the source is not corrected: where it is ahead, the latency is too short, and a negative one counts as 1. Absent where nothing came. Milliseconds of the last minute or two, each rounded up to the end of its step (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20 and so on, 60,000 for all that is longer)."""


class StatusSource(TypedDict):
    state: Literal["up", "degraded", "down"]
    """Degraded: some of its feeds are up. Feeds that are idle do not count."""
    feeds: list[StatusSourceFeed]
    """One row a topic and part."""
    delivery_ms: NotRequired[StatusSourceFeedEventLatencyMs]
    """From the receipt of a value to the moment at which the answer that it has changed is written to all of its followers by WebSocket or SSE, once for each answer and change, over all web processes; logs (`mode=log`) and answers that are asked for are not in it. Absent where nothing is followed. Milliseconds of the last minute or two, each rounded up to the end of its step (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20 and so on, 60,000 for all that is longer)."""


class StatusProcessLoad(TypedDict):
    cpu: float
    """Processor time, a fraction of one core: 1 is all of it."""
    sources: int
    """Sources that the process runs."""
    rows_per_second: float
    """Rows that it publishes in a second."""


class StatusProcess(TypedDict):
    id: str
    """Id of the process."""
    role: str
    """`web`, `feed`, `compute`, `history` or `alerts`."""
    pid: int
    """Number of the process on its host."""
    host: str
    """Name of the machine."""
    started: int
    """Unix milliseconds."""
    at: int
    """Unix milliseconds."""
    rss_bytes: int
    """Memory of the process, bytes."""
    loop_p99_ms: float
    """99th percentile of event loop delay."""
    load: NotRequired[StatusProcessLoad]
    """Of a feed process; absent otherwise."""


class StatusBudget(TypedDict):
    source: str
    """Source id."""
    api: str
    """API of the source."""
    budget: str
    """Budget of the API."""
    weight: float
    """Requests that the source allows in `per_ms` ms, each by its weight where the source weighs them."""
    per_ms: int
    """Milliseconds of the time in which it allows them."""
    used_weight: float
    """Weight of the requests of all processes of this service in the last `per_ms` ms and 250 ms more, and of those under way; what the source has stated, where that is more: it counts whatever else uses the address or the key, too."""
    waiting: int
    """Requests that wait for their turn."""
    paused_until: int | None
    """Unix ms: nothing is sent before, since the source asked for silence; null where it did not."""


class Status(TypedDict):
    sources: dict[str, StatusSource]
    """Map from source id to its feeds."""
    processes: list[StatusProcess]
    """Processes that run."""
    budgets: list[StatusBudget]
    """What this service counts of the budgets of the sources: those that are used, waited for or paused, by the share that is used."""


class Time(TypedDict):
    serverTime: int
    """Unix ms."""


class TradesItem(TypedDict):
    id: str | None
    """The exchange's own; null where it states none."""
    timestamp: int
    """When it was traded, Unix ms."""
    side: Literal["buy", "sell"]
    """What the taker did."""
    price: float
    """Of one base asset, in the quote of the market."""
    quantity: float
    """Base asset, whatever the exchange counts in."""
    value_usd: float | None
    """Price times quantity, US dollars; null where the market is not quoted in dollars."""


class Trades(TypedDict):
    exchange: str
    """Exchange id."""
    symbol: str
    """As asked."""
    market: str
    """The exchange's own symbol of the market."""
    kind: str | None
    """`spot` or `perpetual`."""
    source: Literal["live", "request"]
    """Out of the stream of the exchange, or the answer to a request."""
    unheard_since: NotRequired[int]
    """When the exchange was heard about it last, Unix ms: the time of receipt, or that which the exchange states where it is earlier. Absent where that is at most ten seconds ago."""
    quote: str | None
    """Quote asset."""
    count: int
    """Number of rows in the answer."""
    items: list[TradesItem]
    """Newest first."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""


class UdfBars(TypedDict):
    s: Literal["ok"]
    """There are bars."""
    t: list[int]
    """Start of each bar, Unix seconds, ascending."""
    c: list[float]
    """Closes: prices in quote, or the values of a series."""
    o: NotRequired[list[float]]
    """First prices, in quote; absent for series, as the three that follow."""
    h: NotRequired[list[float]]
    """Highest prices, in quote."""
    l: NotRequired[list[float]]
    """Lowest prices, in quote."""
    v: NotRequired[list[float]]
    """Volumes, base asset."""


class UdfChoice(TypedDict):
    value: str
    """Empty for all."""
    name: str
    """What is shown."""
    desc: NotRequired[str]
    """In words."""


class UdfConfig(TypedDict):
    supports_search: bool
    """True: `search` and `symbols`."""
    supports_group_request: bool
    """False."""
    supports_marks: bool
    """True: liquidations."""
    supports_timescale_marks: bool
    """False."""
    supports_time: bool
    """True."""
    supported_resolutions: list[str]
    """Those of any symbol."""
    exchanges: list[UdfChoice]
    """For `search`."""
    symbols_types: list[UdfChoice]
    """For `search`."""


class UdfFound(TypedDict):
    symbol: str
    """What is shown."""
    full_name: str
    """The ticker."""
    description: str
    """In words."""
    exchange: str
    """Exchange id, or `reference`."""
    ticker: str
    """What the other paths are asked by."""
    type: Literal["spot", "perpetual", "series"]
    """Series have one value a bar."""


class UdfMarks(TypedDict):
    id: list[str]
    """One for each mark."""
    time: list[int]
    """Start of the bar, Unix seconds."""
    color: list[str]
    """Red where longs were closed, green where shorts were."""
    text: list[str]
    """The sum in US dollars, and the number of orders."""
    label: list[str]
    """`L` or `S`."""
    labelFontColor: list[str]
    """Of the label."""
    minSize: list[int]
    """Pixels."""


class UdfNoBars(TypedDict):
    s: Literal["no_data"]
    """There are no bars in the range."""
    nextTime: NotRequired[int]
    """The newest bar before the range, Unix seconds; absent where there is none."""


class UdfQuoteV(TypedDict):
    short_name: NotRequired[str]
    """The exchange's own id."""
    exchange: NotRequired[str]
    """Exchange id."""
    description: NotRequired[str]
    """The ticker."""
    lp: NotRequired[float]
    """Last price, in quote."""
    ch: NotRequired[float]
    """Change over 24 h, in quote."""
    chp: NotRequired[float]
    """The same, percent."""
    bid: NotRequired[float]
    """Best bid, in quote."""
    ask: NotRequired[float]
    """Best ask, in quote."""
    spread: NotRequired[float]
    """Best ask less best bid, in quote."""
    open_price: NotRequired[float]
    """24 h ago, in quote."""
    high_price: NotRequired[float]
    """Of 24 h, in quote."""
    low_price: NotRequired[float]
    """Of 24 h, in quote."""
    prev_close_price: NotRequired[float]
    """As `open_price`, in quote."""
    volume: NotRequired[float]
    """Of 24 h, base asset."""


class UdfQuote(TypedDict):
    s: Literal["ok", "error"]
    """`error` where there is no price of the symbol."""
    n: str
    """The symbol as asked."""
    v: UdfQuoteV
    """What is known of it."""


class UdfQuotes(TypedDict):
    s: Literal["ok"]
    """Each symbol states its own."""
    d: list[UdfQuote]
    """As asked."""


class UdfSymbol(TypedDict):
    name: str
    """What is shown."""
    ticker: str
    """What the other paths are asked by."""
    description: str
    """In words."""
    type: Literal["spot", "perpetual", "series"]
    """Series have one value a bar."""
    session: Literal["24x7"]
    """Always."""
    timezone: Literal["Etc/UTC"]
    """Of days."""
    exchange: str
    """Exchange id, or `reference`."""
    listed_exchange: str
    """The same."""
    minmov: int
    """Steps of the price are this divided by `pricescale`."""
    pricescale: int
    """10 to the power of the digits after the point: those of `tick_size` of /v1/instruments; six digits of the price where that is null."""
    minmove2: int
    """0."""
    fractional: bool
    """False."""
    has_intraday: bool
    """Whether there are bars of less than a day."""
    intraday_multipliers: list[str]
    """The resolutions of less than a day."""
    has_daily: bool
    """Whether there are bars of a day."""
    has_weekly_and_monthly: bool
    """Whether there are bars of a week and a month."""
    has_empty_bars: bool
    """False: a bar without a trade may be missing."""
    supported_resolutions: list[str]
    """All resolutions."""
    volume_precision: int
    """Digits after the point of volumes."""
    format: Literal["price", "volume"]
    """How numbers are shown."""
    visible_plots_set: Literal["ohlcv", "c"]
    """Series have closes alone."""
    currency_code: str
    """What prices are in."""
    data_status: Literal["streaming"]
    """The newest bar changes as long as it runs."""


class UsageKey(TypedDict):
    id: str
    """Id of the key."""
    name: str | None
    """Null while the key store cannot be read."""
    used: int | None
    """Requests admitted in the window; null without a limit."""
    requests_today: int | None
    """Since 00:00 UTC, as reported by the processes so far; null while the key store cannot be read."""


class Usage(TypedDict):
    account: str
    """The subject that the identity provider states."""
    plan: str
    """Plan of the account."""
    limit: int | None
    """Requests a minute, over all keys of the account; null for no limit."""
    used: int | None
    """Requests admitted in the current window, as far as reported by every process; null without a limit."""
    remaining: int | None
    """Requests that would still be admitted, as in the header `RateLimit`; null without a limit."""
    resets_at: int | None
    """End of the current window, Unix milliseconds; null when there is none."""
    keys: list[UsageKey]
    """Active keys of the account, and others used in the window; requests with a bearer token are in `used` only."""


class UsageHistoryKey(TypedDict):
    id: str
    """Id of the key."""
    name: str
    """Of the key."""
    requests: list[int]
    """Requests with the key on each day, whatever came of them, at most 10 s late."""


class UsageHistory(TypedDict):
    timestamps: list[int]
    """Beginnings of UTC days, Unix milliseconds, the earliest first."""
    keys: list[UsageHistoryKey]
    """Active keys of the account."""


class VolatilityRealizedItem(TypedDict):
    days: int
    """Daily returns of a window."""
    current: float
    """Of the last window, fraction a year."""
    min: float
    """Least of all windows of this length in up to two years, fraction a year."""
    p25: float
    """First quartile of all windows of this length in up to two years, fraction a year."""
    median: float
    """Median of all windows of this length in up to two years, fraction a year."""
    p75: float
    """Third quartile of all windows of this length in up to two years, fraction a year."""
    max: float
    """Largest of all windows of this length in up to two years, fraction a year."""
    windows: int
    """Windows that these are of."""


class VolatilityImpliedItem(TypedDict):
    days: int
    """Tenor."""
    at_the_money: float | None
    """Fraction a year, the variance interpolated between the expiries around the tenor; null outside of them and without options."""
    source: str
    """Exchanges of the options; `none` without any."""


class Volatility(TypedDict):
    symbol: str
    """Base asset."""
    exchange: str
    """Exchange of the daily closes."""
    market: str
    """Its own id of the market."""
    realized: list[VolatilityRealizedItem]
    """Standard deviation of daily logarithmic returns times the square root of 365."""
    implied: list[VolatilityImpliedItem]
    """By tenor."""
    variance_premium: float | None
    """Squared implied less squared realised volatility, both of 30 days; null where one is missing."""
    as_of: int
    """When the closes were received, Unix ms."""
    stale: NotRequired[Literal[True]]
    """The source fails at present: this is its last answer. Absent otherwise."""
