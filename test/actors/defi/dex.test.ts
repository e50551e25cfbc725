/** Searches on demand: over real sockets, and with upstreams that the test controls. */
import t from 'tap';
import { dexAnswers } from '../../../actors/defi/dex.ts';
import { failed, type Result, success } from '../../../actors/failure.ts';
import type { Reply } from '../../../actors/topics/index.ts';
import type { SendOptions } from '../../../actors/upstream/client.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../../../actors/upstream/request.ts';
import { tokens } from '../../../scripts/simulator/defi/world.ts';
import { FakeClock } from '../../support/clock.ts';
import { around } from '../../support/sources.ts';
import { seed, stage } from './stage.ts';

const [token] = tokens(seed);
const address = token?.address ?? '';
const symbol = token?.symbol ?? '';

const replyOf = <T>(result: Result<Reply<T>>): T => {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value.value;
};

t.test('DexScreener answers, and GeckoTerminal where it fails', async (t) => {
  const { client, clock, faults, seen } = await stage(t);
  const { dexSearch, dexToken } = dexAnswers({ client, clock, ...around(clock) });
  const limits = { deadline: clock.now() + 10_000, account: 'a' };
  const found = replyOf(await dexSearch({ asked: symbol }, limits));
  t.match(found, { source: 'dexscreener', received: clock.now() });
  t.ok(found.pairs.length > 0 && found.pairs.length <= 30);
  const held = replyOf(await dexToken({ asked: address }, limits));
  t.equal(held.source, 'dexscreener');
  t.ok(held.pairs.length > 0);
  await dexSearch({ asked: symbol }, limits);
  t.equal(seen.length, 2, 'given again');
  await clock.advance(15_000);
  faults.set([{ host: 'api.dexscreener.com', kind: 'html' }]);
  const later = { deadline: clock.now() + 10_000, account: 'a' };
  const other = replyOf(await dexSearch({ asked: symbol }, later));
  t.equal(other.source, 'geckoterminal');
  t.ok(other.pairs.length > 0);
  const second = replyOf(await dexToken({ asked: address }, later));
  t.equal(second.source, 'geckoterminal');
  t.ok(second.pairs.length > 0);
  faults.set([{ host: '*', kind: 'server_error' }]);
  await clock.advance(15_000);
  const stale = await dexSearch({ asked: symbol }, { ...limits, deadline: clock.now() + 10_000 });
  t.match(stale, { ok: true, value: { stale: true, value: { source: 'geckoterminal' } } });
  const none = await dexSearch({ asked: 'else' }, { ...limits, deadline: clock.now() + 10_000 });
  t.match(none, { ok: false, failure: { code: 'unavailable' } });
  faults.clear();
  t.equal(
    (await dexSearch({ asked: 'else' }, { ...limits, deadline: clock.now() + 10_000 })).ok,
    true,
    'a failure is not kept',
  );
});

/** Two upstreams: what each is sent, and what it answers. */
function scripted(answer: (upstream: string) => Promise<Result<unknown>>) {
  const clock = new FakeClock();
  const sent: { upstream: string; request: UpstreamRequest; options: SendOptions }[] = [];
  const client = (upstream: string) => ({
    async send(request: UpstreamRequest, options: SendOptions): Promise<Result<UpstreamAnswer>> {
      sent.push({ upstream, request, options });
      const result = await answer(upstream);
      const at = clock.now();
      return result.ok ? success({ body: result.value, asked: at, received: at }) : result;
    },
  });
  return { clock, sent, ...dexAnswers({ client, clock, ...around(clock) }) };
}

const nothing = async () => success({ pairs: null });

t.test('equal questions under way share one call, whichever account asks', async (t) => {
  const { dexSearch, dexToken, sent, clock } = scripted(nothing);
  const limits = { deadline: clock.now() + 10_000, account: 'a' };
  const all = await Promise.all([
    dexSearch({ asked: 'a' }, limits),
    dexSearch({ asked: 'a' }, limits),
    dexSearch({ asked: 'A' }, limits),
    dexToken({ asked: 'a' }, limits),
    dexSearch({ asked: 'a' }, { ...limits, account: 'b' }),
  ]);
  t.equal(sent.length, 3, 'two searches and a token');
  t.ok(all.every((result) => result.ok && result.value.value.pairs.length === 0));
});

t.test('a source has its share of the time', async (t) => {
  const { dexSearch, sent, clock } = scripted(async () => {
    await clock.advance(4_000);
    return failed('timeout', 'late');
  });
  const result = await dexSearch({ asked: 'a' }, { deadline: clock.now() + 10_000, account: 'a' });
  t.match(result, { ok: false, failure: { code: 'timeout' } });
  t.strictSame(
    sent.map(({ upstream, options }) => [upstream, options.deadline, options.account]),
    [
      ['dexscreener', 5_000, 'a'],
      ['geckoterminal', 6_000, 'a'],
    ],
  );
  const over = await dexSearch({ asked: 'b' }, { deadline: clock.now(), account: 'a' });
  t.match(over, { ok: false, failure: { code: 'timeout', message: 'no time left' } });
  t.equal(sent.length, 2);
  for (const [time, count] of [
    [99, 2],
    [100, 3],
  ] as const) {
    await dexSearch({ asked: `${time}` }, { deadline: clock.now() + time, account: 'a' });
    t.equal(sent.length, count, `${time} ms`);
  }
});

t.test('a body that cannot be read is a failure of its source', async (t) => {
  const { dexSearch, sent, clock } = scripted(async () => success({ pairs: {} }));
  const result = await dexSearch({ asked: 'a' }, { deadline: clock.now() + 10_000, account: 'a' });
  t.match(result, { ok: false, failure: { code: 'shape' } });
  t.equal(sent.length, 2);
});
