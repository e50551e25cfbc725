/** Order flow: what takers buy and sell (specification 4.3, 4.4, 4.5 and 4.10). */
import type { SeriesParams, TakerPoint } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { buySellRatio, buyShare, delta } from '../../../indicators/derivatives/order-flow.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { isApiError } from '../../wire/errors.ts';
import * as params from '../params.ts';
import * as ranked from './netflow-ranking.ts';
import {
  askOf,
  common,
  currencyInterval,
  exchangeOf,
  nineIntervals,
  type Context as SeriesContext,
  seriesOf,
  seriesParams,
  sevenIntervals,
} from './series.ts';
import { takerFields, takerPoint } from './taker-rows.ts';

const takerAnswer = seriesOf(takerFields, {});

const cvdAnswer = seriesOf(
  {
    delta_usd: s.number('Bought less sold by takers, US dollars.'),
    cvd_usd: s.number('Sum of the differences from the first point on, US dollars.'),
    delta_base: s.number('Bought less sold, base units.'),
    cvd_base: s.number('Sum of the differences from the first point on, base units.'),
    close: s.numberOrNull(
      'Last price of the interval, in quote; null where the volumes come without one.',
    ),
  },
  {},
);

const netflowAnswer = s.named(
  'NetflowOfSymbol',
  seriesOf(
    {
      inflow_usd: s.number('Bought by takers, US dollars.'),
      outflow_usd: s.number('Sold by takers, US dollars.'),
      netflow_usd: s.number('The difference.'),
    },
    { method: s.literal('taker', 'Trades, not transfers on a blockchain.') },
  ),
);

interface FlowQuery extends Pick<SeriesParams, 'interval' | 'limit' | 'from' | 'to'> {
  symbol: string;
  exchange: string;
}

type Context = SeriesContext & ranked.RankingContext;

/** Which markets a row is about. */
type Kind = 'spot' | 'perpetual';

/** Of taker volume or of a candle that states it. */
interface Flow extends TakerPoint {
  close?: number;
}

/** The query of a row about taker volume: the candles where they state it, since they reach further back. */
function flows<Made extends { points: readonly unknown[] }>(
  { markets, exchanges }: Context,
  { kind, form }: { kind: Kind; form: string },
  make: (rows: readonly Flow[]) => Made,
) {
  return (asked: FlowQuery) => {
    const { symbol, exchange, interval } = asked;
    const found = markets.resolve(symbol, { kind, exchanges: [exchange] });
    if (isApiError(found)) return found;
    const question = {
      source: exchange,
      params: askOf(found.market, kind, asked),
      what: `the taker volume of ${symbol} on ${exchange}`,
      form: `${form} ${found.symbol}`,
      data: ({ points: rows, market }: { points: readonly Flow[]; market: string }) => {
        const made = make(rows);
        const head = { symbol: found.symbol, exchange, pair: market, interval };
        return { ...head, count: made.points.length, ...made };
      },
    };
    return exchanges.takerCandles?.includes(exchange)
      ? { ...question, name: 'takerCandles' as const }
      : { ...question, name: 'takerVolume' as const };
  };
}

function cvdPoints(rows: readonly Flow[]) {
  let [cvd_usd, cvd_base] = [0, 0];
  return rows.flatMap(({ timestamp, close = null, ...row }) => {
    const delta_usd = delta(row.buy_usd, row.sell_usd);
    const delta_base = delta(row.buy_base, row.sell_base);
    if (delta_usd === null || delta_base === null) return [];
    cvd_usd += delta_usd;
    cvd_base += delta_base;
    return [{ timestamp, delta_usd, cvd_usd, delta_base, cvd_base, close }];
  });
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

/** Exchanges whose taker volume a row shows; the list of OKX's spot markets has no dollars. */
const shown = {
  spot: { taker: ['binance', 'okx'], cvd: ['binance'], netflow: ['binance'] },
  perpetual: {
    taker: ['binance', 'okx', 'kraken'],
    cvd: ['binance', 'okx', 'kraken'],
    netflow: ['binance'],
  },
} as const;

const takerPath = {
  spot: '/v1/spot/taker-buysell/history',
  perpetual: '/v1/futures/taker-buysell',
} as const;

/** The rows that spot and futures have alike. */
function flowRoutes(context: Context, kind: Kind): Route[] {
  const [group, markets] = kind === 'spot' ? ['spot', 'spot markets'] : ['futures', 'perpetuals'];
  const { takerCandles = [], takerVolume = [] } = context.exchanges;
  const having = [...takerCandles, ...takerVolume];
  const all = seriesParams(sevenIntervals, 100, 1000);
  const exchange = (row: keyof typeof shown.spot) => ({
    exchange: exchangeOf(shown[kind][row], having),
  });
  const takers = flows(context, { kind, form: 'taker' }, (rows) => ({
    points: rows.map(takerPoint),
  }));
  const netflow = flows(context, { kind, form: 'netflow' }, (rows) => ({
    method: 'taker' as const,
    points: netflowPoints(rows),
  }));
  const ranking = ranked.netflowRanking(context, kind);
  return [
    route({
      ...common,
      path: takerPath[kind],
      summary: `Bought and sold by takers, of ${markets}`,
      params: { ...all, ...exchange('taker') },
      answer: takerAnswer,
      from: {
        query: (asked) =>
          (kind === 'spot' && asked.exchange === 'okx' && currencyInterval(asked.interval)) ||
          takers(asked),
      },
    }),
    route({
      ...common,
      path: `/v1/${group}/cvd/history`,
      summary: `Cumulative volume delta of ${markets}: the level depends on the first point`,
      params: { ...all, ...exchange('cvd') },
      answer: cvdAnswer,
      from: {
        query: flows(context, { kind, form: 'cvd' }, (rows) => ({ points: cvdPoints(rows) })),
      },
    }),
    route({
      ...common,
      path: `/v1/${group}/netflow`,
      summary: `Money flow of ${markets} by trades of takers`,
      params: {
        ...{ ...all, ...exchange('netflow') },
        symbol: ranked.symbolOrRanking,
        limit: params.limit(50, 500, 'Newest rows of a symbol; most rows of the ranking.'),
      },
      answer: s.chosenBy(
        { symbol: netflowAnswer },
        ranked.rankingAnswer,
        'With `symbol`, its rows; without, a ranking of the most traded assets.',
      ),
      from: {
        query: ({ symbol, ...asked }) =>
          symbol === undefined ? ranking(asked) : netflow({ ...asked, symbol }),
      },
    }),
  ];
}

const share = { minimum: 0, maximum: 1 };
const ratioAnswer = seriesOf(
  {
    taker_buy_usd: s.number('Bought by takers, US dollars.'),
    taker_sell_usd: s.number('Sold by takers, US dollars.'),
    buy_ratio: s.number('Bought share of both, a fraction.', share),
    sell_ratio: s.number('Sold share of both, a fraction.', share),
    buy_sell_ratio: s.numberOrNull('Bought over sold; null where nothing was sold.'),
  },
  {},
);

/** Rows in dollars of which something was traded. */
const ratioPoints = (rows: readonly TakerPoint[]) =>
  rows.flatMap(({ timestamp, buy_usd: buy, sell_usd: sell }) => {
    const bought = buyShare(buy, sell);
    if (bought === null || buy === null || sell === null) return [];
    return [
      {
        ...{ timestamp, taker_buy_usd: buy, taker_sell_usd: sell },
        ...{ buy_ratio: bought, sell_ratio: 1 - bought, buy_sell_ratio: buySellRatio(buy, sell) },
      },
    ];
  });

function takerRatioRoute(context: Context): Route {
  const { takerCandles = [], takerVolume = [] } = context.exchanges;
  const exchange = exchangeOf(shown.perpetual.taker, [...takerCandles, ...takerVolume]);
  return route({
    ...common,
    path: '/v1/long-short-ratio/taker-buysell-ratio',
    summary: 'Share of the volume that takers bought, of perpetuals',
    params: { ...seriesParams(sevenIntervals, 100, 500), exchange },
    answer: ratioAnswer,
    from: {
      query: flows(context, { kind: 'perpetual', form: 'ratio' }, (rows) => ({
        points: ratioPoints(rows),
      })),
    },
  });
}

const takerVolumeRoute = ({ markets }: Context): Route =>
  route({
    ...common,
    path: '/v1/analytics/taker-volume',
    summary: 'Bought and sold by takers on Binance USD-M',
    params: seriesParams(nineIntervals, 30, 500),
    answer: takerAnswer,
    from: {
      query(asked) {
        const found = markets.resolve(asked.symbol, { kind: 'perpetual', exchanges: ['binance'] });
        if (isApiError(found)) return found;
        return {
          source: 'binance',
          name: 'takerVolume',
          params: askOf(found.market, 'perpetual', asked),
          what: `the taker volume of ${asked.symbol} on binance`,
          form: found.symbol,
          data: ({ market, points }) => ({
            ...{ symbol: found.symbol, exchange: 'binance', pair: market },
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
    ? [
        ...flowRoutes(context, 'spot'),
        ...flowRoutes(context, 'perpetual'),
        takerRatioRoute(context),
      ]
    : []),
  ...(context.exchanges.takerVolume?.includes('binance') ? [takerVolumeRoute(context)] : []),
];
