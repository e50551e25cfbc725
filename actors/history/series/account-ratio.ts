import type { MarketState } from '../../state/market-state.ts';
import { type LongShortPoint, recordedKey } from '../../topics/index.ts';
import { type Ask, defineSeries, last } from '../define.ts';
import { askLeading, trackedKeys } from './tracked.ts';

/** The exchange that counts the accounts of each contract every five minutes. */
const source = 'binance';
const query = 'longShort';
const kind = 'perpetual';
const step = '5m';
/** Rows of one question: more than a day. */
const rows = 500;

const rowOf = ({ timestamp, long, short }: LongShortPoint) => ({
  time: timestamp,
  values: { long, short },
});

function asks(key: string, market: MarketState): Ask<'account-ratio'>[][] {
  const [, symbol = ''] = key.split('/');
  return askLeading(market, { query, source, kind, symbol }, (leading) => ({
    ...{ key, step, source },
    name: query,
    params: { market: leading, kind, of: 'accounts', interval: step, limit: rows },
    rows: (reply) => reply.points.map(rowOf),
  }));
}

/** Shares of the accounts that are long and short of the tracked assets, as the exchange states them. */
export const accountRatio = defineSeries({
  name: 'account-ratio',
  key: 'exchange/asset',
  columns: { long: last('fraction'), short: last('fraction') },
  tiers: [
    { step, keep: '30d' },
    { step: '1h', keep: '10y' },
  ],
  backfill: {
    keys: trackedKeys(query, (at, symbol) => (at === source ? [recordedKey(at, symbol)] : [])),
    asks,
    exact: true,
    every: 300_000,
  },
});
