/** Twenty accounts ask whatever harms most, beside one that asks for order books and the polls of the exchange. */

import t, { type Test } from 'tap';
import { failed } from '../../../actors/failure.ts';
import { InstrumentBook } from '../../../actors/sources/instruments.ts';
import { venueAnswers } from '../../../actors/sources/queries/queries.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import type { FeedStatus, Instrument, PriceRow, Reading } from '../../../actors/topics/index.ts';
import { createHttpClient } from '../../../actors/upstream/client.ts';
import { binance } from '../../../actors/venues/binance/index.ts';
import { createLogger } from '../../../config/log.ts';
import { Pace } from '../../../config/pace.ts';
import { startSimulator } from '../../../scripts/simulator/main.ts';
import { FakeClock } from '../../support/clock.ts';
import { MemoryStore } from '../../support/lease-store.ts';
import { silentBus } from '../../support/queries.ts';
import { runAlone } from '../../support/run-alone.ts';
import { around } from '../../support/sources.ts';
import { until } from '../../support/until.ts';

const accounts = Array.from({ length: 20 }, (_, i) => `hostile-${i}`);

async function stage(t: Test) {
  const clock = new FakeClock();
  const simulator = await startSimulator({ clock, symbols: 30 });
  const gateway = simulator.url;
  const statuses = new Map<string, FeedStatus>();
  const states: string[] = [];
  const lists: string[] = [];
  const newest = new NewestRows();
  const book = new InstrumentBook(newest);
  const store = new MemoryStore(clock);
  const bus = {
    leases: () => store,
    last: async () => new Map(),
    lastOf: async () => undefined,
    query: silentBus.query,
    async publish(topic: string, key: string, value: unknown) {
      if (topic === 'instruments') {
        lists.push(key);
        newest.accept('instruments', value as Reading<Instrument>);
      }
      if (topic === 'prices') newest.accept('prices', value as Reading<PriceRow>);
      if (topic === 'status') {
        const status = value as FeedStatus;
        statuses.set(key, status);
        if (status.topic === 'prices') states.push(`${status.state} ${status.breaker}`);
      }
      return 'published' as const;
    },
  };
  const client = createHttpClient({ source: 'binance', apis: binance.apis, gateway, clock });
  const log = createLogger({ logLevel: 'silent' }, 'test');
  const shared = { bus, book, newest, gateway, pace: new Pace('auto', () => 0) };
  const context = { ...shared, clock, random: () => 0.5, log, process: 'test' };
  const source = runAlone(binance, { ...context, client: () => client });
  const answers = venueAnswers(binance, client, {
    book,
    clock,
    onUnknown: () => source.readLists(),
    ...around(clock),
  });
  t.teardown(async () => {
    const stopped = source.stop();
    await clock.advance(20_000);
    await stopped;
    await client.close();
    await simulator.close();
  });
  const ask = async (market: string, account: string) => {
    const asking = { deadline: clock.now() + 10_000, account };
    return (
      (await answers.orderBook?.({ market, kind: 'spot', depth: 20 }, asking)) ??
      failed('refused', 'no order books')
    );
  };
  const warm = () =>
    binance.parts.every((part) => statuses.get(`binance/prices/${part}`)?.last_success);
  for (let second = 0; !warm() && second < 20; second++) {
    await clock.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  states.length = 0;
  lists.length = 0;
  return { clock, simulator, book, ask, statuses, states, lists };
}

t.test('only the accounts that ask too much are refused', async (t) => {
  const { clock, simulator, book, ask, statuses, states, lists } = await stage(t);
  const listed = [...book.part('binance', 'spot').keys()];
  const [forbidden = '', missing = '', quiet = '', ...others] = listed;
  t.ok(others.length > 10);
  simulator.faults.set([
    { host: '*', path: '/api/v3/depth', query: `symbol=${forbidden}`, kind: 'html_forbidden' },
    { host: '*', path: '/api/v3/depth', query: `symbol=${missing}`, kind: 'html_missing' },
  ]);
  const codes = new Map<string, number>();
  const note = async (kind: string, asked: ReturnType<typeof ask>) => {
    const result = await asked;
    const code = `${kind} ${result.ok ? 'ok' : result.failure.code}`;
    codes.set(code, (codes.get(code) ?? 0) + 1);
  };
  for (let second = 0; second < 75; second++) {
    for (const [i, account] of accounts.entries()) {
      void note('unlisted', ask(`NOSUCH${second}X${i}`, account));
      void note('html', ask(second % 2 === 0 ? forbidden : missing, account));
      void note('valid', ask(others[(second * 7 + i) % others.length] ?? '', account));
    }
    if (second % 5 === 0) {
      let ended = false;
      void note('quiet', ask(quiet, 'quiet')).then(() => {
        ended = true;
      });
      await until(() => ended, 'the other account is answered at once');
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    await clock.advance(1_000);
  }
  t.equal(codes.get('quiet ok'), 15, 'every order book of the other account');
  t.same([...codes.keys()].filter((code) => /^(quiet|unlisted)/.test(code)).sort(), [
    'quiet ok',
    'unlisted unknown_instrument',
  ]);
  t.equal(codes.get('unlisted unknown_instrument'), 75 * accounts.length);
  t.ok(codes.get('valid ok'), 'and the others have their share');
  t.ok(codes.get('valid over_budget'), 'of which they ask for more');
  t.ok(states.length > 0 && states.every((state) => state === 'up closed'), 'prices stay up');
  for (const part of binance.parts) {
    t.equal(statuses.get(`binance/prices/${part}`)?.failures, 0);
    t.ok(
      lists.filter((key) => key === `binance/${part}`).length <= 2,
      'read once a minute at most',
    );
    t.ok(lists.includes(`binance/${part}`), 'and read, since something new was asked for');
  }
});
