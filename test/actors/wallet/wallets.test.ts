/** Portfolios of wallets, through every upstream. */
import t from 'tap';
import type { Attempt, Endpoint } from '../../../actors/chains/endpoint.ts';
import { type Holding, tokenKey } from '../../../actors/providers/holding.ts';
import type { WalletReply } from '../../../actors/topics/wallet.ts';
import { nativeBalance, nativeDecimals } from '../../../actors/wallet/native.ts';
import { portfolioOf } from '../../../actors/wallet/portfolio.ts';
import { splHoldings } from '../../../actors/wallet/spl.ts';
import { evmChainIds } from '../../../config/chains.ts';
import { table } from '../../support/table.ts';
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
      tokens: table`
        token chain    balance contract       price_usd value_usd
        ETH   ethereum 1.5     .              2_000     3_000
        T1    ethereum 1       ${contract(1)} 2         2
      `,
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

const indexes: ReadonlyMap<string, string> = new Map([
  ['bsc', 'moralis.io'],
  ['avalanche', 'moralis.io'],
  ['optimism', 'explorer.optimism.io'],
]);

for (const chain of evmChainIds) {
  t.test(`${chain}: its own index, price words and coin`, async (t) => {
    const w = await world(t, { tokens: [token(1)] });
    const found = await reply(w, w.wallets({ moralisKey: 'moralis-secret' }), chain);
    t.equal(found.partial, null);
    t.equal(found.portfolio.tokens.length, 2);
    t.ok(found.portfolio.tokens.every((row) => row.chain === chain && row.price_usd > 0));
    const index = indexes.get(chain) ?? 'blockscout.com';
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
      `api.blockscout.com/1/api/v2/addresses/${evmAddress.toLowerCase()}/tokens?type=ERC-20%2CERC-8056`,
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

t.test('a portfolio: the most valuable first, equal values by symbol and contract', async (t) => {
  const holding = (contract: string, symbol: string, more: Partial<Holding> = {}): Holding => ({
    contract,
    symbol,
    raw: 10n ** 18n,
    decimals: 18,
    rate: null,
    ...more,
  });
  const holdings = [
    holding('0x1', 'b'),
    holding('0x3', 'a'),
    holding('0x2', 'a'),
    holding('0x4', 'C'),
    holding('0x5', 'T', { raw: 3n * 10n ** 18n }),
    holding('0x6', 'BAD'),
    holding('0x7', ''),
    holding('0x8', 'ETH'),
  ];
  const market = (price: number, symbol = 'x') =>
    ({ symbol, deepest: 1e6, pool: { price, liquidity: 1e6 } }) as const;
  const keyOf = (contract: string) => tokenKey('ethereum', contract);
  const markets = new Map([
    [keyOf('0x5'), market(2)],
    [keyOf('0x6'), market(200)],
    [keyOf('0x7'), market(0.5, 'FROM POOL')],
  ]);
  const coins = new Map([[keyOf('0x6'), { symbol: 'x', price: 2 }]]);
  const quotes = { markets, coins, native: null, notes: [] };
  const request = { address: evmAddress, chain: 'ethereum' };
  const contents = { chain: 'ethereum', native: 0n, holdings } as const;
  const judged = (ownNative: number | null) =>
    portfolioOf(request, contents, { quotes, floor: 1_000, ownNative });
  const { portfolio, notes } = judged(null);
  t.strictSame(
    portfolio.tokens.map((row) => [row.token, row.contract, row.balance, row.price_usd]),
    [
      ['T', '0x5', 3, 2],
      ['FROM POOL', '0x7', 1, 0.5],
      ['BAD', '0x6', 1, 0],
      ['C', '0x4', 1, 0],
      // A token that is called as the coin of the chain comes after it.
      ['ETH', undefined, 0, 0],
      ['ETH', '0x8', 1, 0],
      ['a', '0x2', 1, 0],
      ['a', '0x3', 1, 0],
      ['b', '0x1', 1, 0],
    ],
  );
  t.equal(portfolio.total_value_usd, 6.5);
  const contested = 'the price sources contradict each other on 1 of the tokens';
  t.strictSame(notes, ['no price of ETH', contested]);
  t.strictSame(judged(2_000).notes, [contested]);
  t.notOk(portfolio.tokens.some((row) => Object.is(row.value_usd, -0)));
  t.strictSame(nativeDecimals, { evm: 18, solana: 9, esplora: 8 });
});

/** One attempt at a node with these results, by method or path. */
const attemptAt = (results: Readonly<Record<string, unknown>>): Attempt => {
  const send: Endpoint['send'] = async ({ path, body }) => {
    const one = ({ id, method }: { id: number; method: string }) => ({
      jsonrpc: '2.0',
      id,
      result: results[method],
    });
    return path ? results[path] : one(body as never);
  };
  return { endpoint: { send } as Endpoint, until: 1_000 };
};

t.test('native coins: a whole number, never below zero, or not what is documented', async (t) => {
  const shape = { name: 'ShapeError' };
  const ether = (eth_getBalance: unknown, address = evmAddress) =>
    nativeBalance(attemptAt({ eth_getBalance }), 'base', address);
  t.equal(await ether('0x0'), 0n);
  t.equal(await ether(`0xF${'f'.repeat(63)}`), 2n ** 256n - 1n);
  for (const bad of ['0x', '12', 12, null, `0x${'f'.repeat(65)}`, '0xg', 'x0x1'])
    await t.rejects(ether(bad), shape, JSON.stringify(bad));
  await t.rejects(ether('0x1', '0x12'), shape);
  const path = `/address/${bitcoinAddress}`;
  const satoshi = (funded_txo_sum: unknown, spent_txo_sum: unknown) =>
    nativeBalance(
      attemptAt({ [path]: { chain_stats: { funded_txo_sum, spent_txo_sum } } }),
      'bitcoin',
      bitcoinAddress,
    );
  t.equal(await satoshi(7, 7), 0n);
  t.equal(await satoshi(9, 2), 7n);
  const sums = [
    [2, 3],
    [2.5, 1],
    [2, 0.5],
    ['x', 1],
  ] as const;
  for (const [funded, spent] of sums) await t.rejects(satoshi(funded, spent), shape, `${funded}`);
  const lamports = (value: unknown) =>
    nativeBalance(
      attemptAt({ getBalance: { context: { slot: 1 }, value } }),
      'solana',
      solanaAddress,
    );
  t.equal(await lamports(5), 5n);
  for (const bad of [-1, 1.5]) await t.rejects(lamports(bad), shape, `${bad}`);
});

t.test('the token accounts of solana: both programs, one row for each mint', async (t) => {
  const row = (at: number, amount: string, decimals = 0) => ({
    pubkey: mint(90 + at),
    account: {
      executable: false,
      lamports: 1,
      owner: mint(99),
      rentEpoch: 1,
      space: 165,
      data: {
        program: 'spl-token',
        space: 165,
        parsed: { type: 'account', info: { mint: mint(at), tokenAmount: { amount, decimals } } },
      },
    },
  });
  const accounts = [row(1, '1'), row(2, '2'), row(3, '1', 1), row(4, 'x'), row(5, '0')];
  const value = { context: { slot: 1 }, value: accounts };
  const found = await splHoldings(attemptAt({ getTokenAccountsByOwner: value }), solanaAddress);
  t.strictSame(
    found.rows.map(({ contract, raw, decimals, symbol }) => [contract, raw, decimals, symbol]),
    [
      [mint(1), 2n, 0, ''],
      [mint(2), 4n, 0, ''],
      [mint(3), 2n, 1, ''],
    ],
    'the same accounts under both: their sums',
  );
  t.equal(found.dropped.length, 2);
});
