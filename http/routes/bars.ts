/** Candles of one market, and of an asset over exchanges. */
import {
  allIntervals,
  type Candle,
  type Candles,
  type Interval,
} from '../../actors/topics/index.ts';
import * as s from '../../actors/topics/schema.ts';
import { asDollars, dollarQuotes } from '../../config/quotes.ts';
import { combinedBars } from '../../indicators/market/combined-bars.ts';
import type { Route } from '../endpoints/route.ts';
import type { PricesView } from '../views/prices.ts';
import { type ApiError, apiError, isApiError } from '../wire/errors.ts';
import type { RoutesContext } from './context.ts';
import { columns } from './factory/columns.ts';
import {
  type Asked,
  type Fields,
  failedExchanges,
  type Given,
  history,
  joined,
  type Subject,
} from './factory/history.ts';
import type { StepValues } from './factory/market-subject.ts';
import * as params from './params.ts';

export interface BarContext
  extends Pick<RoutesContext, 'markets' | 'exchanges' | 'candleIntervals'> {
  prices: Pick<PricesView, 'marketFor'>;
}
type Context = BarContext;

const [, failedIn] = failedExchanges;

/** In place of an exchange: the bars of an asset over exchanges. */
const all = 'all';
/** Exchanges that are asked for them at most. */
const mostExchanges = 10;

interface Bar extends Candle {
  volume_usd: number | null;
  exchange_count?: number;
}

const bar = columns<Bar>()({
  timestamp: s.integer('Open time, Unix milliseconds.'),
  open: s.number('First price, in quote.'),
  high: s.number('Highest price, in quote.'),
  low: s.number('Lowest price, in quote.'),
  close: s.number('Last price, in quote.'),
  volume: s.number('Base asset.'),
  volume_usd: s.numberOrNull('Turnover; null when the market is not quoted in dollars.'),
  closed: s.boolean('False while the interval still runs.'),
  exchange_count: s.optional(
    s.integer('Exchanges with a candle of this time; with `exchange=all` only.'),
  ),
});

interface BarValues extends StepValues {
  exchange: string;
  kind?: 'spot' | 'perpetual' | undefined;
}

interface BarAnswer {
  market: string;
  kind: string | null;
  quote: string | null;
  bars: ReturnType<typeof bar.all>;
}

/** The bars of a market with its turnovers in dollars, where it is quoted in them. */
function barsOf({ market, kind, quote, candles }: Candles): BarAnswer {
  const rows = candles.map((one) => ({ ...one, volume_usd: asDollars(one.turnover, quote) }));
  return { market, kind, quote, bars: bar.all(rows) };
}

/** The bars of one market, or those of an asset over the exchanges that replied. */
function barsOfAll({ about, replies, values }: Given<'candles', BarValues, BarValues>) {
  const known = replies.filter((one) => one !== null);
  const [first] = known;
  if (!first) return apiError('upstream_failed');
  if (about.exchange !== all) return barsOf(first);
  const { limit, from } = values;
  const bars = combinedBars(known.map(({ candles }) => candles));
  const kept = from === undefined ? bars.slice(-limit) : bars.slice(0, limit);
  const rows = kept.map((one) => ({ ...one, volume_usd: one.turnover }));
  return { market: about.symbol, kind: first.kind, quote: 'USD', bars: bar.all(rows) };
}
const barFields = columns<BarAnswer>()({
  market: s.string('Native symbol that the bars are of; the asset with `exchange=all`.'),
  kind: s.stringOrNull('`spot` or `perpetual`; null where it is not known.'),
  quote: s.stringOrNull('Quote asset; null as `kind`. `USD` with `exchange=all`.'),
  bars: s.list(bar.schema, 'Ascending by time.'),
});

/** The specification refuses 1m, which is given for a range. */
const rangeNeeded = apiError(
  'bad_parameter',
  `interval must be one of ${allIntervals.slice(1).join(', ')}; 1m needs from or to`,
);

/** The error where an exchange has no candles of a length, its own or made of shorter ones; null where it has. */
function intervalError(
  { candleIntervals }: Pick<Context, 'candleIntervals'>,
  exchange: string,
  interval: Interval,
): ApiError | null {
  const given = candleIntervals.get(exchange) ?? [];
  if (given.includes(interval)) return null;
  return apiError('bad_parameter', `interval of ${exchange} must be one of ${given.join(', ')}`);
}

/** The most traded dollar market of an asset at each exchange with these candles, of the ten with the largest turnover. */
function overExchanges(
  context: Context,
  values: BarValues,
): Asked<'candles', BarValues> | ApiError {
  const { symbol: name, kind = 'spot', interval, limit, from, to } = values;
  const { prices, markets, exchanges, candleIntervals } = context;
  const able = exchanges.candles.filter((id) => candleIntervals.get(id)?.includes(interval));
  const found = markets.resolve(name, { kind, exchanges: able });
  if (isApiError(found)) return found;
  const { symbol } = found;
  const [first, ...others] = able
    .flatMap((source) => {
      const row = prices.marketFor(source, symbol, kind);
      return row && dollarQuotes.has(row.quote) ? [{ source, row }] : [];
    })
    .sort((a, b) => (b.row.volume ?? 0) - (a.row.volume ?? 0))
    .slice(0, mostExchanges)
    .map(({ source, row: { market } }) => ({
      source,
      params: { market, kind, interval, limit, from, to },
    }));
  if (!first) return apiError('unknown_symbol', `there is no dollar market of '${symbol}'`);
  return { ...first, name: 'candles', also: others, about: { ...values, symbol } };
}

type Head = Pick<Given<'candles', BarValues>, 'about' | 'replies' | 'sources'>;

const asked = columns<Head>()({
  exchange: [s.string('Exchange id, or `all`.'), ({ about }) => about.exchange],
  symbol: [s.string('As asked; the asset with `exchange=all`.'), ({ about }) => about.symbol],
});

const failedOfAll: Fields<Head> = {
  properties: {
    failed_exchanges: s.optional(
      s.list(s.string(), 'Exchanges that could not be asked; with `exchange=all` only.'),
    ),
  },
  read: (given) => (given.about.exchange === all ? { failed_exchanges: failedIn(given) } : {}),
};

/** The candles of a market that a newer list may hold: the exchange says whether it knows it. */
const ofCandles = (context: Context): Subject<'candles', BarValues, BarValues> => ({
  isAnswered: context.exchanges.candles.length > 0,
  fails: ['upstream_failed'],
  head: joined<Head>(asked, failedOfAll),
  what: ({ symbol, exchange }) => `the bars of ${symbol} on ${exchange}`,
  ask(values) {
    const { symbol, exchange, kind, interval, limit, from, to } = values;
    if (interval === '1m' && from === undefined && to === undefined) return rangeNeeded;
    if (exchange === all) return overExchanges(context, values);
    const refused = intervalError(context, exchange, interval);
    if (refused) return refused;
    const { markets } = context;
    return {
      source: exchange,
      name: 'candles',
      params: { ...markets.asked(exchange, symbol, kind), interval, limit, from, to },
      failure: markets.explained(exchange, symbol),
      about: values,
    };
  },
});

/** Bars of one market, or over exchanges. Without an exchange that has candles there is no row. */
export const barRoutes = (context: Context): Route[] =>
  history({
    path: '/v1/bars',
    group: 'Prices, order books, bars',
    summary: 'OHLCV candles of one market, or of an asset over exchanges',
    params: {
      symbol: params.marketNameOrBitcoin,
      exchange: {
        ...params.exchange([...context.exchanges.candles, all]),
        default: 'binance',
        description:
          'Exchange id, or `all`: volume-weighted over the ten exchanges with the largest turnover (docs/numbers.md).',
      },
      interval: {
        ...params.interval(allIntervals, '1h'),
        description:
          'Candle length, one that the exchange has or that its shorter ones make up; `1m` with `from` or `to` only.',
      },
      limit: params.limit(
        100,
        1000,
        'Most rows: the oldest of a range with `from`, else the newest.',
      ),
      ...params.range('interval'),
      kind: params.kind,
    },
    of: ofCandles(context),
    foldAll: barsOfAll,
    fields: barFields,
  });
