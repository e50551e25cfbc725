/** The client of bodies of many megabytes, before an upstream and a thread that the test controls. */
import t from 'tap';
import {
  BulkClient,
  type BulkThread,
  bulkPoll,
  createBulkThread,
} from '../../../actors/defi/bulk.ts';
import { type BulkJob, readBulk } from '../../../actors/defi/bulk-sources.ts';
import { failed, type Result, ShapeError, success } from '../../../actors/failure.ts';
import { defillama } from '../../../actors/providers/defillama/index.ts';
import { asRow, field, list } from '../../../actors/read.ts';
import type { SendOptions } from '../../../actors/upstream/client.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../../../actors/upstream/request.ts';
import { FakeClock } from '../../support/clock.ts';
import { body, context } from './bodies.ts';
import { inline } from './stage.ts';

/** The bodies without the unreadable rows: they are more than a body may have. */
const data = field(body('llama-yields/pools'), 'data');
const lends = body('llama-yields/lend-borrow');
const { lending, uniswapPools } = defillama.polls;
const unreadable = [
  ...lending.parse([{ data }, lends], context).dropped,
  ...uniswapPools.parse([{ data }], context).dropped,
].map(({ key }) => key);
const sound = list(data, 'data').filter((row) => !unreadable.includes(String(asRow(row).pool)));
const pools = JSON.stringify({ data: sound });
const borrow = JSON.stringify(lends);
const texts: Record<string, string> = { '/pools': pools, '/lendBorrow': borrow };
const keep = 60_000;
const request = { api: 'bulk', path: '/' };

/** `takes`: so long each request takes, ms. */
function setup(thread: BulkThread = inline, bodies = texts, takes = 0) {
  const clock = new FakeClock();
  const sent: (UpstreamRequest & { deadline: number })[] = [];
  const client = {
    async send(
      request: UpstreamRequest,
      { deadline }: SendOptions,
    ): Promise<Result<UpstreamAnswer>> {
      sent.push({ ...request, deadline });
      const found = bodies[request.path];
      if (takes > 0) await new Promise<void>((resolve) => void clock.after(takes, resolve));
      const at = clock.now();
      if (found === undefined) return failed('unavailable', 'down');
      return success({ body: found, asked: at - 20, received: at });
    },
    state: () => ({ breaker: 'closed', pausedUntil: null, host: 'a' }) as const,
  };
  const bulk = new BulkClient({ source: 'llama-yields', client, thread, clock, keep });
  return {
    clock,
    sent,
    bulk,
    send: (signal?: AbortSignal) =>
      bulk.send(request, { deadline: 10_000, ...(signal && { signal }) }),
  };
}

const bodyOf = (result: Result<UpstreamAnswer>) => {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value.body;
};

t.test('one answer holds every figure, as parsing it in place would', async (t) => {
  const { send, sent } = setup();
  const found = bodyOf(await send());
  t.strictSame(
    sent.map(({ path, text }) => [path, text]),
    [
      ['/pools', true],
      ['/lendBorrow', true],
    ],
  );
  const { rows } = bulkPoll('lending').parse([found], context);
  t.equal(rows.length, 5);
  t.equal(bulkPoll('uniswap').parse([found], context).rows.length, 3);
  t.throws(() => bulkPoll('orca').parse([found], context), ShapeError);
  t.throws(() => bulkPoll('lending').parse(['text'], context), ShapeError);
});

t.test('it is given again for a while, and shared on its way', async (t) => {
  const { send, sent, clock } = setup();
  const [one, other] = await Promise.all([send(), send()]);
  t.equal(bodyOf(one), bodyOf(other));
  t.equal(sent.length, 2);
  await clock.advance(keep - 21);
  t.equal(bodyOf(await send()), bodyOf(one));
  await clock.advance(1);
  t.not(bodyOf(await send()), bodyOf(one));
  t.equal(sent.length, 4);
});

t.test('a figure that cannot be read leaves the others, and nothing is kept', async (t) => {
  const { send, sent } = setup(inline, { ...texts, '/lendBorrow': '{}' });
  const found = bodyOf(await send());
  t.throws(() => bulkPoll('lending').parse([found], context), ShapeError);
  t.equal(bulkPoll('uniswap').parse([found], context).rows.length, 3);
  await send();
  t.equal(sent.length, 4);
});

t.test('faults: of the upstream, of the body, of the thread', async (t) => {
  const { send, sent } = setup(inline, {});
  t.match(await send(), { ok: false, failure: { code: 'unavailable' } });
  t.equal(sent.length, 1, 'the second body is not asked for');
  const broken = setup(inline, { ...texts, '/pools': '{"data":[' });
  t.match(await broken.send(), { ok: false, failure: { code: 'shape' } });
  const dead = setup({ read: async () => Promise.reject(new Error('out of memory')) });
  t.match(await dead.send(), {
    ok: false,
    failure: { code: 'shape', message: /ended the thread/ },
  });
});

t.test('one deadline for all requests and the parsing, and the times of both bodies', async (t) => {
  const one = setup(inline, texts, 2_000);
  const began = one.clock.now();
  const whole = one.send();
  await one.clock.advance(4_000);
  t.match(await whole, { value: { asked: began + 1_980, received: began + 4_000 } });
  const other = setup({ read: () => new Promise(() => {}) }, texts, 2_000);
  const waiting = other.send();
  t.strictSame(
    await Promise.race([waiting, other.clock.advance(9_999).then(() => 'open')]),
    'open',
  );
  await other.clock.advance(1);
  t.match(await waiting, { ok: false, failure: { code: 'timeout' } });
  t.strictSame(
    [one, other].map(({ sent }) => sent.map(({ deadline }) => deadline)),
    [
      [10_000, 8_000],
      [10_000, 8_000],
    ],
  );
});

t.test('a thread that does not end is given up at the deadline or job end', async (t) => {
  const ended: AbortSignal[] = [];
  const hanging: BulkThread = {
    read: (_, signal) => {
      ended.push(signal);
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      );
    },
  };
  const { send, clock } = setup(hanging);
  const waiting = send();
  await clock.advance(10_000);
  t.match(await waiting, { ok: false, failure: { code: 'timeout' } });
  t.ok(ended[0]?.aborted, 'the thread is told');
  const stop = new AbortController();
  const stopped = send(stop.signal);
  await clock.advance(1);
  stop.abort();
  t.match(await stopped, { ok: false, failure: { code: 'stopped' } });
});

t.test('a thread gives what parsing in place gives', async (t) => {
  const job: BulkJob = { source: 'llama-yields', texts: [pools, borrow], received: 5 };
  const found = await createBulkThread().read(job, new AbortController().signal);
  t.strictSame(found, structuredClone(readBulk(job)));
  t.ok(found.ok && found.value.lending?.ok && found.value.lending.value.rows[0]?.updated_at === 5);
});
