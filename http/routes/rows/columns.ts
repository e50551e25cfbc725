/** The columns of `/v1/rows`: what each is, in which unit, where its values come from, and which exchanges have it. */
import {
  type Candle,
  intervals,
  type RecordedName,
  recordedKey,
} from '../../../actors/topics/index.ts';
import { asDollars } from '../../../config/quotes.ts';
import { quotientOf } from '../../../indicators/market/assets.ts';
import { exchangesWithFlows } from '../analytics/taker-aggregated.ts';
import { type BooksContext, exchangesOf } from '../books/asset-books.ts';
import type { kit } from '../kit.ts';

/** What finding markets, and the exchanges with a column, takes. */
export type RowsContext = BooksContext &
  Pick<kit.RoutesContext, 'perpetuals' | 'liquidations' | 'candleIntervals'>;

export const marketKinds = ['spot', 'perpetual'] as const;
export type MarketKind = (typeof marketKinds)[number];

/** A market of an asset on an exchange. */
export interface RowMarket {
  exchange: string;
  symbol: string;
  kind: MarketKind;
  /** The exchange's own id. */
  market: string;
  margin: 'stable' | 'coin';
}

/** A recorded series that a column is read of. */
interface OfSeries {
  series: RecordedName;
  /** The shortest interval of the series, ms. */
  least: number;
  keyOf(market: RowMarket): string;
  /** The value out of the columns of the series at one time. */
  value: (at: (column: string) => number | null) => number | null;
}

/** The candle of a market with its quote. */
interface OfCandles {
  series?: undefined;
  value: (candle: Candle, quote: string | null) => number | null;
}

/** A column. */
export type RowColumn = (OfSeries | OfCandles) & {
  unit: string;
  description: string;
  kinds: readonly MarketKind[];
  exchanges(context: RowsContext, kind: MarketKind): readonly string[];
};

const candle = (unit: string, description: string, value: OfCandles['value']): RowColumn => ({
  unit,
  description,
  value,
  kinds: marketKinds,
  exchanges: ({ exchanges }) => exchanges.candles,
});

/** The exchanges with this capability. */
const capable =
  (capability: string): RowColumn['exchanges'] =>
  ({ registry }) =>
    registry.filter(({ capabilities }) => capability in capabilities).map(({ id }) => id);

const byMargin = ({ exchange, margin, symbol }: RowMarket) => recordedKey(exchange, margin, symbol);
const byKind = ({ exchange, kind, symbol }: RowMarket) => recordedKey(exchange, kind, symbol);
const byExchange = ({ exchange, symbol }: RowMarket) => recordedKey(exchange, symbol);

/** A series without its column. */
type Recording = Pick<OfSeries, 'series' | 'least' | 'keyOf'> &
  Pick<RowColumn, 'kinds' | 'exchanges'>;

const perpetuals = ['perpetual'] as const;
const interest: Recording = {
  series: 'open-interest',
  least: intervals['1m'],
  keyOf: byMargin,
  kinds: perpetuals,
  exchanges: capable('open_interest'),
};
const funding: Recording = {
  series: 'funding',
  least: intervals['1h'],
  keyOf: byMargin,
  kinds: perpetuals,
  exchanges: capable('derivatives'),
};
const closings: Recording = {
  series: 'liquidations',
  least: intervals['1m'],
  keyOf: byExchange,
  kinds: perpetuals,
  exchanges: ({ liquidations }) => liquidations.exchanges,
};
const takers: Recording = {
  series: 'taker-flow',
  least: intervals['1m'],
  keyOf: byKind,
  kinds: marketKinds,
  exchanges: ({ exchanges }, kind) => exchangesWithFlows(exchanges, kind),
};
const accounts: Recording = {
  series: 'account-ratio',
  least: intervals['5m'],
  keyOf: byExchange,
  kinds: perpetuals,
  // The one exchange whose accounts are recorded (actors/history/series/account-ratio.ts).
  exchanges: ({ exchanges }) => (exchanges.longShort ?? []).filter((id) => id === 'binance'),
};
const books: Recording = {
  series: 'liquidity',
  least: intervals['1m'],
  keyOf: byKind,
  kinds: marketKinds,
  exchanges: exchangesOf,
};

const recorded = (
  of: Recording,
  unit: string,
  description: string,
  column: string | OfSeries['value'],
): RowColumn => ({
  ...of,
  unit,
  description,
  value:
    typeof column === 'function' ? column : (at: (name: string) => number | null) => at(column),
});

const dollars = 'US dollars';
const tracked = 'Recorded of tracked assets.';
const forced =
  'positions that were closed by force, of all perpetuals of the asset; null where no stream of them was received.';
const sampled = 'in the last minute of the interval.';

/** Every column by its name. */
export const rowColumns: Readonly<Record<string, RowColumn>> = {
  open: candle('quote', 'First price of the interval.', ({ open }) => open),
  high: candle('quote', 'Highest price.', ({ high }) => high),
  low: candle('quote', 'Lowest price.', ({ low }) => low),
  close: candle('quote', 'Last price; the newest while the interval runs.', ({ close }) => close),
  volume: candle('base asset', 'Traded amount.', ({ volume }) => volume),
  volume_usd: candle(
    dollars,
    'Turnover; null where the market is not quoted in dollars or a dollar stablecoin.',
    ({ turnover }, quote) => asDollars(turnover, quote),
  ),
  funding_rate: recorded(
    funding,
    'fraction',
    'Sum of the fundings settled in the interval; null where none was.',
    'rate',
  ),
  funding_hours: recorded(funding, 'hours', 'The hours that `funding_rate` is for.', 'hours'),
  open_interest_usd: recorded(
    interest,
    dollars,
    'At the end of the interval, one side, of the perpetuals with the margin of the market.',
    'usd',
  ),
  open_interest_base: recorded(
    interest,
    'base asset',
    'The same in base units; null where the exchange states the value only.',
    'base',
  ),
  long_liquidations_usd: recorded(closings, dollars, `Long ${forced}`, 'long_usd'),
  short_liquidations_usd: recorded(closings, dollars, `Short ${forced}`, 'short_usd'),
  taker_buy_usd: recorded(
    takers,
    dollars,
    `What takers bought; null where minutes of the interval are not known. ${tracked}`,
    'buy_usd',
  ),
  taker_sell_usd: recorded(
    takers,
    dollars,
    `What takers sold; null likewise. ${tracked}`,
    'sell_usd',
  ),
  long_short_ratio: recorded(
    accounts,
    'ratio',
    `Accounts that are long to those that are short, at the end of the interval. ${tracked}`,
    (at) => quotientOf(at('long'), at('short')),
  ),
  spread_percent: recorded(
    books,
    'percent',
    `Best ask less best bid, of the mid price, ${sampled} ${tracked}`,
    'spread',
  ),
  bid_depth_usd: recorded(
    books,
    dollars,
    `Bids within 1 % of the mid price ${sampled} ${tracked}`,
    'bid_100',
  ),
  ask_depth_usd: recorded(
    books,
    dollars,
    `Asks within 1 % of the mid price ${sampled} ${tracked}`,
    'ask_100',
  ),
  slippage_buy: recorded(
    books,
    'fraction',
    `Mean price of a purchase of 100,000 US dollars above the mid price ${sampled} ${tracked}`,
    'buy_100000',
  ),
  slippage_sell: recorded(
    books,
    'fraction',
    `Mean price of a sale of 100,000 US dollars below the mid price ${sampled} ${tracked}`,
    'sell_100000',
  ),
};
