import { foldOpenInterest } from '../../../indicators/market/open-interest.ts';
import { having, type MarketState } from '../../state/market-state.ts';
import {
  type InterestPoint,
  type Interval,
  intervals,
  type Margin,
  recordedKey,
  topics,
} from '../../topics/index.ts';
import { type Ask, defineSeries, last, type SampleRow } from '../define.ts';
import { trackedKeys } from './tracked.ts';

type Row = SampleRow<'open-interest'>;

const margins: readonly Margin[] = ['stable', 'coin'];
const maxAge = topics.openInterest.maxAge;

function* sample(market: MarketState, now: number, step: number): Generator<Row> {
  const rates = market.rates(now);
  const among = step < intervals['5m'] ? new Set(market.tracked(now)) : null;
  for (const [source, readings] of market.bySource('openInterest')) {
    for (const margin of margins) {
      const own = having(
        readings,
        (row) => among?.has(row.symbol) !== false && market.marginOf(source, row.market) === margin,
      );
      const { entries, stale } = foldOpenInterest(own, { rates, now, maxAge });
      for (const [symbol, { oi_usd, oi_contracts }] of entries) {
        // A sum without one of its markets would be too low.
        if (stale.has(symbol)) continue;
        const values = { base: oi_contracts, usd: oi_usd };
        yield { key: recordedKey(source, margin, symbol), values };
      }
    }
  }
}

const rowOf = ({ timestamp, base, usd }: InterestPoint) => ({
  time: timestamp,
  values: { base, usd },
});

/** Rows of one question, and markets of one key that are asked: others have next to no open interest. */
const most = { rows: 500, markets: 2 };

function asks(key: string, market: MarketState): Ask<'open-interest'>[][] {
  const [source = '', margin, symbol = ''] = key.split('/');
  if (!market.supportedExchanges('openInterestHistory').includes(source)) return [];
  const markets = market
    .markets(source, 'perpetual', symbol, margin === 'coin' ? 'coin' : 'stable')
    .slice(0, most.markets);
  const steps: Interval[] = ['5m', '1h'];
  return steps.map((step) =>
    markets.map((one) => ({
      ...{ key, step, source },
      name: 'openInterestHistory',
      params: { market: one.market, kind: 'perpetual', interval: step, limit: most.rows },
      rows: (reply) => reply.points.map(rowOf),
    })),
  );
}

/** Open interest by exchange, margin and asset: the sum of its dollar perpetuals; each minute of the tracked assets. */
export const openInterest = defineSeries({
  name: 'open-interest',
  key: 'exchange/margin/asset',
  columns: { base: last('base asset'), usd: last('US dollars') },
  tiers: [
    { step: '1m', keep: '2y' },
    { step: '5m', keep: '2y', isSampled: true },
    { step: '1h', keep: '10y' },
  ],
  sample,
  backfill: {
    keys: trackedKeys('openInterestHistory', (source, symbol) =>
      margins.map((margin) => recordedKey(source, margin, symbol)),
    ),
    asks,
  },
});
