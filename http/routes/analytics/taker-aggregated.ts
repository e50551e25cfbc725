/** What takers bought and sold on all exchanges together, out of the recorded flow. */
import { type Recorded, type RecordedRows, recordedKey } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { flowsOf, type SummedFlow } from '../../../indicators/derivatives/order-flow.ts';
import type { FollowedKind } from '../../../indicators/market/market-names.ts';
import { rowsIn } from '../../../indicators/market/recorded.ts';
import type { Route } from '../../endpoints/route.ts';
import { columns } from '../factory/columns.ts';
import { points, timestamp } from '../factory/history.ts';
import type { MarketContext } from '../factory/market-subject.ts';
import { coverage, coverageBy, recorded, recordedSteps } from '../factory/recorded-subject.ts';
import * as params from '../params.ts';
import { group } from './common.ts';

/** The steps of which every minute is known. */
const wholeFlows = (row: RecordedRows) =>
  rowsIn(row, { buy_usd: 'buy_usd', sell_usd: 'sell_usd' }).map(({ time: timestamp, ...flow }) => ({
    timestamp,
    ...flow,
  }));

/** The flow of an asset as it is recorded of each exchange: as its candles state it, or as its trades by stream add up to. */
export function recordedFlows({ markets, exchanges }: MarketContext, kind: FollowedKind) {
  const { takerCandles = [], spotTrades = [], perpetualTrades = [] } = exchanges;
  const streamed = kind === 'spot' ? spotTrades : perpetualTrades;
  const ids = [...new Set([...takerCandles, ...streamed])];
  return {
    group,
    params: {
      ...params.seriesParams(params.minuteIntervals, 100, 500),
      symbol: params.asset(params.symbolOrBitcoin, markets, { kind, exchanges: ids }),
    },
    isAnswered: ids.length > 0,
    series: 'taker-flow' as const,
    what: 'the taker volume',
    keys: ({ symbol }: { symbol: string }) => ids.map((id) => recordedKey(id, kind, symbol)),
    range: recordedSteps,
    head: columns<{ replies: readonly (Recorded | null)[] }>()({
      coverage_by_exchange: [
        s.mapOf(coverage, 'exchange'),
        ({ replies: [own] }) => coverageBy(ids.map((id, i) => [id, own?.rows[i]])),
      ],
    }),
    flowsIn: ({ rows }: Recorded) =>
      ids.flatMap((exchange, i) => {
        const own = rows[i];
        return own ? [{ exchange, rows: wholeFlows(own) }] : [];
      }),
  };
}

const bought = s.number('Bought by takers, US dollars.');
const sold = s.number('Sold by takers, US dollars.');

const point = columns<SummedFlow>()({
  timestamp,
  taker_buy_usd: [s.number('Bought by takers on all these exchanges.'), 'buy_usd'],
  taker_sell_usd: [s.number('Sold by takers on all these exchanges.'), 'sell_usd'],
  buy_ratio: [
    s.numberOrNull('Bought share of both, a fraction; null where nothing was traded.'),
    'buy_share',
  ],
  exchange_count: [
    s.integer('Exchanges with a row of this interval.'),
    ({ exchanges }) => Object.keys(exchanges).length,
  ],
  exchanges: s.mapOf(s.object({ taker_buy_usd: bought, taker_sell_usd: sold }), 'exchange'),
});

const row = (context: MarketContext, kind: FollowedKind, path: string): Route[] => {
  const { flowsIn, ...of } = recordedFlows(context, kind);
  const markets = kind === 'spot' ? 'spot markets' : 'perpetuals';
  return recorded({
    ...of,
    path,
    summary: `Bought and sold by takers, of ${markets} on several exchanges together`,
    fold: (reply, { values }) => flowsOf(flowsIn(reply), values.limit),
    points: points(point),
  });
};

export const takerAggregatedRoutes = (context: MarketContext): Route[] => [
  ...row(context, 'spot', '/v1/spot/taker-buysell/aggregated'),
  ...row(context, 'perpetual', '/v1/futures/taker-buysell/aggregated'),
];
