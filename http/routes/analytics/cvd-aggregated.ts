/** Cumulative volume delta over several exchanges (specification 4.10). */
import { deltasOf } from '../../../indicators/derivatives/order-flow.ts';
import { isApiError, kit, params, s } from '../kit.ts';
import { recordedFlows } from './taker-aggregated.ts';

type Context = kit.MarketContext & kit.Needs<'perpetuals' | 'clock'>;

/** Exchanges with what takers bought and sold in dollars, and the margins of the contracts that count. */
const shown = [
  { exchange: 'binance', margins: ['stable', 'coin'] },
  { exchange: 'okx', margins: ['stable'] },
  { exchange: 'kraken', margins: ['stable'] },
] as const;

const ids = shown.map(({ exchange }) => exchange);

interface Market {
  exchange: string;
  market: string;
}

/** The most traded contract of an asset of each margin on each exchange. */
const marketsOf = ({ perpetuals }: Context, symbol: string): Market[] =>
  shown.flatMap(({ exchange, margins }) =>
    margins.flatMap((margin) => {
      const found = perpetuals.leading(exchange, symbol, margin);
      return found ? [{ exchange, market: found.contract }] : [];
    }),
  );

type Name = 'takerCandles' | 'takerVolume';

/** The replies about all markets, in their order. */
const repliesOf = ({
  replies,
  otherReplies,
}: Pick<kit.Replies<Name, unknown>, 'replies' | 'otherReplies'>) => [
  ...replies,
  ...(otherReplies.takerVolume ?? []),
];

/** The exchanges of which a market could not be had. */
const failed = kit.columns<
  Pick<kit.Replies<Name, { all: readonly Market[] }>, 'values' | 'replies' | 'otherReplies'>
>()({
  failed_exchanges: [
    s.list(s.string(), 'Exchanges of which a market could not be had.'),
    (given) => {
      const replies = repliesOf(given);
      const missing = given.values.all.filter((_, i) => replies[i] === null);
      return [...new Set(missing.map(({ exchange }) => exchange))];
    },
  ],
});

const point = kit.columns<ReturnType<typeof deltasOf>[number]>()({
  timestamp: kit.timestamp,
  delta_usd: [s.number('Bought less sold by takers on all these exchanges.'), 'delta'],
  cvd_usd: [s.number('Sum of `delta_usd` from the first point of this page on.'), 'cumulated'],
  exchange_count: kit.exchangeCount('with a row of this interval'),
  exchanges: s.mapOf(s.number('Bought less sold by takers, US dollars.'), 'exchange'),
});

/** Without Binance there is no row. All markets: their candles where those state what takers bought, else the volumes themselves. */
function futuresRow(context: Context) {
  const { takerCandles = [], takerVolume = [] } = context.exchanges;
  const hasCandles = ({ exchange }: Market) => takerCandles.includes(exchange);
  return kit.history({
    path: '/v1/futures/cvd/aggregated',
    summary: 'Cumulative volume delta of perpetuals on binance, okx, kraken together',
    params: {
      ...params.seriesParams(params.sevenIntervals, 100, 500),
      symbol: params.asset(context.markets, 'perpetual', ids),
    },
    of: {
      names: ['takerVolume', 'takerCandles'],
      isAnswered: [...takerCandles, ...takerVolume].includes('binance'),
      resolve({ symbol }) {
        const all = marketsOf(context, symbol);
        return { all: [...all.filter(hasCandles), ...all.filter((one) => !hasCandles(one))] };
      },
      what: ({ symbol }) => `the taker volume of ${symbol}`,
      ask({ all, ...values }) {
        const queries = all.map(({ exchange, market }) => ({
          source: exchange,
          params: kit.stepsOf({ market, kind: 'perpetual' }, values),
        }));
        const candles = all.filter(hasCandles).length;
        const count = candles > 0 ? candles : all.length;
        const asked = kit.toAll<Name>(queries.slice(0, count), values.symbol);
        if (isApiError(asked)) return asked;
        const name = candles > 0 ? 'takerCandles' : 'takerVolume';
        return { ...asked, name, otherQueries: { takerVolume: queries.slice(count) } };
      },
    },
    head: failed,
    foldAll({ values, ...given }) {
      const replies = repliesOf(given);
      const rows = values.all.map(({ exchange }, i) => ({
        exchange,
        rows: replies[i]?.points ?? [],
      }));
      return deltasOf(rows, values.limit);
    },
    points: kit.points(point),
  });
}

/** The recorded taker flow of the spot markets of an asset. */
function spotRow(context: Context) {
  const { flowsIn, ...of } = recordedFlows(context, 'spot');
  return kit.recorded({
    ...of,
    path: '/v1/spot/cvd/aggregated',
    summary: 'Cumulative volume delta of spot markets on several exchanges together',
    fold: (reply, { values }) => deltasOf(flowsIn(reply), values.limit),
    points: kit.points(point),
  });
}

/** Cumulative volume delta over exchanges: of perpetuals as they state it themselves, of spot markets as it is recorded. */
export const cvdAggregatedRoutes = (context: Context) => [
  ...futuresRow(context),
  ...spotRow(context),
];
