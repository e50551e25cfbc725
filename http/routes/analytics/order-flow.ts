/** Order flow: what takers buy and sell (specification 4.3, 4.4, 4.5 and 4.10). */
import type { SeriesParams, TakerCandle, TakerPoint } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { buySellRatio, delta, runningSums } from '../../../indicators/derivatives/order-flow.ts';
import { isApiError } from '../../errors.ts';
import * as params from '../params.ts';
import { type Route, route } from '../route.ts';
import {
  askOf,
  type Context,
  common,
  exchangeOf,
  marketOf,
  nineIntervals,
  seriesOf,
  seriesParams,
  sevenIntervals,
} from './series.ts';

const takerFields = {
  taker_buy_usd: s.numberOrNull('Bought by takers, US dollars.'),
  taker_sell_usd: s.numberOrNull('Sold by takers, US dollars.'),
  taker_buy_base: s.numberOrNull('Base units.'),
  taker_sell_base: s.numberOrNull('Base units.'),
  buy_sell_ratio: s.numberOrNull('Bought over sold; null where nothing was sold.'),
  delta_usd: s.numberOrNull('Bought less sold, US dollars.'),
};
const takerAnswer = seriesOf(takerFields, {});

const takerPoint = ({ timestamp, buy_base, sell_base, buy_usd, sell_usd }: TakerPoint) => ({
  timestamp,
  taker_buy_usd: buy_usd,
  taker_sell_usd: sell_usd,
  taker_buy_base: buy_base,
  taker_sell_base: sell_base,
  buy_sell_ratio: buySellRatio(buy_base ?? buy_usd, sell_base ?? sell_usd),
  delta_usd: delta(buy_usd, sell_usd),
});

const cvdAnswer = seriesOf(
  {
    delta_usd: s.number('Bought less sold by takers, US dollars.'),
    cvd_usd: s.number('Sum of the differences from the first point on, US dollars.'),
    delta_base: s.number('Bought less sold, base units.'),
    cvd_base: s.number('Sum of the differences from the first point on, base units.'),
    close: s.number('Last price of the interval.'),
  },
  {},
);

const netflowAnswer = seriesOf(
  {
    inflow_usd: s.number('Bought by takers, US dollars.'),
    outflow_usd: s.number('Sold by takers, US dollars.'),
    netflow_usd: s.number('The difference.'),
  },
  { method: s.literal('taker', 'Trades, not transfers on a blockchain.') },
);

interface Asked extends Pick<SeriesParams, 'interval' | 'limit' | 'from' | 'to'> {
  symbol: string;
  exchange: string;
}

/** Which markets a row is about. */
type Kind = 'spot' | 'perpetual';

/** The query of a row that candles answer. */
function candles<Made extends { points: readonly unknown[] }>(
  { prices }: Context,
  kind: Kind,
  form: string,
  make: (rows: readonly TakerCandle[]) => Made,
) {
  return (asked: Asked) => {
    const { symbol, exchange, interval } = asked;
    const found = marketOf(prices, exchange, { symbol, kind });
    if (isApiError(found)) return found;
    return {
      source: exchange,
      name: 'takerCandles' as const,
      params: askOf(found.market, kind, asked),
      what: `the taker volume of ${symbol} on ${exchange}`,
      form: `${form} ${found.base}`,
      data: ({ points: rows, market }: { points: readonly TakerCandle[]; market: string }) => {
        const made = make(rows);
        const head = { symbol: found.base, exchange, pair: market, interval };
        return { ...head, count: made.points.length, ...made };
      },
    };
  };
}

function cvdPoints(rows: readonly TakerCandle[]) {
  const known = rows.flatMap(({ timestamp, close, ...row }) => {
    const [usd, base] = [delta(row.buy_usd, row.sell_usd), delta(row.buy_base, row.sell_base)];
    return usd === null || base === null ? [] : [{ timestamp, close, usd, base }];
  });
  const usd = runningSums(known.map((row) => row.usd));
  const base = runningSums(known.map((row) => row.base));
  return known.map((row, i) => ({
    timestamp: row.timestamp,
    delta_usd: row.usd,
    cvd_usd: usd[i] ?? 0,
    delta_base: row.base,
    cvd_base: base[i] ?? 0,
    close: row.close,
  }));
}

const netflowPoints = (rows: readonly TakerPoint[]) =>
  rows.flatMap(({ timestamp, buy_usd, sell_usd }) =>
    buy_usd === null || sell_usd === null
      ? []
      : [
          {
            timestamp,
            inflow_usd: buy_usd,
            outflow_usd: sell_usd,
            netflow_usd: buy_usd - sell_usd,
          },
        ],
  );

/** The rows that spot and futures have alike. */
function flowRoutes(context: Context, kind: Kind): Route[] {
  const group = kind === 'spot' ? 'spot' : 'futures';
  const markets = kind === 'spot' ? 'spot markets' : 'perpetuals';
  const exchange = exchangeOf(['binance'], context.exchanges.takerCandles);
  const all = { ...seriesParams(sevenIntervals, 100, 1000), exchange };
  const fewer = { ...all, limit: params.limit(50, 500, 'Newest rows.') };
  return [
    route({
      ...common,
      path: kind === 'spot' ? '/v1/spot/taker-buysell/history' : '/v1/futures/taker-buysell',
      summary: `Bought and sold by takers, of ${markets}`,
      params: all,
      answer: takerAnswer,
      from: {
        query: candles(context, kind, 'taker', (rows) => ({ points: rows.map(takerPoint) })),
      },
    }),
    route({
      ...common,
      path: `/v1/${group}/cvd/history`,
      summary: `Cumulative volume delta of ${markets}: the level depends on the first point`,
      params: all,
      answer: cvdAnswer,
      from: { query: candles(context, kind, 'cvd', (rows) => ({ points: cvdPoints(rows) })) },
    }),
    route({
      ...common,
      path: `/v1/${group}/netflow`,
      summary: `Money flow of ${markets} by trades of takers`,
      params: fewer,
      answer: netflowAnswer,
      from: {
        query: candles(context, kind, 'netflow', (rows) => ({
          method: 'taker' as const,
          points: netflowPoints(rows),
        })),
      },
    }),
  ];
}

const takerVolumeRoute = ({ prices }: Context): Route =>
  route({
    ...common,
    path: '/v1/analytics/taker-volume',
    summary: 'Bought and sold by takers on Binance USD-M',
    params: seriesParams(nineIntervals, 30, 500),
    answer: takerAnswer,
    from: {
      query(asked) {
        const found = marketOf(prices, 'binance', { symbol: asked.symbol, kind: 'perpetual' });
        if (isApiError(found)) return found;
        return {
          source: 'binance',
          name: 'takerVolume',
          params: askOf(found.market, 'perpetual', asked),
          what: `the taker volume of ${asked.symbol} on binance`,
          form: found.base,
          data: ({ market, points }) => ({
            ...{ symbol: found.base, exchange: 'binance', pair: market },
            ...{ interval: asked.interval, count: points.length },
            points: points.map(takerPoint),
          }),
        };
      },
    },
  });

/** Without an exchange that has the data there are no rows. */
export const orderFlowRoutes = (context: Context): Route[] => [
  ...(context.exchanges.takerCandles?.length
    ? [...flowRoutes(context, 'spot'), ...flowRoutes(context, 'perpetual')]
    : []),
  ...(context.exchanges.takerVolume?.includes('binance') ? [takerVolumeRoute(context)] : []),
];
