/** Price sources that are down, late or wrong, and answers that are shared and kept. */
import t from 'tap';
import type { WalletReply } from '../../../actors/topics/wallet.ts';
import { type Handler, json, text } from '../../support/faulty-server.ts';
import {
  contract,
  evmAddress,
  meanwhile,
  refusal,
  reply,
  token,
  type World,
  world,
} from './world.ts';

const hang: Handler = () => {};
const pools = 'api.dexscreener.com';
const coins = 'coins.llama.fi';
const prices = ({ portfolio }: WalletReply) =>
  Object.fromEntries(portfolio.tokens.map((row) => [row.token, row.price_usd]));
const asked = (w: World, host: string) => w.seen.filter((url) => url.startsWith(host)).length;

t.test('one price source down: the other gives the prices, and a note', async (t) => {
  for (const [down, name] of [
    [pools, 'DexScreener'],
    [coins, 'DefiLlama'],
  ] as const) {
    const w = await world(t, { tokens: [token(1)] });
    w.on(down, text('no', 503));
    const found = await meanwhile(w, reply(w, w.wallets({ nativePrice: () => 1_990 })));
    t.equal(found.message, null);
    t.same(prices(found), { ETH: down === pools ? 2_000 : 1_990, T1: 2 });
    t.match(found.partial, `${name} gave no prices for 1 of the tokens (unavailable)`);
  }
});

t.test('both price sources down: everything is listed at 0', async (t) => {
  const w = await world(t, { tokens: [token(1), token(2)] });
  w.on(pools, text('no', 503));
  w.on(coins, json({ error: 'x' }, 502));
  const found = await meanwhile(w, reply(w, w.wallets()));
  t.equal(found.message, null);
  t.same(prices(found), { ETH: 0, T1: 0, T2: 0 });
  t.equal(found.portfolio.total_value_usd, 0);
  t.match(found.partial, /DexScreener .*DefiLlama .*no price of ETH/);
});

t.test('one source wrong by a factor of 100', async (t) => {
  for (const factor of [100, 0.01]) {
    const price = 2 * factor;
    const pool = { price: `${price}`, liquidity: 1_000_000 };
    const tokens = [
      token(1, { pool }),
      token(2, { coin: { price } }),
      token(3, { pool, rate: '2.02' }),
      token(4, { coin: { price }, rate: '2.02' }),
    ];
    const w = await world(t, { tokens, natives: { ethereum: 2_000 * factor } });
    const found = await reply(w, w.wallets({ nativePrice: () => 2_000 }));
    t.same(prices(found), { ETH: 0, T1: 0, T2: 0, T3: 2, T4: 2 });
    t.match(found.partial, 'the price sources contradict each other on 3 of the tokens');
  }
});

t.test('prices that are no prices', async (t) => {
  const { pool: _, ...rest } = token(1);
  const w = await world(t, {
    tokens: [
      { ...rest, symbol: 'unsure', coin: { price: 2, confidence: 0.49 } },
      { ...rest, symbol: 'old', contract: contract(2), coin: { price: 2, age: 6 * 3_600_000 } },
      { ...rest, symbol: 'zero', contract: contract(3), coin: { price: 0 } },
      { ...rest, symbol: 'below', contract: contract(4), coin: { price: -2 } },
      { ...rest, symbol: 'endless', contract: contract(5), coin: { price: 1e300 } },
      token(6, { symbol: 'word', coin: { price: 2 }, pool: { price: 'NaN', liquidity: 1e6 } }),
      token(7, { symbol: 'curve', pool: { price: '2', liquidity: null } }),
      token(8, { symbol: 'thin', pool: { price: '2', liquidity: 999 } }),
    ],
  });
  const found = await reply(w, w.wallets());
  const { ETH, word, ...none } = prices(found);
  t.same([ETH, word], [2_000, 2]);
  t.same([...new Set(Object.values(none))], [0]);
  t.equal(Object.keys(none).length, 7, 'still listed');
  t.equal(found.partial, null, 'no price is no gap');
  const generous = await reply(w, w.wallets({ leastLiquidity: 999 }));
  t.equal(prices(generous).thin, 2, 'the floor is a setting');
});

t.test('pairs of a forked chain, and pairs that quote in the token, price nothing', async (t) => {
  const w = await world(t, { tokens: [token(1, { coin: { price: 2 } })] });
  const [base, other] = [{ address: contract(1).toLowerCase(), symbol: 'T1' }, { address: 'x' }];
  const liquidity = { usd: 1e9 };
  w.on(
    pools,
    json([
      {
        chainId: 'pulsechain',
        baseToken: base,
        quoteToken: other,
        priceUsd: '0.000009',
        liquidity,
      },
      { chainId: 'ethereum', baseToken: other, quoteToken: base, priceUsd: '77', liquidity },
      'noise',
      null,
    ]),
  );
  t.equal(prices(await reply(w, w.wallets())).T1, 2);
});

t.test('a token in the pools of another batch keeps the price of its own', async (t) => {
  const w = await world(t, { tokens: Array.from({ length: 31 }, (_, at) => token(at)) });
  w.on(pools, (request, response) => {
    const other = { address: contract(30), symbol: 'T30' };
    const own = { address: contract(0), symbol: 'T0' };
    const last = request.url?.includes(contract(30));
    const [baseToken, quoteToken] = last ? [other, own] : [own, other];
    const liquidity = { usd: 1e6 };
    json([{ chainId: 'ethereum', baseToken, quoteToken, priceUsd: '2', liquidity }])(
      request,
      response,
    );
  });
  w.on(coins, json({ coins: {} }));
  const found = prices(await reply(w, w.wallets()));
  t.same([found.T0, found.T30, found.T7], [2, 2, 0]);
});

t.test('contracts are asked for thirty at a time', async (t) => {
  const w = await world(t, { tokens: Array.from({ length: 31 }, (_, at) => token(at)) });
  t.equal((await reply(w, w.wallets())).partial, null);
  const counts = (host: string, end: string) =>
    w.seen
      .filter((url) => url.startsWith(host) && !url.includes('coingecko'))
      .map((url) => url.split(end).length - 1)
      .sort();
  t.strictSame(
    [counts(pools, contract(0).slice(0, 6)), counts(coins, 'ethereum:')],
    [
      [1, 30],
      [1, 30],
    ],
  );
});

t.test('tokens that others crowd out of an answer are asked again', async (t) => {
  const tokens = Array.from({ length: 30 }, (_, at) => token(at));
  const w = await world(t, { tokens });
  const crowd = (name: string) => ({
    chainId: 'ethereum',
    baseToken: { address: contract(0), symbol: name },
    quoteToken: { address: 'x', symbol: 'x' },
    priceUsd: '2',
    liquidity: { usd: 1_000_000 },
  });
  const many = json(Array.from({ length: 30 }, (_, at) => crowd(`${at}`)));
  w.on('api.dexscreener.com', (request, response) => {
    w.on('api.dexscreener.com', undefined);
    many(request, response);
  });
  const found = await reply(w, w.wallets());
  t.equal(w.seen.filter((url) => url.startsWith('api.dexscreener')).length, 1 + 3, '29 in tens');
  t.equal(found.portfolio.total_value_usd, 3_000 + 60);
});

t.test('late prices: the wallet is answered without them, in time', async (t) => {
  const w = await world(t, { tokens: [token(1)] });
  for (const host of [pools, coins]) w.on(host, hang);
  const start = w.clock.now();
  const found = await meanwhile(w, reply(w, w.wallets({ nativePrice: () => 2_000 })));
  t.equal(found.message, null);
  t.same(prices(found), { ETH: 2_000, T1: 0 });
  t.match(found.partial, /DexScreener .*\(timeout\)/);
  t.equal(found.received - start, 19_500);
});

t.test('the price sources are asked at the same time, in the time of the asker', async (t) => {
  const w = await world(t, { tokens: [token(1)] });
  for (const host of [pools, coins]) w.on(host, hang);
  const start = w.clock.now();
  const request = { address: evmAddress, chain: 'ethereum' };
  const running = w.wallets().answer(request, { deadline: start + 4_000, account: 'a' });
  while (asked(w, pools) + asked(w, coins) < 3) await new Promise(setImmediate);
  t.equal(asked(w, pools), 1);
  t.equal(asked(w, coins), 2, 'a token and the native coins, before anybody has answered');
  const found = await meanwhile(w, running);
  t.match(found, { ok: true, value: { value: { message: null, received: start + 3_900 } } });
});

t.test('a question whose time is over is answered and not looked into', async (t) => {
  const w = await world(t);
  const limits = { deadline: w.clock.now(), account: 'a' };
  const late = await w.wallets().answer({ address: evmAddress, chain: 'ethereum' }, limits);
  t.match(late, { value: { value: { message: 'no answer before the deadline' } } });
  t.same(w.seen, []);
});

t.test(
  'equal questions share one look, in any spelling; the answer is kept for 30 s',
  async (t) => {
    const w = await world(t, { tokens: [token(1)] });
    const wallets = w.wallets({ atOnce: 1 });
    const lower = evmAddress.toLowerCase();
    const [first, second] = await Promise.all([
      reply(w, wallets),
      reply(w, wallets, 'ethereum', lower),
    ]);
    t.equal(first.portfolio.address, evmAddress, 'as asked');
    t.equal(second.portfolio.address, lower, 'as asked');
    t.same(first.portfolio.tokens, second.portfolio.tokens);
    t.equal(asked(w, 'eth.blockscout'), 1);
    await w.clock.advance(29_999);
    t.same(await reply(w, wallets), first);
    t.equal(asked(w, 'eth.blockscout'), 1);
    await w.clock.advance(1);
    t.equal((await reply(w, wallets)).received, w.clock.now());
    t.equal(asked(w, 'eth.blockscout'), 2);
    await reply(w, wallets, 'base');
    t.equal(asked(w, 'base.blockscout'), 1, 'another chain is another wallet');
  },
);

t.test('an error is kept for 2 s', async (t) => {
  const w = await world(t);
  w.on('eth.blockscout.com', json([]));
  const wallets = w.wallets();
  t.ok((await reply(w, wallets)).message);
  w.on('eth.blockscout.com', undefined);
  await w.clock.advance(1_999);
  t.ok((await reply(w, wallets)).message);
  await w.clock.advance(1);
  t.equal((await reply(w, wallets)).message, null);
});

t.test('more wallets than may be under way at once', async (t) => {
  const w = await world(t);
  w.on('eth.blockscout.com', hang);
  const wallets = w.wallets({ atOnce: 2 });
  const of = (at: number) => `0x${`${at}`.padStart(40, '0')}`;
  const limits = { deadline: w.clock.now() + 20_000, account: 'a' };
  const under = [reply(w, wallets, 'ethereum', of(1))];
  const second = await wallets.answer({ address: of(2), chain: 'ethereum' }, limits);
  t.match(refusal(second), { code: 'over_budget' }, 'an account leaves as many as it has');
  const other = wallets.answer({ address: of(2), chain: 'ethereum' }, { ...limits, account: 'b' });
  const third = await wallets.answer({ address: of(3), chain: 'ethereum' }, limits);
  t.match(refusal(third), { code: 'over_budget', retryAfter: 1_000 });
  const joined = reply(w, wallets, 'ethereum', of(1));
  const bad = await reply(w, wallets, 'ethereum', 'nonsense');
  t.match(bad.message, /address/, 'an answer that needs no source is given');
  await meanwhile(w, Promise.all([...under, other, joined]));
  w.on('eth.blockscout.com', undefined);
  // What was given up may still count at its upstream for some seconds.
  const last = await meanwhile(w, reply(w, wallets, 'ethereum', of(3)));
  t.equal(last.message, null, 'there is room again');
});

t.test('close ends what is under way', async (t) => {
  const w = await world(t);
  w.on('eth.blockscout.com', hang);
  const wallets = w.wallets();
  const running = reply(w, wallets);
  while (asked(w, 'eth.blockscout') === 0) await new Promise(setImmediate);
  await wallets.close();
  t.match((await running).message, /failed \(stopped\)$/);
});
