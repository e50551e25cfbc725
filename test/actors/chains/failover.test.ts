import t from 'tap';
import { createClient } from 'viem';
import { viemTransport } from '../../../actors/chains/endpoint.ts';
import { ShapeError } from '../../../actors/failure.ts';
import { heightAt } from '../../../scripts/simulator/chains/ledger.ts';
import type { FaultKind } from '../../../scripts/simulator/faults.ts';
import { faulty, hostOf, meanwhile, read, refusal, stage, start, urlsOf } from './stage.ts';

const [first = '', second = '', third = ''] = urlsOf('ethereum');
const all = urlsOf('ethereum');

const broken: FaultKind[] = [
  'reset',
  'rate_limit',
  'ban',
  'server_error',
  'garbage',
  'html',
  'truncated',
  'wrong_shape',
];
for (const kind of broken) {
  t.test(`the first endpoint fails by ${kind}: the next answers`, async (t) => {
    const s = await stage(t);
    s.faults.set(faulty(kind, first));
    const reader = s.reader('ethereum');
    const reading = await read(reader);
    t.equal(reading.host, hostOf(second));
    t.equal(reading.chain.block, heightAt('ethereum', start));
    t.equal(reading.supplies.length, 2);
    await s.clock.advance(60_000);
    t.equal((await read(reader)).host, hostOf(second), 'and goes on answering');
  });
}

for (const chain of ['solana', 'bitcoin'] as const) {
  for (const kind of ['reset', 'server_error', 'garbage', 'wrong_shape'] as const) {
    t.test(`${chain}: the first fails by ${kind}`, async (t) => {
      const s = await stage(t);
      const [bad, good] = urlsOf(chain);
      s.faults.set(faulty(kind, bad));
      const { host, chain: row } = await read(s.reader(chain));
      t.equal(host, hostOf(good));
      t.equal(row.block, heightAt(chain, start));
    });
  }
}

for (const kind of ['stall', 'stall_body'] as const) {
  t.test(`the first endpoint is slow (${kind}): its time ends before the read's`, async (t) => {
    const s = await stage(t);
    const reader = s.reader('ethereum');
    t.equal((await read(reader)).host, hostOf(first));
    s.faults.set(faulty(kind, first));
    await s.clock.advance(60_000);
    const reading = await meanwhile(s, reader.read({ deadline: 20_000 }));
    t.ok(reading.ok);
    if (!reading.ok) return;
    t.equal(reading.value.host, hostOf(second));
    t.ok(reading.value.received - start - 60_000 < 20_000);
  });
}

t.test('an endpoint that is silent is not waited for twice in a read', async (t) => {
  const s = await stage(t);
  s.faults.set(faulty('stall', first));
  const reader = s.reader('ethereum');
  for (const read of [1, 2]) {
    const before = s.clock.now();
    const reading = await meanwhile(s, reader.read({ deadline: 20_000 }));
    t.ok(reading.ok && reading.value.host === hostOf(second), `${read}`);
    t.ok(s.clock.now() - before <= 5_000, 'a look has its own time');
  }
});

t.test('the first is used again when it works', async (t) => {
  const s = await stage(t);
  s.faults.set(faulty('server_error', first));
  const reader = s.reader('ethereum');
  t.equal((await read(reader)).host, hostOf(second));
  s.faults.clear();
  await s.clock.advance(60_000);
  t.equal((await read(reader)).host, hostOf(first));
});

t.test('another chain id: not used', async (t) => {
  for (const [chain, identity] of [
    ['ethereum', 137],
    ['solana', 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'],
  ] as const) {
    const s = await stage(t);
    const [bad = '', good] = urlsOf(chain);
    s.quirks[bad] = { identity };
    const reader = s.reader(chain);
    t.equal((await read(reader)).host, hostOf(good));
    t.match(s.logged.join('\n'), /answers for another chain/);
    await s.clock.advance(60_000);
    t.equal((await read(reader)).host, hostOf(good));
    s.quirks[bad] = {};
    await s.clock.advance(60_000);
    t.equal((await read(reader)).host, hostOf(bad), 'until it answers for the right one');
  }
});

t.test('only endpoints of another chain: a failure, no number', async (t) => {
  const s = await stage(t);
  for (const url of all) s.quirks[url] = { identity: 8453 };
  const failure = await refusal(s.reader('ethereum').read({ deadline: 20_000 }));
  t.equal(failure.code, 'unavailable');
  t.match(failure.message, /answers for another chain/);
});

t.test('an endpoint that lags too far is not used', async (t) => {
  for (const [chain, most] of [
    ['ethereum', 4],
    // Five blocks a second.
    ['base', 299],
    ['arbitrum', 239],
    ['solana', 299],
  ] as const) {
    const [bad = '', good] = urlsOf(chain);
    for (const [lag, host] of [
      [most, bad],
      [most + 1, good],
      [500, good],
    ] as const) {
      const s = await stage(t);
      s.quirks[bad] = { lag };
      t.equal((await read(s.reader(chain))).host, hostOf(host), `${chain} ${lag}`);
    }
  }
});

t.test('bitcoin: three blocks are half an hour', async (t) => {
  const [bad = '', good] = urlsOf('bitcoin');
  for (const [lag, host] of [
    [2, bad],
    [3, good],
  ] as const) {
    const s = await stage(t);
    s.quirks[bad] = { lag };
    t.equal((await read(s.reader('bitcoin'))).host, hostOf(host));
  }
});

t.test('an endpoint far ahead of its peers makes no other lag', async (t) => {
  const s = await stage(t);
  s.quirks[third] = { lag: -1_000_000 };
  t.equal((await read(s.reader('ethereum'))).host, hostOf(first));
});

t.test('a stuck block: the endpoint is left after a minute', async (t) => {
  const s = await stage(t);
  const reader = s.reader('ethereum');
  t.equal((await read(reader)).host, hostOf(first));
  s.quirks[first] = { stuckAt: start };
  await s.clock.advance(60_000);
  const { host, chain, stuck } = await read(reader);
  t.equal(host, hostOf(second), 'five blocks behind');
  t.equal(chain.block, heightAt('ethereum', start + 60_000));
  t.equal(chain.grown_at, start + 60_000);
  t.equal(stuck, false);
  t.match(s.logged.join('\n'), /blocks behind the others/);
});

t.test('the result of a probe counts for the endpoints after it', async (t) => {
  for (const [bad, worse] of [
    [{ stuckAt: start }, { lag: 325 }],
    [{ stuckAt: start, identity: 10 }, { identity: 137 }],
    [{ stuckAt: start }, { identity: 137 }],
  ]) {
    const s = await stage(t);
    const [one = '', two = '', three] = urlsOf('base');
    const reader = s.reader('base');
    await read(reader);
    Object.assign(s.quirks, { [one]: bad, [two]: worse });
    await s.clock.advance(60_000);
    const { host, chain } = await read(reader);
    t.equal(host, hostOf(three));
    t.equal(chain.block, heightAt('base', start + 60_000));
  }
});

t.test('a simulated freeze is a stuck block as well', async (t) => {
  const s = await stage(t);
  const reader = s.reader('polygon');
  await read(reader);
  const [bad, good] = urlsOf('polygon');
  s.faults.set(faulty('frozen', bad));
  await s.clock.advance(60_000);
  t.equal((await read(reader)).host, hostOf(good));
});

t.test('questions on demand fail over in the same way', async (t) => {
  const s = await stage(t);
  s.quirks[first] = { identity: 10 };
  s.faults.set(faulty('server_error', second));
  const reader = s.reader('ethereum');
  const chainId = () =>
    reader.ask({ deadline: 10_000 }, async (attempt) => {
      const client = createClient({ transport: viemTransport(attempt) });
      return [attempt.endpoint.name, await client.request({ method: 'eth_chainId' })];
    });
  t.same(await chainId(), { ok: true, value: [hostOf(third), '0x1'] });
  const before = s.seen.length;
  t.same(await chainId(), { ok: true, value: [hostOf(third), '0x1'] });
  t.equal(s.seen.length - before, 1, 'who it is, is known by now');
  s.faults.clear();
  const refused = await reader.ask({ deadline: 10_000 }, async () => {
    throw new ShapeError('no good');
  });
  t.match(refused, { ok: false, failure: { code: 'shape' } });
  const bug = reader.ask({ deadline: 10_000 }, async () => {
    throw new TypeError('a bug');
  });
  await t.rejects(bug, { name: 'TypeError' });
});

t.test('a closed reader ends what is under way, and asks nothing more', async (t) => {
  const s = await stage(t);
  s.faults.set([{ host: '*', kind: 'stall' }]);
  const reader = s.reader('base');
  const reading = reader.read({ deadline: 20_000 });
  await reader.close();
  t.equal((await refusal(reading)).code, 'stopped');
  const before = s.seen.length;
  t.equal((await refusal(reader.read({ deadline: 20_000 }))).code, 'stopped');
  t.equal(s.seen.length, before);
});

t.test('a chain that is stuck at every endpoint is reported, and still read', async (t) => {
  const s = await stage(t);
  const reader = s.reader('base');
  await read(reader);
  for (const url of urlsOf('base')) s.quirks[url] = { stuckAt: start };
  await s.clock.advance(29_999);
  t.equal((await read(reader)).stuck, false);
  await s.clock.advance(1);
  const { chain, stuck, host } = await read(reader);
  t.equal(stuck, true);
  t.match(chain, { block: heightAt('base', start), updated_at: start + 30_000, grown_at: start });
  t.equal(host, hostOf(urlsOf('base')[0]), 'no endpoint knows better');
  for (const url of urlsOf('base')) s.quirks[url] = {};
  await s.clock.advance(60_000);
  const healed = await read(reader);
  t.equal(healed.stuck, false);
  t.equal(healed.chain.grown_at, start + 90_000);
});

t.test('an hour without a block of bitcoin is not a fault', async (t) => {
  const s = await stage(t);
  for (const url of urlsOf('bitcoin')) s.quirks[url] = { stuckAt: start };
  const reader = s.reader('bitcoin');
  await read(reader);
  await s.clock.advance(40 * 60_000);
  t.equal((await read(reader)).stuck, false);
  await s.clock.advance(10 * 60_000);
  t.equal((await read(reader)).stuck, true);
});

t.test('a block number that falls a little is a reorganisation', async (t) => {
  const s = await stage(t);
  const reader = s.reader('ethereum');
  const { chain } = await read(reader);
  s.quirks[first] = { lag: 3 };
  await s.clock.advance(12_000);
  const later = await read(reader);
  t.equal(later.host, hostOf(first));
  t.equal(later.chain.block, chain.block - 2);
  t.equal(later.chain.grown_at, start);
});

t.test('a block number that falls far is taken over where the peers agree', async (t) => {
  const s = await stage(t);
  const reader = s.reader('ethereum');
  await read(reader);
  s.quirks[first] = { lag: 30 };
  await s.clock.advance(60_000);
  t.equal((await read(reader)).host, hostOf(second));
  for (const url of all) s.quirks[url] = { lag: 25 };
  await s.clock.advance(60_000);
  const shared = await read(reader);
  t.equal(shared.chain.block, heightAt('ethereum', start + 120_000) - 25, 'all agree: believed');
  t.equal(shared.chain.grown_at, start + 120_000);
  t.equal(shared.stuck, false);
});

t.test('every endpoint down: the last failure, without a URL', async (t) => {
  const s = await stage(t);
  s.faults.set([{ host: '*', kind: 'server_error' }]);
  const reader = s.reader('ethereum');
  const failure = await refusal(reader.read({ deadline: 20_000 }));
  t.match(failure, { code: 'unavailable', status: 503 });
  t.match(failure.message, new RegExp(`^${hostOf(all.at(-1))}: status 503$`));
  s.faults.clear();
  await s.clock.advance(60_000);
  t.equal((await read(reader)).chain.block, heightAt('ethereum', start + 60_000), 'and back');
});

t.test('every endpoint silent: the read ends with its deadline', async (t) => {
  const s = await stage(t);
  s.faults.set([{ host: '*', kind: 'stall' }]);
  const reading = s.reader('ethereum').read({ deadline: 12_000 });
  const failure = await refusal(meanwhile(s, reading));
  t.equal(failure.code, 'timeout');
  t.ok(s.clock.now() - start <= 13_000);
});

t.test('an abandoned read ends at once', async (t) => {
  const s = await stage(t);
  s.faults.set([{ host: '*', kind: 'stall' }]);
  const stop = new AbortController();
  const reading = s.reader('ethereum').read({ deadline: 20_000, signal: stop.signal });
  stop.abort();
  t.equal((await refusal(reading)).code, 'stopped');
});

t.test('keys in URLs reach their endpoint and nothing else', async (t) => {
  const s = await stage(t);
  const bad = ['https://eth.drpc.org/v2/sekrit-path', 'https://eth.merkle.io/sekrit: a'];
  const failed = await refusal(s.reader('ethereum', { urls: bad }).read({ deadline: 20_000 }));
  t.match(failed.message, /^eth\.merkle\.io: status 404$/);
  const urls = [...bad, 'https://eth.drpc.org/?apikey=sekrit-query'];
  const { host } = await read(s.reader('ethereum', { urls }));
  t.equal(host, 'eth.drpc.org');
  for (const part of ['/v2/sekrit-path 404', '/sekrit:%20a 404', '/?apikey=sekrit-query 200']) {
    t.ok(
      s.seen.some((line) => line.includes(part)),
      part,
    );
  }
  t.ok(s.logged.length > 0);
  t.notMatch(JSON.stringify([failed, s.logged]), /sekrit|apikey|v2/);
});
