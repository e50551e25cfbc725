/** Answers the first question of a web worker: the log of liquidations as far as it is stored. */
import { minute } from '../../config/time.ts';
import { stepAt } from '../../indicators/market/buckets.ts';
import type { Result } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import type {
  LiquidationState,
  LiquidationStateParams,
  MinuteRows,
  Reply,
} from '../topics/index.ts';
import type { Series } from './define.ts';
import { lateness, logPosition, placeOf } from './liquidation-rows.ts';
import * as logs from './logs.ts';
import { replyOf } from './reply.ts';
import { liquidationFeeds, liquidations } from './series/liquidations.ts';
import { type Range, type Store, StoreError } from './store.ts';

/** Newest events of all exchanges, and of one of which fewer are among those. */
const most = { events: 10_000, each: 500 };
/** Attempts to read the newest minutes without a write in between. */
const attempts = 5;

/** The handlers of the bus, by the names of the queries. */
export const liquidationAnswers = (store: Store, clock: Clock) => ({
  liquidationState(asked: LiquidationStateParams): Promise<Result<Reply<LiquidationState>>> {
    const received = clock.now();
    return replyOf({ received }, () => stateOf(store, asked, received));
  },
});

/** Rejects with a StoreError where nothing was stored yet, or where constant writes leave no consistent moment. */
async function stateOf(
  store: Store,
  { from, exchanges }: LiquidationStateParams,
  now: number,
): Promise<LiquidationState> {
  const newest = Object.values(placeOf(await store.position(logPosition))?.heard ?? {});
  // Older minutes do not change any more.
  const settled = stepAt(Math.max(0, ...newest) - lateness, minute);
  const past = await minutesOf(store, { from, to: settled - 1 });
  const recent = { from: Math.max(from, settled), to: now + minute };
  for (let tries = 0; tries < attempts; tries++) {
    const text = await store.position(logPosition);
    const present = await minutesOf(store, recent);
    const events = await eventsOf(store, { from, to: now + minute }, exchanges);
    const place = placeOf(text);
    if (place && text === (await store.position(logPosition))) {
      const feeds = [...past.feeds, ...present.feeds];
      return { ...place, feeds, sums: [...past.sums, ...present.sums], events };
    }
  }
  throw new StoreError('away', 'the log of liquidations is being stored');
}

async function minutesOf(store: Store, range: Range) {
  const rowsOf = async (series: Series): Promise<MinuteRows[]> => {
    const found = range.to < range.from ? [] : await store.scan(series, minute, range);
    return [...found].map(([key, { times, columns }]) => ({ key, times, columns }));
  };
  return { feeds: await rowsOf(liquidationFeeds), sums: await rowsOf(liquidations) };
}

/** Newest first. */
async function eventsOf(
  store: Store,
  range: Range,
  exchanges: readonly string[],
): Promise<logs.StoredEvent[]> {
  const newest = await store.log(logs.events, { ...range, limit: most.events });
  if (newest.length < most.events) return newest;
  const lists: logs.StoredEvent[][] = [];
  for (const exchange of exchanges) {
    const own = newest.filter((event) => event.exchange === exchange);
    const isEnough = own.length >= most.each;
    const wanted = { ...range, owner: exchange, limit: most.each };
    lists.push(isEnough ? own : await store.log(logs.events, wanted));
  }
  return lists.flat().sort((a, b) => b.timestamp - a.timestamp);
}
