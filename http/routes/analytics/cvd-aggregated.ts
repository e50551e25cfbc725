/** Cumulative volume delta over several exchanges (specification 4.10). */
import { type RecordedRows, recordedKey } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { minute } from '../../../config/time.ts';
import { type Deltas, deltasOf } from '../../../indicators/derivatives/order-flow.ts';
import type { Route } from '../../endpoints/route.ts';
import { apiError, isApiError } from '../../wire/errors.ts';
import type { RoutesContext } from '../context.ts';
import { columns } from '../factory/columns.ts';
import {
  type Given,
  history,
  type Made,
  points,
  type Subject,
  symbolField,
  timestamp,
} from '../factory/history.ts';
import { type MarketContext, type StepValues, stepsOf } from '../factory/market-subject.ts';
import { coverage, coverageOf, ofRecord, recordedSteps } from '../factory/recorded-subject.ts';
import { group } from './common.ts';
import { seriesParams, sevenIntervals } from './history-params.ts';

type Context = MarketContext & Pick<RoutesContext, 'perpetuals' | 'clock'>;

/** Exchanges with what takers bought and sold in dollars, and whether their coin-margined contracts count as well. */
const shown = [
  { exchange: 'binance', inverse: true },
  { exchange: 'okx', inverse: false },
  { exchange: 'kraken', inverse: false },
] as const;

interface Market {
  exchange: string;
  market: string;
}

/** The contracts of an asset: the linear one with the largest turnover on each exchange, and the inverse one. */
function marketsOf({ perpetuals }: Context, symbol: string): Market[] {
  return shown.flatMap(({ exchange, inverse }) => {
    const rows = (perpetuals.of(exchange)?.rows ?? [])
      .filter((row) => row.symbol === symbol)
      .sort((a, b) => (b.volume ?? 0) - (a.volume ?? 0));
    const linear = rows.find((row) => row.inverse !== true);
    const coin = inverse ? rows.find((row) => row.inverse === true) : undefined;
    return [linear, coin].flatMap((row) => (row ? [{ exchange, market: row.contract }] : []));
  });
}

/** The asset with its markets: first those whose candles are asked for, then those whose volumes are. */
interface About {
  symbol: string;
  markets: readonly Market[];
}
type Name = 'takerCandles' | 'takerVolume';

/** The replies about all markets, in their order. */
const repliesOf = ({ replies, beside }: Pick<Given<Name, About>, 'replies' | 'beside'>) => [
  ...replies,
  ...(beside.takerVolume ?? []),
];

/** All markets: their candles where those state what takers bought, else the volumes themselves. */
function ofAll(context: Context): Subject<Name, StepValues, About> {
  const { markets, exchanges } = context;
  const { takerCandles = [], takerVolume = [] } = exchanges;
  const ids = shown.map(({ exchange }) => exchange);
  const hasCandles = ({ exchange }: Market) => takerCandles.includes(exchange);
  return {
    isAnswered: [...takerCandles, ...takerVolume].includes('binance'),
    fails: ['upstream_failed'],
    head: symbolField,
    what: ({ symbol }) => `the taker volume of ${symbol}`,
    ask(values) {
      const found = markets.resolve(values.symbol, { kind: 'perpetual', exchanges: ids });
      if (isApiError(found)) return found;
      const { symbol } = found;
      const all = marketsOf(context, symbol);
      const sorted = [...all.filter(hasCandles), ...all.filter((one) => !hasCandles(one))];
      const asked = ({ exchange, market }: Market) => ({
        source: exchange,
        params: stepsOf({ market, kind: 'perpetual' }, values),
      });
      const candles = sorted.filter(hasCandles).length;
      const count = candles > 0 ? candles : sorted.length;
      const [first, ...also] = sorted.slice(0, count).map(asked);
      if (!first) return apiError('unknown_symbol', `unknown symbol '${symbol}'`);
      return {
        ...first,
        name: candles > 0 ? 'takerCandles' : 'takerVolume',
        also,
        beside: { takerVolume: sorted.slice(count).map(asked) },
        about: { symbol, markets: sorted },
      };
    },
  };
}

const failed = columns<Given<Name, About>>()({
  failed_exchanges: [
    s.list(s.string(), 'Exchanges of which a market could not be had.'),
    (given) => {
      const replies = repliesOf(given);
      const missing = given.about.markets.filter((_, i) => replies[i] === null);
      return [...new Set(missing.map(({ exchange }) => exchange))];
    },
  ],
});

const point = columns<Deltas>()({
  timestamp,
  delta_usd: [s.number('Bought less sold by takers on all these exchanges, US dollars.'), 'delta'],
  cvd_usd: [
    s.number(
      'Sum of the differences from the first point of this answer on, US dollars: each page of a range begins at 0.',
    ),
    'cumulated',
  ],
  exchange_count: [
    s.integer('Exchanges with a row of this interval.'),
    ({ exchanges }) => Object.keys(exchanges).length,
  ],
  exchanges: s.mapOf(s.number('Bought less sold by takers, US dollars.'), 'exchange'),
});

/** Without Binance there is no row. */
const futuresRow = (context: Context): Route[] =>
  history({
    path: '/v1/futures/cvd/aggregated',
    group,
    summary: 'Cumulative volume delta of perpetuals on binance, okx, kraken together',
    params: seriesParams(sevenIntervals, 100, 500),
    of: ofAll(context),
    head: failed,
    foldAll(given) {
      const replies = repliesOf(given);
      const rows = given.about.markets.map(({ exchange }, i) => ({
        exchange,
        rows: replies[i]?.points ?? [],
      }));
      return deltasOf(rows, given.values.limit);
    },
    points: points(point),
  });

/** An asset with the exchanges whose flows are recorded. */
interface Recorded {
  symbol: string;
  exchanges: readonly string[];
}

/** The recorded taker flow of the spot markets of an asset: as candles state it, or as trades by stream add up to. */
function ofSpot({ markets, exchanges }: Context): Subject<'series', StepValues, Recorded> {
  const { takerCandles = [], spotTrades = [] } = exchanges;
  const ids = [...new Set([...takerCandles, ...spotTrades])];
  const subject = ofRecord<StepValues, Recorded>({
    series: 'taker-flow',
    what: 'the taker volume',
    find({ symbol: given }) {
      const found = markets.resolve(given, { kind: 'spot', exchanges: ids });
      if (isApiError(found)) return found;
      const { symbol } = found;
      return { symbol, exchanges: ids, keys: ids.map((id) => recordedKey(id, 'spot', symbol)) };
    },
    range: recordedSteps,
  });
  return { ...subject, isAnswered: ids.length > 0 };
}

/** The steps that had ended and of which every minute is known; rows of earlier versions are whole. */
const wholeFlows = (
  { times, columns: own }: RecordedRows,
  { step, now }: { step: number; now: number },
) =>
  times.flatMap((timestamp, i) => {
    const { buy_usd = [], sell_usd = [], minutes = [] } = own;
    const isWhole = timestamp + step <= now && (minutes[i] ?? Infinity) * minute >= step;
    return isWhole
      ? [{ timestamp, buy_usd: buy_usd[i] ?? null, sell_usd: sell_usd[i] ?? null }]
      : [];
  });

const coverages = columns<Made<'series', Recorded>>()({
  coverage_by_exchange: [
    s.mapOf(coverage, 'exchange'),
    ({ about, replies: [own] }) =>
      Object.fromEntries(
        about.exchanges.flatMap((id, i) => {
          const row = own?.rows[i];
          return row ? [[id, coverageOf([row.coverage])]] : [];
        }),
      ),
  ],
});

const spotRow = (context: Context): Route[] =>
  history({
    path: '/v1/spot/cvd/aggregated',
    group,
    summary: 'Cumulative volume delta of spot markets on several exchanges together',
    params: seriesParams(sevenIntervals, 100, 500),
    of: ofSpot(context),
    head: coverages,
    fold({ rows, step }, { about, values }) {
      const now = context.clock.now();
      const all = about.exchanges.flatMap((exchange, i) => {
        const own = rows[i];
        return own ? [{ exchange, rows: wholeFlows(own, { step, now }) }] : [];
      });
      return deltasOf(all, values.limit);
    },
    points: points(point),
  });

/** Cumulative volume delta over exchanges: of perpetuals as they state it themselves, of spot markets as it is recorded. */
export const cvdAggregatedRoutes = (context: Context): Route[] => [
  ...futuresRow(context),
  ...spotRow(context),
];
