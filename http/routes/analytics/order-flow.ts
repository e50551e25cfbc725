/** Order flow: what takers buy and sell (specification 4.3, 4.4, 4.5 and 4.10). */
import type { TakerPoint } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { buySellRatio, buyShare, delta } from '../../../indicators/derivatives/order-flow.ts';
import { type Route, route } from '../../endpoints/route.ts';
import { columns } from '../factory/columns.ts';
import { ascending, history, historyAnswer, timed } from '../factory/history.ts';
import {
  type MarketContext,
  ofMarket,
  type StepValues,
  stepsOf,
} from '../factory/market-subject.ts';
import * as params from '../params.ts';
import { group } from './common.ts';
import * as ranked from './netflow-ranking.ts';
import { currencyInterval, nineIntervals, seriesParams, sevenIntervals } from './series.ts';

type Context = MarketContext & ranked.RankingContext;

/** Which markets a row is about. */
type Kind = 'spot' | 'perpetual';

/** Of taker volume or of a candle that states it. */
interface Flow extends TakerPoint {
  close?: number;
}

/** What takers bought and sold; the ratio is of base units where they are known. */
const takerPoint = columns<TakerPoint>(timed)({
  taker_buy_usd: [s.numberOrNull('Bought by takers, US dollars.'), 'buy_usd'],
  taker_sell_usd: [s.numberOrNull('Sold by takers, US dollars.'), 'sell_usd'],
  taker_buy_base: [s.numberOrNull('Base units.'), 'buy_base'],
  taker_sell_base: [s.numberOrNull('Base units.'), 'sell_base'],
  buy_sell_ratio: [
    s.numberOrNull('Bought over sold; null where nothing was sold.'),
    (point) => buySellRatio(point.buy_base ?? point.buy_usd, point.sell_base ?? point.sell_usd),
  ],
  delta_usd: [
    s.numberOrNull('Bought less sold, US dollars.'),
    (point) => delta(point.buy_usd, point.sell_usd),
  ],
  closed: [
    s.boolean('False while the interval still ran when the exchange was asked.'),
    ({ closed = true }) => closed,
  ],
});

/** Running sums, of rows that have both units. */
function cvdOf(rows: readonly Flow[]) {
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
const cvdPoint = columns<ReturnType<typeof cvdOf>[number]>(timed)({
  delta_usd: s.number('Bought less sold by takers, US dollars.'),
  cvd_usd: s.number('Sum of the differences from the first point on, US dollars.'),
  delta_base: s.number('Bought less sold, base units.'),
  cvd_base: s.number('Sum of the differences from the first point on, base units.'),
  close: s.numberOrNull(
    'Last price of the interval, in quote; null where the volumes come without one.',
  ),
});

/** Rows in dollars. */
const dollarsOf = (rows: readonly TakerPoint[]) =>
  rows.flatMap(({ timestamp, buy_usd: buy, sell_usd: sell }) =>
    buy === null || sell === null ? [] : [{ timestamp, buy, sell, share: buyShare(buy, sell) }],
  );
type Dollars = ReturnType<typeof dollarsOf>[number];

const netflowPoint = columns<Dollars>(timed)({
  inflow_usd: [s.number('Bought by takers, US dollars.'), 'buy'],
  outflow_usd: [s.number('Sold by takers, US dollars.'), 'sell'],
  netflow_usd: [s.number('The difference.'), ({ buy, sell }) => buy - sell],
});
const fraction = { minimum: 0, maximum: 1 };
const ratioPoint = columns<Dollars & { share: number }>(timed)({
  taker_buy_usd: [s.number('Bought by takers, US dollars.'), 'buy'],
  taker_sell_usd: [s.number('Sold by takers, US dollars.'), 'sell'],
  buy_ratio: [s.number('Bought share of both, a fraction.', fraction), 'share'],
  sell_ratio: [s.number('Sold share of both, a fraction.', fraction), ({ share }) => 1 - share],
  buy_sell_ratio: [
    s.numberOrNull('Bought over sold; null where nothing was sold.'),
    ({ buy, sell }) => buySellRatio(buy, sell),
  ],
});

/** The taker volume of a market: out of candles where they state it, since they reach further back. */
const takersOf = (context: Context, kind: Kind, on: readonly string[]) =>
  ofMarket<'takerCandles' | 'takerVolume', StepValues>(context, {
    names: ['takerCandles', 'takerVolume'],
    kind,
    on,
    what: 'the taker volume',
    refuse: (exchange, { interval }) =>
      kind === 'spot' && exchange === 'okx' ? currencyInterval(interval) : null,
    params: stepsOf,
  });

/** Exchanges that state what takers of perpetuals bought and sold in dollars. */
const inDollars = ['binance', 'okx', 'kraken'];

const path = {
  spot: '/v1/spot/taker-buysell/history',
  perpetual: '/v1/futures/taker-buysell',
};

/** The rows that spot and futures have alike. The list of OKX's spot markets has no dollars. */
function flowRows(context: Context, kind: Kind): Route[] {
  const isSpot = kind === 'spot';
  const [place, markets] = isSpot ? ['spot', 'spot markets'] : ['futures', 'perpetuals'];
  const all = seriesParams(sevenIntervals, 100, 1000);
  return [
    ...history({
      path: path[kind],
      group,
      summary: `Bought and sold by takers, of ${markets}`,
      params: all,
      of: takersOf(context, kind, isSpot ? ['binance', 'okx'] : inDollars),
      fold: ({ points }) => points,
      points: ascending(takerPoint),
    }),
    ...history({
      path: `/v1/${place}/cvd/history`,
      group,
      summary: `Cumulative volume delta of ${markets}: the level depends on the first point`,
      params: all,
      of: takersOf(context, kind, isSpot ? ['binance'] : inDollars),
      fold: ({ points }) => cvdOf(points),
      points: ascending(cvdPoint),
    }),
    ...netflowRow(context, kind),
  ];
}

/** With a symbol its history, without one the ranking. */
function netflowRow(context: Context, kind: Kind): Route[] {
  const [place, markets] = kind === 'spot' ? ['spot', 'spot markets'] : ['futures', 'perpetuals'];
  const of = takersOf(context, kind, ['binance']);
  if (!of.isAnswered) return [];
  const path = `/v1/${place}/netflow`;
  const own = historyAnswer({
    path,
    params: seriesParams(sevenIntervals, 50, 500),
    of,
    head: ranked.method,
    fold: ({ points }) => dollarsOf(points),
    points: ascending(netflowPoint),
  });
  const ranking = ranked.netflowRanking(context, kind);
  return [
    route({
      method: 'GET',
      access: 'key',
      path,
      group,
      summary: `Money flow of ${markets} by trades of takers`,
      fails: of.fails,
      params: {
        ...seriesParams(sevenIntervals, 50, 500),
        ...of.params,
        symbol: ranked.symbolOrRanking,
        limit: params.limit(50, 500, 'Newest rows of a symbol; most rows of the ranking.'),
      },
      answer: s.chosenBy(
        { symbol: s.named('NetflowOfSymbol', own.answer) },
        s.named('NetflowRanking', ranking.answer),
        'With `symbol`, its rows; without, a ranking of the most traded assets.',
      ),
      from: {
        query: ({ symbol, ...asked }) =>
          symbol === undefined ? ranking.query(asked) : own.query({ ...asked, symbol }),
      },
    }),
  ];
}

const rest = (context: Context): Route[] => [
  ...history({
    path: '/v1/long-short-ratio/taker-buysell-ratio',
    group,
    summary: 'Share of the volume that takers bought, of perpetuals',
    params: seriesParams(sevenIntervals, 100, 500),
    of: takersOf(context, 'perpetual', inDollars),
    fold: ({ points }) =>
      dollarsOf(points).flatMap((row) =>
        row.share === null ? [] : [{ ...row, share: row.share }],
      ),
    points: ascending(ratioPoint),
  }),
  ...history({
    path: '/v1/analytics/taker-volume',
    group,
    summary: 'Bought and sold by takers on Binance USD-M',
    params: seriesParams(nineIntervals, 30, 500),
    of: ofMarket<'takerVolume', StepValues>(context, {
      names: ['takerVolume'],
      kind: 'perpetual',
      on: 'binance',
      what: 'the taker volume',
      params: stepsOf,
    }),
    fold: ({ points }) => points,
    points: ascending(takerPoint),
  }),
  ...history({
    path: '/v1/analytics/okx/taker-volume',
    group,
    summary: 'Volume bought and sold by takers on OKX',
    params: {
      ...seriesParams(sevenIntervals, 100, 500),
      market: {
        type: 'string',
        default: 'contracts',
        enum: ['contracts', 'spot'],
        description: 'The perpetual in USDT, or all spot markets of the asset.',
      },
    },
    of: ofMarket<'takerVolume', StepValues & { market: string }>(context, {
      names: ['takerVolume'],
      kind: ({ market }) => (market === 'spot' ? 'spot' : 'perpetual'),
      on: 'okx',
      what: 'the taker volume',
      id: 'contract',
      refuse: (_, { market, interval }) => (market === 'spot' ? currencyInterval(interval) : null),
      params: stepsOf,
    }),
    fold: ({ points }) => points,
    points: ascending(takerPoint),
  }),
];

export const orderFlowRoutes = (context: Context): Route[] => [
  ...flowRows(context, 'spot'),
  ...flowRows(context, 'perpetual'),
  ...rest(context),
];
