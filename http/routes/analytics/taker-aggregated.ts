/** What takers bought and sold on all exchanges together, out of the recorded flow. */
import { type Recorded, type RecordedRows, recordedKey } from '../../../actors/topics/index.ts';
import { flowsOf, type SummedFlow } from '../../../indicators/derivatives/order-flow.ts';
import type { FollowedKind } from '../../../indicators/market/market-names.ts';
import { rowsIn } from '../../../indicators/market/recorded.ts';
import { kit, params, s } from '../kit.ts';

/** The steps of which every minute is known. */
const wholeFlows = (row: RecordedRows) =>
  rowsIn(row, { buy_usd: 'buy_usd', sell_usd: 'sell_usd' }).map(({ time: timestamp, ...flow }) => ({
    timestamp,
    ...flow,
  }));

/** The exchanges with what takers bought of a kind of market: in their candles, or in trades by stream. */
export function exchangesWithFlows(
  { takerCandles = [], spotTrades = [], perpetualTrades = [] }: kit.MarketContext['exchanges'],
  kind: FollowedKind,
): string[] {
  return [...new Set([...takerCandles, ...(kind === 'spot' ? spotTrades : perpetualTrades)])];
}

/** The flow of an asset as it is recorded of each exchange: as its candles state it, or as its trades by stream add up to. */
export function recordedFlows({ markets, exchanges }: kit.MarketContext, kind: FollowedKind) {
  const ids = exchangesWithFlows(exchanges, kind);
  return {
    params: {
      ...params.seriesParams(params.minuteIntervals, 100, 500),
      symbol: params.asset(markets, kind, ids),
    },
    isAnswered: ids.length > 0,
    series: 'taker-flow' as const,
    what: 'the taker volume',
    keys: ({ symbol }: { symbol: string }) => ids.map((id) => recordedKey(id, kind, symbol)),
    range: kit.recordedSteps,
    head: kit.columns<{ replies: readonly (Recorded | null)[] }>()({
      coverage_by_exchange: [
        s.mapOf(kit.coverage, 'exchange'),
        ({ replies: [own] }) => kit.coverageBy(ids.map((id, i) => [id, own?.rows[i]])),
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

const point = kit.columns<SummedFlow>()({
  timestamp: kit.timestamp,
  taker_buy_usd: [s.number('Bought by takers on all these exchanges.'), 'buy_usd'],
  taker_sell_usd: [s.number('Sold by takers on all these exchanges.'), 'sell_usd'],
  buy_ratio: [s.numberOrNull('Bought share of both; null where nothing was traded.'), 'buy_share'],
  exchange_count: kit.exchangeCount('with a row of this interval'),
  exchanges: s.mapOf(s.object({ taker_buy_usd: bought, taker_sell_usd: sold }), 'exchange'),
});

export const takerAggregatedRoutes = kit.ofBothKinds(
  (context: kit.MarketContext, { kind, place, markets }) => {
    const { flowsIn, ...of } = recordedFlows(context, kind);
    return kit.recorded({
      ...of,
      path: `/v1/${place}/taker-buysell/aggregated`,
      summary: `Bought and sold by takers, of ${markets} on several exchanges together`,
      fold: (reply, { values }) => flowsOf(flowsIn(reply), values.limit),
      points: kit.points(point),
    });
  },
);
