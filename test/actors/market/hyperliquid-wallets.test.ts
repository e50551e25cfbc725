/** The tracking of wallets in the world of the simulator, whose 500 wallets hold nine tenths of most markets. */
import t from 'tap';
import type { QueryOptions } from '../../../actors/bus/query.ts';
import { success } from '../../../actors/failure.ts';
import { walletSource } from '../../../actors/market/hyperliquid-wallets.ts';
import type { JobContext } from '../../../actors/sources/context.ts';
import type { MarketState } from '../../../actors/state/market-state.ts';
import type { PositionEvents, WalletTracking } from '../../../actors/topics/hyperliquid-wallets.ts';
import type { UpstreamRequest } from '../../../actors/upstream/request.ts';
import { hyperliquid } from '../../../actors/venues/hyperliquid/index.ts';
import { Model } from '../../../scripts/simulator/model.ts';
import { venues } from '../../../scripts/simulator/registry.ts';
import { FakeClock } from '../../support/clock.ts';
import { interestRow, reading } from '../../support/makers.ts';
import { worldOf } from '../venues/readings.ts';

const start = 1_790_000_000_000;
const minute = 60_000;
const { signal } = new AbortController();

/** What Redis has of the tracking. */
interface Kept {
  tracking?: WalletTracking;
  isAway?: boolean;
}
const asking = { deadline: Infinity, signal, account: '' };

/** With `leaders` the leaderboard has those wallets, and no wallet has a position; `kept` is what was published of the tracking. */
function world(leaders?: () => readonly object[], { at = start, kept = {} as Kept } = {}) {
  const clock = new FakeClock(at);
  const own = venues.hyperliquid;
  const model = new Model({ seed: 7, symbols: 12, clock, venues: [own] });
  let weight = 0;
  const answer = ({ method = 'GET', path, body }: UpstreamRequest) => {
    if (leaders && path === '/Mainnet/leaderboard') return { leaderboardRows: leaders() };
    if (leaders && Object(body).type === 'clearinghouseState') return { assetPositions: [] };
    const about = { method, path, query: new URLSearchParams(), now: clock.now(), model };
    const found = own.route(path)?.answer({ ...about, body: JSON.stringify(body ?? null) });
    return JSON.parse(JSON.stringify(found ?? null));
  };
  const send = async (request: UpstreamRequest) => {
    if (request.api === 'info') weight += request.weight ?? 1;
    const [asked, received] = [clock.now(), clock.now()];
    const { scan } = request;
    const whole = answer(request);
    const body = scan ? [...JSON.stringify(whole).matchAll(scan)].map(([, ...all]) => all) : whole;
    return { ok: true as const, value: { body, asked, received, status: 200 } };
  };
  const listed = [...worldOf(hyperliquid, 'perp', answer).values()];
  const interests = listed.flatMap(({ market, symbol, scale, kind }) => {
    const one = model.market('hyperliquid', 'perp', market, clock.now());
    if (!one || kind !== 'perpetual') return [];
    const units = one.openInterest(clock.now()) * scale;
    return interestRow({ market, symbol, units, value: (units / scale) * one.exact(clock.now()) });
  });
  const newest = {
    instruments: new Map([['hyperliquid', [reading(listed)]]]),
    openInterest: new Map([['hyperliquid', [reading(interests)]]]),
  };
  const market = { bySource: (topic: keyof typeof newest) => newest[topic] };
  const source = walletSource(market as unknown as Pick<MarketState, 'bySource'>);
  const published: PositionEvents[] = [];
  const publish = async (topic: string, _key: string, entry: PositionEvents & WalletTracking) => {
    if (topic === 'positionEvents') published.push(entry);
    else kept.tracking = structuredClone(entry);
    return null;
  };
  const last = async () => (kept.isAway ? undefined : kept.tracking);
  const state = { marginSummary: { accountValue: '0.0' }, assetPositions: [] };
  const account = { state, mode: 'unifiedAccount', spot: [], orders: [], fills: [] };
  const askers: (string | undefined)[] = [];
  const query = async (_: unknown, options?: QueryOptions) => {
    askers.push(options?.account);
    return success({
      value: account,
      received: start - minute,
      until: start,
      stale: true as const,
    });
  };
  const context = {
    clock,
    client: () => ({ send }),
    publish,
    last,
    query,
  } as unknown as JobContext;
  const jobs = new Map(source.jobs(context).map((job) => [job.name, job]));
  const run = async (name: string) => {
    const failure = await jobs.get(name)?.run({ now: clock.now(), signal });
    if (failure) throw new Error(failure.message);
  };
  return { clock, run, jobs, spent: () => weight, published, askers, ...source.answers };
}

/** Ten minutes of tracking, and what a question then gives. */
async function tracked(kept: Kept = {}) {
  const made = world(undefined, { kept });
  const { clock, run } = made;
  await run('leaderboard');
  for (let second = 0; second < 600; second += 5) {
    if (second % 15 === 0) await run('trades');
    if (second % 10 === 0) await run('positions');
    await clock.advance(5_000);
  }
  const ask = async (params: { symbol?: string; most: number }) => {
    const reply = await made.walletPositions?.(params, asking);
    if (!reply?.ok) throw new Error('no reply');
    return reply.value.value;
  };
  return { ...made, ask };
}

t.test('before the first question there is no answer', async (t) => {
  const { walletPositions } = world();
  t.match(await walletPositions?.({ most: 10 }, asking), { ok: false });
});

t.test(
  'most of the open interest is known in ten minutes, for a third of the weight',
  async (t) => {
    const { spent, ask } = await tracked();
    t.ok(spent() <= 400 * 10, `${spent()} of 12,000`);
    const { coverage, positions } = await ask({ symbol: 'BTC', most: 1_000 });
    t.ok(Number(coverage.open_interest_share) >= 0.6, `${coverage.open_interest_share} of BTC`);
    t.ok(coverage.tracked_wallets > 400, `${coverage.tracked_wallets} wallets`);
    t.ok(positions.every(({ symbol }) => symbol === 'BTC'));
    const worths = positions.map(({ value_usd }) => value_usd);
    t.strictSame(
      worths,
      worths.toSorted((a, b) => b - a),
      'largest first',
    );
    const all = await ask({ most: 5 });
    t.equal(all.positions.length, 5);
    const { open_interest_share: whole, long_share, short_share } = all.coverage;
    t.ok(Number(whole) >= 0.6, `${whole} of all`);
    t.ok(Number(long_share) <= 1 && Number(short_share) <= 1);
  },
);

t.test('what is opened and closed while it is looked at', async (t) => {
  const { clock, run, published, positionEvents } = await tracked();
  // Positions are held for an hour or two.
  for (let at = 0; at < 12; at++) {
    await clock.advance(10 * minute);
    for (let i = 0; i < 25; i++) await run('positions');
  }
  const reply = await positionEvents?.({}, asking);
  if (!reply?.ok) throw new Error('no events');
  const { events, least_usd } = reply.value.value;
  const actions = new Set(events.map(({ action }) => action));
  t.strictSame([...actions].sort(), ['close', 'open']);
  const told = published.flatMap((entry) => entry.events);
  t.ok(
    events.every((one) => told.includes(one)),
    'followers get each',
  );
  t.ok(events.every(({ value_usd }) => value_usd >= least_usd));
  t.ok(events.every(({ seen_after, timestamp }) => seen_after < timestamp));
});

t.test('an account from before the exchange failed is marked', async (t) => {
  const { askers, hyperliquidWallet } = world();
  const reply = await hyperliquidWallet?.({ address: '0x1', dex: '' }, { ...asking, account: 'a' });
  // Its weight is not that of the service, which asks for wallets all the time.
  t.strictSame(askers, ['a']);
  t.match(reply, { ok: true, value: { received: start - minute, stale: true } });
  t.match(reply, { value: { value: { account_value_usd: null } } }, 'its collateral is in spot');
});

t.test('positions that could not be asked for twenty minutes are not known', async (t) => {
  const { clock, walletPositions, positionEvents } = await tracked();
  await clock.advance(21 * minute);
  t.match(await walletPositions?.({ most: 10 }, asking), { ok: false });
  const reply = await positionEvents?.({}, asking);
  t.match(reply, { ok: true, value: { value: { coverage: { tracked_wallets: 0 } } } });
});

t.test('of more wallets than can be asked in turn the largest are tracked', async (t) => {
  const wallet = (at: number) => ({
    ethAddress: `0x${at.toString(16).padStart(40, '0')}`,
    accountValue: String(1_000 + at),
  });
  let count = 1_000;
  const { run, positionEvents } = world(() => Array.from({ length: count }, (_, at) => wallet(at)));
  const known = async () => {
    await run('leaderboard');
    for (let round = 0; round < 60; round++) await run('positions');
    const reply = await positionEvents?.({}, asking);
    if (!reply?.ok) throw new Error('no reply');
    const { found_wallets, tracked_wallets } = reply.value.value.coverage;
    return [found_wallets, tracked_wallets];
  };
  t.strictSame(await known(), [1_000, 1_000]);
  count = 1_200;
  t.strictSame(await known(), [1_200, 1_000], 'larger ones take the place of smaller ones');
});

t.test(
  'who takes over goes on with what is known, and finds what has changed meanwhile',
  async (t) => {
    const kept: Kept = {};
    const before = await tracked(kept);
    await before.run('keep');
    const { coverage } = await before.ask({ most: 1 });
    const at = before.clock.now() + 10 * minute;
    const { run, positionEvents, walletPositions } = world(undefined, { at, kept });
    await run('positions');
    const reply = await walletPositions?.({ most: 1_000 }, asking);
    if (!reply?.ok) throw new Error('no reply');
    const now = reply.value.value.coverage;
    t.equal(now.since, start, 'it has been tracked all the time');
    t.equal(now.found_wallets, coverage.found_wallets);
    t.equal(now.tracked_wallets, coverage.tracked_wallets);
    t.ok(Number(now.open_interest_share) >= 0.6, `${now.open_interest_share}`);
    for (let round = 0; round < 40; round++) await run('positions');
    const events = await positionEvents?.({}, asking);
    if (!events?.ok) throw new Error('no events');
    const [first] = events.value.value.events;
    t.match(first, { timestamp: at }, 'opened or closed since the other process looked');
    t.ok(Number(first?.seen_after) < at - 9 * minute);
  },
);

t.test(
  'after a long pause the tracking begins anew, with the wallets that are known',
  async (t) => {
    const kept: Kept = {};
    const before = await tracked(kept);
    await before.run('keep');
    const at = before.clock.now() + 60 * minute;
    const { run, walletPositions } = world(undefined, { at, kept });
    await run('keep');
    t.match(await walletPositions?.({ most: 1 }, asking), { ok: false }, 'those positions are old');
    await run('positions');
    const reply = await walletPositions?.({ most: 1 }, asking);
    t.match(reply, {
      ok: true,
      value: { value: { coverage: { since: at, tracked_wallets: 25 } } },
    });
  },
);
