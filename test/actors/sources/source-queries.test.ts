/** Queries about no market of an exchange. */

import t from 'tap';
import { failed, type Result, success } from '../../../actors/failure.ts';
import { InstrumentBook } from '../../../actors/sources/instruments.ts';
import { venueAnswers } from '../../../actors/sources/queries/queries.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import { createHttpClient } from '../../../actors/upstream/client.ts';
import type { UpstreamAnswer } from '../../../actors/upstream/request.ts';
import { htx } from '../../../actors/venues/htx/index.ts';
import { hyperliquid } from '../../../actors/venues/hyperliquid/index.ts';
import { Snapshot } from '../../../http/answers/snapshots.ts';
import { FakeClock } from '../../support/clock.ts';
import { json, startFaultyServer } from '../../support/faulty-server.ts';
import { instrument } from '../../support/makers.ts';
import { frontQueries, served } from '../../support/queries.ts';
import { around } from '../../support/sources.ts';

const address = '0xdfc24b077bc1425ad1dea75bcb6f8158e10df303';
const summary = { accountValue: '4', totalNtlPos: '3', totalMarginUsed: '2' };
const state = { marginSummary: summary, withdrawable: '1' };

function stage(reply: (type: string) => Result<unknown>) {
  const clock = new FakeClock();
  const asked: string[] = [];
  const client = {
    async send({ body }: { body?: unknown }): Promise<Result<UpstreamAnswer>> {
      const { type } = Object(body);
      asked.push(type);
      const result = reply(type);
      if (!result.ok) return result;
      return success({ body: result.value, asked: clock.now(), received: clock.now() });
    },
  };
  const context = {
    book: new InstrumentBook(new NewestRows()),
    clock,
    onUnknown: () => {},
    ...around(clock),
  };
  const answers = venueAnswers(hyperliquid, client, context);
  const ask = async (name: 'clearinghouse' | 'vault', within = 9_000) => {
    const answer: unknown = Reflect.get(answers, name);
    if (typeof answer !== 'function') throw new Error(`no ${name}`);
    return answer({ address }, { deadline: clock.now() + within, account: '' });
  };
  return { ask, asked, clock };
}

t.test('it needs no instrument list, and is given again while it is fresh', async (t) => {
  const { ask, asked, clock } = stage((type) =>
    success(type === 'clearinghouseState' ? state : ['BTC']),
  );
  const wanted = {
    ok: true,
    value: { value: { capped: ['BTC'], vault: { withdrawable_usd: 1 } } },
  };
  t.match(await Promise.all([ask('clearinghouse'), ask('clearinghouse')]), [wanted, wanted]);
  const questions = ['perpsAtOpenInterestCap', 'clearinghouseState'];
  t.strictSame(asked, questions, 'asked once for both');
  await clock.advance(29_000);
  t.match(await ask('clearinghouse'), wanted);
  t.equal(asked.length, 2);
  await clock.advance(1_001);
  t.match(await ask('clearinghouse'), wanted);
  t.strictSame(asked, [...questions, ...questions]);
});

t.test('a failure and an answer that cannot be read are values', async (t) => {
  const away = stage(() => failed('unavailable', 'away'));
  t.match(await away.ask('vault'), { ok: false, failure: { code: 'unavailable' } });
  const torn = stage(() => success({}));
  t.match(await torn.ask('vault'), { ok: false, failure: { code: 'shape' } });
});

t.test('a question that waited too long is not asked: last answer, or a time', async (t) => {
  const { ask, asked, clock } = stage((type) =>
    success(type === 'clearinghouseState' ? state : ['BTC']),
  );
  t.match(await ask('clearinghouse', 2_999), {
    failure: { code: 'over_budget', retryAfter: 5_000 },
  });
  t.strictSame(asked, []);
  t.match(await ask('clearinghouse', 3_000), { ok: true });
  await clock.advance(30_001);
  t.match(await ask('clearinghouse', 2_999), { ok: true, value: { stale: true } });
  t.equal(asked.length, 2);
});

t.test('what the budget keeps back is not taken for an empty answer', async (t) => {
  const clock = new FakeClock();
  const asked: string[] = [];
  const client = {
    async send({ path }: { path: string }) {
      asked.push(path);
      return failed('over_budget', 'no room', { retryAfter: 3_000 });
    },
  };
  const newest = new NewestRows();
  const book = new InstrumentBook(newest);
  const row = instrument({ market: 'BTC-USDT', contract: 0.001, funding_hours: 8 });
  for (const part of ['spot', 'linear', 'inverse']) {
    const rows = part === 'linear' ? [row] : [];
    newest.accept('instruments', { source: 'htx', part, asked: 0, received: 0, rows });
  }
  const context = { book, clock, onUnknown: () => {}, ...around(clock) };
  const bus = served(venueAnswers(htx, client, context), clock);
  const params = { market: 'BTC-USDT', interval: '1h', limit: 5, of: 'top_accounts' } as const;
  const reply = await bus.query({ source: 'htx', name: 'longShort', params });
  t.match(reply, { ok: false, failure: { code: 'over_budget', retryAfter: 3_000 } });
  t.equal(asked.length, 1, 'nor is the older list asked');
});

t.test('a thousand accounts at four fronts ask an exchange once', async (t) => {
  const server = await startFaultyServer();
  const clock = new FakeClock();
  const { apis } = hyperliquid;
  const client = createHttpClient({ source: 'hyperliquid', apis, gateway: server.url, clock });
  t.teardown(() => Promise.all([client.close(), server.close()]));
  server.on('/api.hyperliquid.xyz/info', (request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () =>
      json(body.includes('clearinghouseState') ? state : ['BTC'])(request, response),
    );
  });
  const context = {
    book: new InstrumentBook(new NewestRows()),
    clock,
    onUnknown: () => {},
    ...around(clock),
  };
  const bus = served(venueAnswers(hyperliquid, client, context), clock);
  const fronts = Array.from({ length: 4 }, () => frontQueries(bus, clock));
  const question = { source: 'hyperliquid', name: 'clearinghouse', params: {} } as const;
  const answers = () =>
    Promise.all(
      Array.from({ length: 1_000 }, (_, n) =>
        fronts[n % 4]?.read(
          { ...question, what: 'the clearinghouse', data: ({ capped }) => ({ capped }) },
          `account ${n}`,
        ),
      ),
    );
  const good = (await answers()).filter((answer) => answer instanceof Snapshot);
  t.equal(good.length, 1_000);
  t.equal(server.seen.length, 2, 'its two requests');
  await clock.advance(29_000);
  await answers();
  t.equal(server.seen.length, 2, 'as long as the answer is fresh');
  await clock.advance(1_001);
  await answers();
  t.equal(server.seen.length, 4);
});
