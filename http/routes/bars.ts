/** Candles of one market, and of an asset over exchanges. */
import { allIntervals, type Candle, type Candles } from '../../actors/topics/index.ts';
import { asDollars, dollarQuotes } from '../../config/quotes.ts';
import { combinedBars } from '../../indicators/market/combined-bars.ts';
import type { PricesView } from '../views/prices.ts';
import { apiError, isApiError, kit, params, s } from './kit.ts';

export interface BarContext extends kit.Needs<'markets' | 'exchanges' | 'candleIntervals'> {
  prices: Pick<PricesView, 'marketFor'>;
}
type Context = BarContext;

/** In place of an exchange: the bars of an asset over exchanges. */
const all = 'all';
/** Exchanges that are asked for them at most. */
const mostExchanges = 10;

interface Bar extends Candle {
  volume_usd: number | null;
  exchange_count?: number;
}

const bar = kit.columns<Bar>()({
  timestamp: s.integer('Open time, Unix milliseconds.'),
  open: s.number('First price, in quote.'),
  high: s.number('Highest price, in quote.'),
  low: s.number('Lowest price, in quote.'),
  close: s.number('Last price, in quote.'),
  volume: s.number('Base asset.'),
  volume_usd: s.numberOrNull('Turnover; null when the market is not quoted in dollars.'),
  closed: s.boolean('False while the interval still runs.'),
  exchange_count: s.optional(s.integer('Exchanges with a candle then; with `exchange=all` only.')),
});

interface BarValues extends kit.StepValues {
  exchange: string;
  symbol: string;
  kind?: 'spot' | 'perpetual' | undefined;
}

/** The bars of a market with its turnovers in dollars, where it is quoted in them. */
function barsOf({ market, kind, quote, candles }: Candles) {
  const rows = candles.map((one) => ({ ...one, volume_usd: asDollars(one.turnover, quote) }));
  return { market, kind, quote, bars: bar.all(rows) };
}

/** The bars of one market, or those of an asset over the exchanges that replied. */
function barsOfAll({
  replies,
  values,
}: Pick<kit.Replies<'candles', BarValues>, 'values' | 'replies'>) {
  const known = replies.filter((one) => one !== null);
  const [first] = known;
  if (!first) return apiError('upstream_failed');
  const { exchange, symbol, limit, from } = values;
  if (exchange !== all) return barsOf(first);
  const bars = combinedBars(known.map(({ candles }) => candles));
  const kept = from === undefined ? bars.slice(-limit) : bars.slice(0, limit);
  const rows = kept.map((one) => ({ ...one, volume_usd: one.turnover }));
  return { market: symbol, kind: first.kind, quote: 'USD', bars: bar.all(rows) };
}
const answer = s.object({
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

/** The error of an interval that is not given so: of an exchange without such candles, its own or made of shorter ones. */
function intervalError({ candleIntervals }: Context, { exchange, interval, from, to }: BarValues) {
  if (interval === '1m' && from === undefined && to === undefined) return rangeNeeded;
  const given = candleIntervals.get(exchange) ?? [];
  if (exchange === all || given.includes(interval)) return null;
  return apiError('bad_parameter', `interval of ${exchange} must be one of ${given.join(', ')}`);
}

/** The most traded dollar market of an asset at each exchange with these candles, of the ten with the largest turnover. */
function overExchanges(context: Context, { symbol: name, kind = 'spot', interval }: BarValues) {
  const { prices, markets, exchanges, candleIntervals } = context;
  const supportedExchanges = exchanges.candles.filter((id) =>
    candleIntervals.get(id)?.includes(interval),
  );
  const found = markets.resolve(name, { kind, exchanges: supportedExchanges });
  if (isApiError(found)) return found;
  const { symbol } = found;
  const rows = supportedExchanges
    .flatMap((source) => {
      const row = prices.marketFor(source, symbol, kind);
      return row && dollarQuotes.has(row.quote) ? [{ source, row }] : [];
    })
    .sort((a, b) => (b.row.volume ?? 0) - (a.row.volume ?? 0))
    .slice(0, mostExchanges);
  const asked = rows.map(({ source, row: { market } }) => ({ source, market, kind }));
  return asked.length > 0
    ? { symbol, asked }
    : apiError('unknown_symbol', `there is no dollar market of '${symbol}'`);
}

/** The markets that a client names: one that a newer list may hold, of which the exchange says whether it knows it, or one an exchange. */
function marketsOf(context: Context, values: BarValues) {
  const refused = intervalError(context, values);
  if (refused !== null) return refused;
  const { exchange: source, symbol, kind } = values;
  if (source === all) return overExchanges(context, values);
  return { symbol, asked: [{ source, ...context.markets.asked(source, symbol, kind) }] };
}

const head = kit.columns<
  Pick<kit.Replies<'candles', BarValues>, 'values' | 'replies' | 'sources'>
>()({
  exchange: [s.string('Exchange id, or `all`.'), ({ values }) => values.exchange],
  symbol: [s.string('As asked; the asset with `exchange=all`.'), ({ values }) => values.symbol],
  failed_exchanges: [
    s.optional(s.list(s.string(), 'Exchanges that could not be asked; with `exchange=all` only.')),
    (given) => (given.values.exchange === all ? kit.failedIn(given) : undefined),
  ],
});

/** Bars of one market, or over exchanges. Without an exchange that has candles there is no row. */
export const barRoutes = (context: Context) =>
  kit.history({
    path: '/v1/bars',
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
      limit: params.limit(100, 1000, params.mostRows),
      ...params.range('interval'),
      kind: params.kind,
    },
    of: {
      names: ['candles'],
      isAnswered: context.exchanges.candles.length > 0,
      resolve: (values) => marketsOf(context, values),
      head,
      what: ({ symbol, exchange }) => `the bars of ${symbol} on ${exchange}`,
      ask({ asked, exchange, symbol, interval, limit, from, to }) {
        const range = { interval, limit, from, to };
        const queries = asked.map(({ source, market, kind }) => ({
          source,
          params: { market, kind, ...range },
        }));
        const found = kit.toAll<'candles'>(queries, symbol);
        if (isApiError(found) || exchange === all) return found;
        return {
          ...found,
          sameQueryElsewhere: undefined,
          failure: context.markets.explained(exchange, symbol),
        };
      },
    },
    foldAll: (given) => barsOfAll(given),
    fields: kit.plain(answer),
  });
