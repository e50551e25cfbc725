/** Cumulative volume delta over several exchanges (specification 4.10). */
import type { History, SeriesParams, TakerPoint } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { deltasOf } from '../../../indicators/derivatives/order-flow.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { apiError } from '../../wire/errors.ts';
import type { RoutesContext } from '../context.ts';
import { assetOn, type PerpetualContext } from './common.ts';
import { askOf, common, seriesParams, sevenIntervals } from './series.ts';

type Context = PerpetualContext & Pick<RoutesContext, 'exchanges'>;

/** Exchanges with what takers bought and sold in dollars, and whether their coin-margined contracts count as well. */
const shown = [
  { exchange: 'binance', inverse: true },
  { exchange: 'okx', inverse: false },
  { exchange: 'kraken', inverse: false },
] as const;

const answer = s.object({
  symbol: s.string('Base asset.'),
  interval: s.interval,
  count: s.count,
  failed_exchanges: s.list(s.string(), 'Exchanges of which a market could not be had.'),
  points: s.list(
    s.object({
      timestamp: s.unixMs('Start of the interval, Unix ms.'),
      delta_usd: s.number('Bought less sold by takers on all these exchanges, US dollars.'),
      cvd_usd: s.number('Sum of the differences from the first point on, US dollars.'),
      exchange_count: s.integer('Exchanges with a row of this interval.'),
      exchanges: s.mapOf(s.number('Bought less sold by takers, US dollars.'), 'exchange'),
    }),
    'Ascending by time.',
  ),
  stale: s.stale,
});

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

type Replies = readonly (History<TakerPoint> | null)[];
type PageQuery = Pick<SeriesParams, 'interval' | 'limit' | 'from' | 'to'>;

/** The answer to the replies of all markets, in their order. */
const dataOf =
  (symbol: string, markets: readonly Market[], { interval, limit }: PageQuery) =>
  (replies: Replies): s.Static<typeof answer> => {
    const rows = markets.map(({ exchange }, i) => ({ exchange, rows: replies[i]?.points ?? [] }));
    const failed = markets.flatMap(({ exchange }, i) => (replies[i] ? [] : [exchange]));
    const points = deltasOf(rows, limit).map(({ timestamp, exchanges, delta, cumulated }) => ({
      ...{ timestamp, delta_usd: delta, cvd_usd: cumulated },
      ...{ exchange_count: Object.keys(exchanges).length, exchanges },
    }));
    const failed_exchanges = [...new Set(failed)];
    return { symbol, interval, count: points.length, failed_exchanges, points };
  };

/** The question to all markets: candles where they state what takers bought, else the volumes themselves. */
function questionOf(
  { exchanges: { takerCandles = [] } }: Context,
  { symbol, markets, asked }: { symbol: string; markets: readonly Market[]; asked: PageQuery },
) {
  const hasCandles = ({ exchange }: Market) => takerCandles.includes(exchange);
  const sorted = [...markets.filter(hasCandles), ...markets.filter((one) => !hasCandles(one))];
  const ask = ({ exchange, market }: Market) => ({
    source: exchange,
    params: askOf(market, 'perpetual', asked),
  });
  const [candles, volumes] = [
    sorted.filter(hasCandles).map(ask),
    sorted.filter((one) => !hasCandles(one)).map(ask),
  ];
  const data = dataOf(symbol, sorted, asked);
  const about = { what: `the taker volume of ${symbol}`, form: `cvd ${symbol}` };
  const [candle, ...candlesToo] = candles;
  if (candle) {
    return {
      ...{ ...about, ...candle, name: 'takerCandles' as const },
      ...{ also: candlesToo, beside: { takerVolume: volumes } },
      data: (
        reply: Replies[number],
        others: Replies,
        { takerVolume = [] }: { takerVolume?: Replies },
      ) => data([reply, ...others, ...takerVolume]),
      onPartialFailure: (others: Replies, { takerVolume = [] }: { takerVolume?: Replies }) =>
        data([null, ...others, ...takerVolume]),
    };
  }
  const [volume, ...volumesToo] = volumes;
  if (!volume) return apiError('unknown_symbol', `unknown symbol '${symbol}'`);
  return {
    ...{ ...about, ...volume, name: 'takerVolume' as const, also: volumesToo },
    data: (reply: Replies[number], others: Replies) => data([reply, ...others]),
    onPartialFailure: (others: Replies) => data([null, ...others]),
  };
}

/** Without an exchange that has the data there is no row. */
export function cvdAggregatedRoutes(context: Context): Route[] {
  const { takerCandles = [], takerVolume = [] } = context.exchanges;
  if (![...takerCandles, ...takerVolume].includes('binance')) return [];
  const ids = shown.map(({ exchange }) => exchange);
  const row = route({
    ...common,
    path: '/v1/futures/cvd/aggregated',
    summary: `Cumulative volume delta of perpetuals on ${ids.join(', ')} together`,
    params: seriesParams(sevenIntervals, 100, 500),
    answer,
    from: {
      query(asked) {
        const symbol = assetOn(context, ids, asked.symbol);
        if (typeof symbol !== 'string') return symbol;
        return questionOf(context, { symbol, markets: marketsOf(context, symbol), asked });
      },
    },
  });
  return [row];
}
