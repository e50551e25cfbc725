/** Answers that a cache in front of an exchange gives while that is away: `stale-if-error` and `Age`. */
import t from 'tap';
import { success } from '../../../../actors/failure.ts';
import { InstrumentBook } from '../../../../actors/sources/instruments.ts';
import { VenueRows } from '../../../../actors/sources/market-rows.ts';
import { Poller } from '../../../../actors/sources/polling/poller.ts';
import { venueAnswers } from '../../../../actors/sources/queries/queries.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import type { PriceRow, Reading } from '../../../../actors/topics/index.ts';
import { backpack } from '../../../../actors/venues/backpack/index.ts';
import { FakeClock } from '../../../support/clock.ts';
import { feedContext, price } from '../../../support/feed-stage.ts';
import { instrument } from '../../../support/makers.ts';
import { around } from '../../../support/sources.ts';

const hour = 3_600_000;

/** Every answer is `body`, `age` ms old where it states one. */
function stage() {
  const clock = new FakeClock();
  const reply: { body: unknown; age?: number } = { body: null };
  const client = {
    send: async () => success({ asked: clock.now() - 40, received: clock.now(), ...reply }),
    state: () => ({ pausedUntil: null, host: '', breaker: 'closed' as const }),
    close: async () => {},
  };
  return { clock, reply, client };
}

t.test('a poll does not replace what is newer, and is as old as it says', async (t) => {
  const { clock, reply, client } = stage();
  const { context: made, list, published } = feedContext(clock, 'x.example');
  const context = { ...made, client: () => client };
  list('all', 'A', 'B');
  const poller = new Poller({
    source: 'x',
    part: 'all',
    every: 30_000,
    context,
    topics: ['prices'],
    poll: {
      requests: () => [{ api: 'rest', path: 'all' }],
      parse: ([rows]) => ({ prices: { rows: rows as PriceRow[], dropped: [] } }),
    },
    rows: new VenueRows('x', context, () => undefined),
    watch: { observe() {}, frozen: () => false, apart: (all) => all },
    onUnknown() {},
  });
  const run = () => poller.run({ now: clock.now(), signal: new AbortController().signal });
  reply.body = [price('A', 1)];
  t.equal(await run(), null);
  const last = clock.now();
  await clock.advance(30_000);
  Object.assign(reply, { body: [price('A', 1.1), price('B', 2)], age: hour / 2 });
  t.equal(await run(), null);
  const [, , reading] = published.at(-1) ?? [];
  const { received, rows } = reading as Reading<PriceRow>;
  const seen = rows.map((row) => [row.market, row.price, row.received ?? received]);
  t.strictSame(seen, [
    ['A', 1, last],
    ['B', 2, clock.now() - hour / 2],
  ]);
  const { last_success, latency_ms } = context.status.row('prices', 'all').values;
  t.strictSame([last_success, latency_ms], [last, 40]);
});

t.test('a bar that ran when it was given has not ended in it', async (t) => {
  const { clock, reply, client } = stage();
  const newest = new NewestRows();
  const rows = [instrument({ market: 'BTC_USDC', kind: 'spot', quote: 'USDC' })];
  newest.accept('instruments', { source: 'backpack', part: 'all', asked: 0, received: 0, rows });
  const book = new InstrumentBook(newest);
  const context = { book, clock, onUnknown() {}, ...around(clock) };
  const { candles } = venueAnswers(backpack, client, context);
  const open = Math.floor(clock.now() / hour) * hour - hour;
  const start = new Date(open).toISOString().slice(0, 19);
  const bar = { start, open: '1', high: '2', low: '1', close: '2', volume: '3', quoteVolume: '5' };
  const closed = async () => {
    const params = { market: 'BTC_USDC', interval: '1h', limit: 1 } as const;
    const result = await candles?.(params, { deadline: clock.monotonic() + 9_000, account: '' });
    const last = result?.ok ? result.value.value.candles.at(-1) : undefined;
    return [last?.timestamp, last?.closed];
  };
  Object.assign(reply, { body: [bar] });
  t.strictSame(await closed(), [open, true]);
  Object.assign(reply, { age: hour });
  t.strictSame(await closed(), [open, false]);
});
