/** Portfolios of wallets, through every upstream. */
import t from 'tap';
import type { WalletReply } from '../../../actors/topics/wallet.ts';
import { evmChainIds } from '../../../config/chains.ts';
import { json } from '../../support/faulty-server.ts';
import type { Token } from './fakes.ts';
import {
  bitcoinAddress,
  contract,
  evmAddress,
  meanwhile,
  mint,
  reply,
  solanaAddress,
  token,
  world,
} from './world.ts';

const sum = ({ portfolio }: WalletReply) =>
  portfolio.tokens.reduce((all, { value_usd }) => all + value_usd, 0);
const listed = ({ portfolio }: WalletReply) =>
  portfolio.tokens.map((row) => [row.token, row.balance, row.price_usd, row.value_usd]);

t.test('an ethereum wallet: the coin and a token, as they travel', async (t) => {
  const w = await world(t, { tokens: [token(1)] });
  const found = await reply(w, w.wallets());
  t.strictSame(found, {
    portfolio: {
      address: evmAddress,
      chain: 'ethereum',
      total_value_usd: 3_002,
      tokens: [
        { token: 'ETH', chain: 'ethereum', balance: 1.5, price_usd: 2_000, value_usd: 3_000 },
        {
          token: 'T1',
          chain: 'ethereum',
          balance: 1,
          contract: contract(1),
          price_usd: 2,
          value_usd: 2,
        },
      ],
    },
    message: null,
    partial: null,
    received: w.clock.now(),
  });
  t.notOk(
    w.seen.some((url) => url.startsWith('deep-index')),
    'no other source is asked',
  );
});

for (const chain of evmChainIds) {
  t.test(`${chain}: its own index, price words and coin`, async (t) => {
    const w = await world(t, { tokens: [token(1)] });
    const found = await reply(w, w.wallets({ moralisKey: 'moralis-secret' }), chain);
    t.equal(found.partial, null);
    t.equal(found.portfolio.tokens.length, 2);
    t.ok(found.portfolio.tokens.every((row) => row.chain === chain && row.price_usd > 0));
    const index = chain === 'bsc' || chain === 'avalanche' ? 'moralis.io' : 'blockscout.com';
    t.equal(w.seen.filter((url) => url.includes(index)).length, 1);
    const word = chain === 'avalanche' ? 'avax' : chain;
    t.ok(w.seen.includes(`coins.llama.fi/prices/current/${word}:${contract(1)}`));
    t.ok(w.seen.includes(`api.dexscreener.com/tokens/v1/${chain}/${contract(1)}`));
  });
}

t.test('keys travel in headers and in no URL', async (t) => {
  const w = await world(t);
  const wallets = w.wallets({ blockscoutKey: 'proapi_secret', moralisKey: 'moralis-secret' });
  await reply(w, wallets);
  await reply(w, wallets, 'bsc');
  t.equal(w.headers.get('api.blockscout.com')?.authorization, 'Bearer proapi_secret');
  t.equal(w.headers.get('deep-index.moralis.io')?.['x-api-key'], 'moralis-secret');
  t.equal(w.headers.get('coins.llama.fi')?.authorization, undefined);
  t.notMatch(w.seen.join(' '), 'secret');
  t.ok(
    w.seen.includes(
      `api.blockscout.com/1/api/v2/addresses/${evmAddress.toLowerCase()}/tokens?type=ERC-20`,
    ),
    'the host for all chains goes first',
  );
  t.notMatch(w.seen.join(' '), 'eth.blockscout.com');
});

t.test('without the key bsc and avalanche have the native balance alone', async (t) => {
  const w = await world(t, { tokens: [token(1)] });
  const wallets = w.wallets();
  for (const [chain, coin, price] of [
    ['bsc', 'BNB', 500],
    ['avalanche', 'AVAX', 20],
  ] as const) {
    const found = await reply(w, wallets, chain);
    t.strictSame(listed(found), [[coin, 1.5, price, 1.5 * price]]);
    t.equal(found.message, null);
    t.match(found.partial, /needs a key/);
  }
});

t.test('solana: both token programs, sums per mint, names from the price sources', async (t) => {
  const gold = { contract: mint(1), symbol: null, decimals: 6, raw: '1500000' };
  const w = await world(t, {
    native: 2_500_000_000n,
    tokens: [
      token(1, gold),
      token(1, { ...gold, raw: '500000' }),
      token(2, { contract: mint(2), decimals: 9, raw: '3000000000', newer: true }),
      token(3, { contract: mint(3), decimals: 0, raw: '1' }),
      token(4, { contract: mint(4), raw: '0' }),
      { contract: mint(5), symbol: null, decimals: 2, raw: '700' },
    ],
  });
  const found = await reply(w, w.wallets(), 'solana', solanaAddress);
  t.equal(found.message, null);
  t.strictSame(listed(found), [
    ['SOL', 2.5, 150, 375],
    ['T2', 3, 2, 6],
    ['NAMED', 2, 2, 4],
    [`${mint(5).slice(0, 4)}…${mint(5).slice(-4)}`, 7, 0, 0],
  ]);
  t.equal(found.portfolio.tokens[2]?.contract, mint(1));
});

t.test('bitcoin: the confirmed balance', async (t) => {
  const w = await world(t, { native: 123_456_789n });
  const found = await reply(w, w.wallets(), 'bitcoin', bitcoinAddress);
  const value = 1.23456789 * 60_000;
  t.strictSame(listed(found), [['BTC', 1.23456789, 60_000, value]]);
  t.notOk('contract' in (found.portfolio.tokens[0] ?? {}));
  t.equal(found.partial, null);
});

for (const [count, requests] of [
  [0, 0],
  [1, 1],
  [30, 1],
  [31, 2],
  [500, 17],
] as const) {
  t.test(`a wallet with ${count} tokens`, async (t) => {
    const tokens = Array.from({ length: count }, (_, at) =>
      token(at, { raw: `${at + 1}000000000000000000` }),
    );
    const w = await world(t, { tokens });
    const found = await meanwhile(w, reply(w, w.wallets()));
    t.equal(found.message, null);
    t.equal(found.partial, null);
    t.equal(found.portfolio.tokens.length, count + 1);
    t.equal(found.portfolio.total_value_usd, sum(found));
    t.equal(found.portfolio.total_value_usd, 3_000 + count * (count + 1));
    const values = found.portfolio.tokens.map(({ value_usd }) => value_usd);
    t.same(
      values,
      [...values].sort((a, b) => b - a),
      'the most valuable first',
    );
    const to = (host: string) => w.seen.filter((url) => url.startsWith(host));
    // An answer of 30 pairs may have been cut, but none of its tokens is missing: nothing is asked twice.
    t.equal(to('api.dexscreener.com').length, requests);
    t.equal(to('coins.llama.fi').length, requests + 1, 'and once for the coins');
    t.equal(to('eth.blockscout.com').length, Math.max(1, Math.ceil(count / 50)));
    for (const url of to('api.dexscreener.com')) t.ok(url.split(',').length <= 30);
  });
}

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

t.test('decimals of 0, 6, 18 and 77; balances beyond 2^53', async (t) => {
  const most = `${2n ** 256n - 1n}`;
  const cases: [Partial<Token>, number][] = [
    [{ decimals: 0, raw: '42' }, 42],
    [{ decimals: 6, raw: '1000001' }, 1.000001],
    [{ decimals: 18, raw: '9007199254740993000000000000000001' }, 9_007_199_254_740_994],
    [{ decimals: 77, raw: most }, 1.1579208923731619],
    [{ decimals: 255, raw: '1' }, 1e-255],
    [{ decimals: 0, raw: most }, 2 ** 256],
  ];
  const tokens = cases.map(([more], at) => token(at, { ...more, symbol: `D${at}` }));
  const w = await world(t, { tokens, native: 2n ** 90n });
  const found = await reply(w, w.wallets());
  const byName = new Map(found.portfolio.tokens.map((row) => [row.token, row.balance]));
  for (const [at, [, balance]] of cases.entries()) t.equal(byName.get(`D${at}`), balance);
  t.equal(byName.get('ETH'), 1_237_940_039.2853804);
  t.ok(found.portfolio.tokens.every((row) => Number.isFinite(row.value_usd)));
  t.equal(found.portfolio.total_value_usd, sum(found));
});

t.test('decimals that are none, and balances that are none', async (t) => {
  const bad: Partial<Token>[] = [
    { decimals: 256 },
    { decimals: -1 },
    { raw: '-5' },
    { raw: '1e9' },
  ];
  const left: Partial<Token>[] = [{ decimals: null }, { raw: '0' }, { raw: '000' }];
  const tokens = [...bad, ...left].map((more, at) => token(at + 1, more));
  const w = await world(t, { tokens: [token(0), ...tokens, token(9, { contract: '0x../../x' })] });
  const found = await reply(w, w.wallets());
  t.strictSame(
    listed(found).map(([name]) => name),
    ['ETH', 'T0'],
  );
  t.match(found.partial, 'unreadable rows in the token list: 5');
  t.notMatch(w.seen.join(' '), '/../', 'what strangers write reaches no path');
});

t.test('symbols of strangers', async (t) => {
  const html = '<img src=x onerror=alert(1)>';
  const symbols = ['🚀🌕', html, 'x'.repeat(10_000), 'a\u0000b\u202ec\n', '\ud800half', '', null];
  const tokens = symbols.map((symbol, at) => token(at, { symbol }));
  const w = await world(t, { tokens });
  const found = await reply(w, w.wallets());
  const byContract = new Map(found.portfolio.tokens.map((row) => [row.contract, row.token]));
  t.same(
    symbols.map((_, at) => byContract.get(contract(at))),
    ['🚀🌕', html, 'x'.repeat(64), 'abc', '\ufffdhalf', '0xAb…0005', 'NAMED'],
  );
});

t.test('what the source marks as spam is not listed, however it is priced', async (t) => {
  for (const chain of ['ethereum', 'bsc']) {
    const w = await world(t, { tokens: [token(1, { spam: true }), token(2)] });
    const found = await reply(w, w.wallets({ moralisKey: 'k' }), chain);
    t.strictSame(
      listed(found).map(([name]) => name),
      [chain === 'bsc' ? 'BNB' : 'ETH', 'T2'],
    );
    t.notMatch(w.seen.join(' '), contract(1), 'nor priced');
  }
});

t.test('the native coin is not counted twice', async (t) => {
  const aliases = [
    '0x0000000000000000000000000000000000001010',
    '0xDeadDeAddeAddEAddeadDEaDDEAdDeaDDeAD0000',
    `0x${'E'.repeat(40)}`,
  ];
  const tokens = aliases.map((contract, at) => token(at, { contract }));
  const w = await world(t, { tokens });
  const found = await reply(w, w.wallets(), 'polygon');
  t.strictSame(listed(found), [['POL', 1.5, 0.5, 0.75]]);
  t.equal(found.partial, null);
});

t.test('equal values are ordered by symbol; nothing is below zero', async (t) => {
  const unpriced = (at: number, symbol: string): Token => {
    const { contract, decimals, raw } = token(at);
    return { contract, symbol, decimals, raw };
  };
  const tokens = [
    unpriced(1, 'b'),
    unpriced(2, 'a'),
    unpriced(3, 'C'),
    token(4),
    unpriced(5, 'ETH'),
  ];
  const w = await world(t, { tokens, native: 0n });
  const found = await reply(w, w.wallets());
  t.strictSame(listed(found), [
    ['T4', 1, 2, 2],
    ['C', 1, 0, 0],
    ['ETH', 0, 2_000, 0],
    ['ETH', 1, 0, 0],
    ['a', 1, 0, 0],
    ['b', 1, 0, 0],
  ]);
  t.notOk(found.portfolio.tokens.some((row) => Object.is(row.value_usd, -0)));
});
