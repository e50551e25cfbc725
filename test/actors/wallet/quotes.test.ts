/** Price sources that are down or wrong. */
import t from 'tap';
import type { WalletReply } from '../../../actors/topics/wallet.ts';
import { json, text } from '../../support/faulty-server.ts';
import { contract, meanwhile, reply, token, world } from './world.ts';

const pools = 'api.dexscreener.com';
const coins = 'coins.llama.fi';
const prices = ({ portfolio }: WalletReply) =>
  Object.fromEntries(portfolio.tokens.map((row) => [row.token, row.price_usd]));

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

t.test('tokens that did not fit into an answer are requested again', async (t) => {
  const tokens = Array.from({ length: 30 }, (_, at) => token(at));
  const crowd = (name: string) => ({
    chainId: 'ethereum',
    baseToken: { address: contract(0), symbol: name },
    quoteToken: { address: 'x', symbol: 'x' },
    priceUsd: '2',
    liquidity: { usd: 1_000_000 },
  });
  const many = json(Array.from({ length: 30 }, (_, at) => crowd(`${at}`)));
  // Of any floor, up to the depth of the pool that crowds.
  for (const leastLiquidity of [0, 1_000_000]) {
    const w = await world(t, { tokens });
    w.on(pools, (request, response) => {
      w.on(pools, undefined);
      many(request, response);
    });
    const found = await reply(w, w.wallets({ leastLiquidity }));
    const sizes = w.seen.filter((url) => url.startsWith(pools)).map((url) => url.split(',').length);
    t.strictSame(sizes.sort(), [10, 10, 30, 9], '29 in tens');
    t.equal(found.portfolio.total_value_usd, 3_000 + 60);
  }
});
