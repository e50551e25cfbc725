/** DEX and stablecoin rows through a real server. */
import t from 'tap';
import { addressRule, searchRule } from '../../../../actors/defi/query.ts';
import { defiStage } from './stage.ts';

const isDescending = (values: readonly number[]) =>
  values.every((value, at) => value <= (values[at - 1] ?? Number.POSITIVE_INFINITY));
const lists = [
  ['/v2/dex/uniswap/pools', 100, 'tvl_usd'],
  ['/v2/dex/raydium/pools', 100, 'volume_24h'],
  ['/v2/dex/orca/pools', 500, 'tvl'],
] as const;

t.test('pool lists: order, and up to how many', async (t) => {
  const { get, publish } = await defiStage(t);
  for (const [path] of lists) {
    t.match(await get(path), { status: 503, message: /no data yet/ }, 'cold');
  }
  await publish('uniswap', 'raydium', 'orca');
  for (const [path, most, order] of lists) {
    const { data } = await get(path);
    const pools: Record<string, number>[] = data.pools ?? [];
    t.strictSame([pools.length, data.count], [50, 50], '50 when nothing is said');
    t.ok(isDescending(pools.map((pool) => pool[order] ?? Number.NaN)));
    t.equal((await get(`${path}?limit=1`)).data.count, 1);
    t.equal((await get(`${path}?limit=${most}`)).data.count, most);
  }
});

t.test('search', async (t) => {
  const { get, faults, seen, clock } = await defiStage(t);
  const path = '/v2/dex/search';
  t.strictSame(await get(path), {
    status: 400,
    data: undefined,
    message: 'missing required query parameter q',
  });
  const long = 'x'.repeat(101);
  for (const bad of ['', '%20%20', long, 'a%00b', '%0a']) {
    const { status, message } = await get(`${path}?q=${bad}`);
    t.strictSame([status, message], [400, `q must be ${searchRule}`], bad);
  }
  t.equal((await get(`${path}?q=%ff`)).status, 400);
  t.equal((await get(`${path}?q=a&q=b`)).message, 'q must be given only once');
  t.equal(seen.length, 0, 'no source was asked');
  const { status, data } = await get(`${path}?q=PEPE`);
  t.equal(status, 200);
  const pairs: { base_token: string; quote_token: string }[] = data.pairs ?? [];
  t.ok(pairs.length > 0 && pairs.length === Number(data.count));
  t.match(data, { source: 'dexscreener', updated_at: clock.now() });
  t.equal((await get(`${path}?q=+PEPE++`)).status, 200);
  t.equal(seen.length, 1, 'the same search');
  t.match((await get(`${path}?q=nobodyhasthis`)).data, { pairs: [], count: 0 });
  await clock.advance(15_000);
  faults.set([{ host: 'api.dexscreener.com', kind: 'server_error' }]);
  t.match((await get(`${path}?q=PEPE`)).data, { source: 'geckoterminal' });
  faults.set([{ host: '*', kind: 'reset' }]);
  t.strictSame(await get(`${path}?q=WETH`), {
    status: 502,
    data: undefined,
    message: 'the upstream request failed: the pairs searched for could not be fetched (network)',
  });
});

t.test('token', async (t) => {
  const { get, seen, faults } = await defiStage(t);
  const pepe = '0x6982508145454Ce325dDbE47a25d4ec3d2311933';
  const { status, data } = await get(`/v2/dex/token/${pepe}`);
  t.equal(status, 200);
  const pairs: { base_token: string; quote_token: string }[] = data.pairs ?? [];
  t.ok(pairs.length > 0);
  t.ok(pairs.every((pair) => [pair.base_token, pair.quote_token].includes('PEPE')));
  t.equal((await get(`/v2/dex/token/${pepe.toLowerCase()}`)).status, 200);
  t.equal(seen.length, 1, 'an address in any case');
  t.match((await get(`/v2/dex/token/0x${'0'.repeat(40)}`)).data, { pairs: [], count: 0 });
  t.equal((await get('/v2/dex/token/0x2%3A%3Asui%3A%3ASUI')).status, 200);
  const asked = seen.length;
  for (const bad of ['0x', '0xzz', 'a', 'a%20b', '%2e%2e%2fx', `${'a'.repeat(129)}`, 'a%2Fb']) {
    const { status, message } = await get(`/v2/dex/token/${bad}`);
    t.strictSame([status, message], [400, `address must be ${addressRule}`], bad);
  }
  t.equal(seen.length, asked, 'no source was asked');
  faults.set([{ host: '*', kind: 'garbage' }]);
  t.match(await get(`/v2/dex/token/0x${'1'.repeat(40)}`), {
    status: 502,
    message: /^the upstream request failed: the pairs of the token .* \(shape\)$/,
  });
});

t.test('no source answers', async (t) => {
  const { get } = await defiStage(t, { asks: false });
  t.match(await get('/v2/dex/search?q=a'), { status: 502, message: /upstream request failed/ });
});

t.test('stablecoins', async (t) => {
  const { get, publish } = await defiStage(t);
  t.equal((await get('/v2/defi/stablecoins')).status, 503);
  await publish('stablecoins');
  const { data } = await get('/v2/defi/stablecoins');
  const coins: { peg_type: string }[] = data.stablecoins ?? [];
  t.ok(coins.length >= 50 && coins.length === Number(data.count));
  t.ok(coins.some(({ peg_type }) => peg_type === 'peggedEUR'));
});
