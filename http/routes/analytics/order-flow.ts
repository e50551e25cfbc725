/** Order flow: what takers buy and sell (specification 4.3, 4.4, 4.5 and 4.10). */
import type { Interval, TakerPoint } from '../../../actors/topics/index.ts';
import * as orderFlow from '../../../indicators/derivatives/order-flow.ts';
import type { FollowedKind } from '../../../indicators/market/market-names.ts';
import { apiError, kit, params, s } from '../kit.ts';
import * as ranked from './netflow-ranking.ts';

type Context = kit.MarketContext & ranked.RankingContext;

const buy_sell_ratio = s.numberOrNull('Bought over sold; null where nothing was sold.');

/** What takers bought and sold; the ratio is of base units where they are known. */
const takerPoint = kit.columns<TakerPoint>()({
  timestamp: kit.timestamp,
  taker_buy_usd: [s.numberOrNull('Bought by takers.'), 'buy_usd'],
  taker_sell_usd: [s.numberOrNull('Sold by takers.'), 'sell_usd'],
  taker_buy_base: [s.numberOrNull(), 'buy_base'],
  taker_sell_base: [s.numberOrNull(), 'sell_base'],
  buy_sell_ratio: [
    buy_sell_ratio,
    (row) => orderFlow.buySellRatio(row.buy_base ?? row.buy_usd, row.sell_base ?? row.sell_usd),
  ],
  delta_usd: [
    s.numberOrNull('Bought less sold.'),
    (row) => orderFlow.delta(row.buy_usd, row.sell_usd),
  ],
  closed: [s.boolean('False where the interval still ran.'), ({ closed = true }) => closed],
});

const cvdPoint = kit.columns<ReturnType<typeof orderFlow.runningDeltas>[number]>()({
  timestamp: kit.timestamp,
  delta_usd: s.number('Bought less sold by takers.'),
  cvd_usd: s.number('Sum of `delta_usd` from the first point of this page on.'),
  delta_base: s.number('Bought less sold.'),
  cvd_base: s.number('Sum of `delta_base` from the first point of this page on.'),
  close: s.numberOrNull('Last price, in quote; null where the volumes come without one.'),
});

/** Rows in dollars. */
const dollarsOf = (rows: readonly TakerPoint[]) =>
  rows.flatMap(({ timestamp, buy_usd: buy, sell_usd: sell }) =>
    buy === null || sell === null
      ? []
      : [{ timestamp, buy, sell, share: orderFlow.buyShare(buy, sell) }],
  );
type Dollars = ReturnType<typeof dollarsOf>[number];
const hasShare = (row: Dollars): row is Dollars & { share: number } => row.share !== null;

const netflowPoint = kit.columns<Dollars>()({
  timestamp: kit.timestamp,
  inflow_usd: [s.number('Bought by takers.'), 'buy'],
  outflow_usd: [s.number('Sold by takers.'), 'sell'],
  netflow_usd: [s.number('The difference.'), ({ buy, sell }) => buy - sell],
});

const fraction = { minimum: 0, maximum: 1 };
const ratioPoint = kit.columns<Dollars & { share: number }>()({
  timestamp: kit.timestamp,
  taker_buy_usd: [s.number('Bought by takers.'), 'buy'],
  taker_sell_usd: [s.number('Sold by takers.'), 'sell'],
  buy_ratio: [s.number('Bought share of both, a fraction.', fraction), 'share'],
  sell_ratio: [s.number('Sold share of both, a fraction.', fraction), ({ share }) => 1 - share],
  buy_sell_ratio: [buy_sell_ratio, ({ buy, sell }) => orderFlow.buySellRatio(buy, sell)],
});

/** The taker volume of a market: out of candles where they state it, since they reach further back. */
const ofTakers = (context: Context, kind: FollowedKind, on: readonly string[]) =>
  kit.ofMarket(context, {
    names: ['takerCandles', 'takerVolume'],
    kind,
    on,
    what: 'the taker volume',
    refuse: (exchange, { interval }: kit.StepValues) =>
      kind === 'spot' && exchange === 'okx' ? ofCurrency(interval) : null,
    params: kit.stepsOf,
  });

/** The error where OKX has no such interval of its spot markets; null where it has. */
const ofCurrency = (interval: Interval): kit.ApiError | null =>
  params.currencyIntervals.some((word) => word === interval)
    ? null
    : apiError(
        'bad_parameter',
        `interval of spot must be one of ${params.currencyIntervals.join(', ')}`,
      );

/** Exchanges that state what takers of perpetuals bought and sold in dollars. */
const inDollars = ['binance', 'okx', 'kraken'];

const takers = {
  fold: ({ points }: { points: readonly TakerPoint[] }) => points,
  points: kit.points(takerPoint),
} as const;

interface OkxValues extends kit.StepValues {
  market: string;
}

/** The rows about taker volume itself. */
const takerRows = (context: Context) => [
  ...kit.history({
    ...takers,
    path: '/v1/spot/taker-buysell/history',
    summary: 'Bought and sold by takers, of spot markets',
    params: params.seriesParams(params.sevenIntervals, 100, 1000),
    // Those of OKX are in base units alone.
    of: ofTakers(context, 'spot', ['binance', 'okx']),
  }),
  ...kit.history({
    ...takers,
    path: '/v1/futures/taker-buysell',
    summary: 'Bought and sold by takers, of perpetuals',
    params: params.seriesParams(params.sevenIntervals, 100, 1000),
    of: ofTakers(context, 'perpetual', inDollars),
  }),
  ...kit.history({
    ...takers,
    path: '/v1/analytics/taker-volume',
    summary: 'Bought and sold by takers on Binance USD-M',
    params: params.seriesParams(params.nineIntervals, 30, 500),
    of: kit.ofMarket(context, {
      names: ['takerVolume'],
      on: 'binance',
      what: 'the taker volume',
      params: kit.stepsOf,
    }),
  }),
  ...kit.history({
    ...takers,
    path: '/v1/analytics/okx/taker-volume',
    summary: 'Volume bought and sold by takers on OKX',
    params: {
      ...params.seriesParams(params.sevenIntervals, 100, 500),
      market: params.wordOr(
        ['contracts', 'spot'],
        'contracts',
        'The perpetual in USDT, or all spot markets of the asset.',
      ),
    },
    of: kit.ofMarket(context, {
      names: ['takerVolume'],
      kind: (values: OkxValues) => (values.market === 'spot' ? 'spot' : 'perpetual'),
      on: 'okx',
      what: 'the taker volume',
      id: 'contract',
      refuse: (_, values: OkxValues) =>
        values.market === 'spot' ? ofCurrency(values.interval) : null,
      params: kit.stepsOf,
    }),
  }),
];

const cvdRows = kit.ofBothKinds((context: Context, { kind, place, markets }) =>
  kit.history({
    path: `/v1/${place}/cvd/history`,
    summary: `Cumulative volume delta of ${markets}: the level depends on the first point`,
    params: params.seriesParams(params.sevenIntervals, 100, 1000),
    of: ofTakers(context, kind, kind === 'spot' ? ['binance'] : inDollars),
    fold: (reply) => orderFlow.runningDeltas(reply.points),
    points: kit.points(cvdPoint),
  }),
);

const shareRow = (context: Context) =>
  kit.history({
    path: '/v1/long-short-ratio/taker-buysell-ratio',
    summary: 'Share of the volume that takers bought, of perpetuals',
    params: params.seriesParams(params.sevenIntervals, 100, 500),
    of: ofTakers(context, 'perpetual', inDollars),
    fold: (reply) => dollarsOf(reply.points).filter(hasShare),
    points: kit.points(ratioPoint),
  });

/** With a symbol its net flow over time, without one the ranking. */
const netflowRows = kit.ofBothKinds((context: Context, { kind, place, markets }) => {
  const path = `/v1/${place}/netflow`;
  const of = ofTakers(context, kind, ['binance']);
  const all = { ...params.seriesParams(params.sevenIntervals, 50, 500), limit: ranked.limit };
  const own = kit.historyAnswer({
    path,
    params: all,
    of,
    head: ranked.method,
    fold: (reply) => dollarsOf(reply.points),
    points: kit.points(netflowPoint),
  });
  const ranking = ranked.netflowRanking(context, kind);
  const row = kit.route({
    path,
    summary: `Money flow of ${markets} by trades of takers`,
    fails: ['upstream_failed'],
    params: { ...all, ...of.params, symbol: ranked.symbolOrRanking },
    answer: s.chosenBy(
      { symbol: s.named('NetflowOfSymbol', own.answer) },
      s.named('NetflowRanking', ranking.answer),
      'With `symbol`, its rows; without, a ranking of the most traded assets.',
    ),
    from: {
      query: ({ symbol, ...asked }) =>
        symbol === undefined ? ranking.query(asked) : own.query({ ...asked, symbol }),
    },
  });
  return of.isAnswered ? [row] : [];
});

export const orderFlowRoutes = (context: Context) => [
  ...takerRows(context),
  ...cvdRows(context),
  ...shareRow(context),
  ...netflowRows(context),
];
