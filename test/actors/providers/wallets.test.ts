/** The parsers of the wallets' upstreams: recorded answers, and bodies that are none. */
import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import { blockscout, blockscoutIndex, onBlockscout } from '../../../actors/providers/blockscout.ts';
import {
  coinsRequest,
  nativesRequest,
  parseCoins,
  parseNative,
} from '../../../actors/providers/defillama/coins.ts';
import { joinMarkets, parseMarkets } from '../../../actors/providers/dexscreener.ts';
import {
  contractOf,
  holdingOf,
  shortened,
  type TokenIndex,
  tokenKey,
} from '../../../actors/providers/holding.ts';
import { moralis, moralisIndex, onMoralis } from '../../../actors/providers/moralis.ts';
import { isRecord } from '../../../actors/read.ts';
import { readFault } from '../../../actors/upstream/faults.ts';
import type { Api } from '../../../actors/upstream/request.ts';
import { json } from '../../support/faulty-server.ts';
import { absent, recording } from '../../support/recordings.ts';
import { table } from '../../support/table.ts';
import { flawsOf } from '../venues/suite/damage.ts';
import { contract, reply, world } from '../wallet/world.ts';

if (absent) t.comment(`skipped: ${absent}`);
const options = { skip: absent };
const body = (source: string, name: string): unknown => {
  const found = recording(source, name);
  if (!found) throw new Error(`no recording ${source}/${name}`);
  return found.response;
};
const holder = `0x${'1'.repeat(40)}`;

t.test('recorded: Blockscout, with the words of older servers', options, async (t) => {
  const items = body('blockscout', 'token-balances-legacy-fields');
  const { parse } = blockscoutIndex('base', holder, null);
  const page = parse({ items, next_page_params: null });
  t.strictSame(page, {
    rows: table`
      contract                                   symbol raw           decimals rate
      0x4aa4365da82ACD46e378A6f3c92a863f3e763d34 XBTC   ${10n ** 18n} 18       -
    `,
    dropped: [],
    next: null,
  });
});

t.test('recorded: Moralis', options, async (t) => {
  const page = moralisIndex('bsc', holder).parse(body('moralis', 'wallet-tokens'));
  t.strictSame(page, {
    rows: table`
      contract                                   symbol raw           decimals rate
      0x1c7d4b196cb0c7b01d743fbc6116a902379c7238 USDC   ${2_000_000n} 6        -
    `,
    dropped: [],
    next: null,
  });
});

t.test('recorded: DefiLlama', options, async (t) => {
  const recorded = body('llama-coins', 'prices-current');
  const received = 1_791_178_960_000 + 60_000;
  t.equal(parseNative({ body: recorded, received }, 'optimism'), 2701.406622981317);
  t.equal(parseNative({ body: recorded, received }, 'bitcoin'), null);
  t.equal(parseNative({ body: recorded, received: received + 6 * 3_600_000 }, 'base'), null);
});

t.test('recorded: DexScreener knows its chains apart', options, async (t) => {
  const found = body('dexscreener', 'latest-dex-tokens');
  const pairs = isRecord(found) ? found.pairs : null;
  const weth = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
  const here = parseMarkets(pairs, 'ethereum').markets.get(weth);
  t.equal(here?.symbol, 'WETH');
  t.ok(Math.abs((here?.pool?.price ?? 0) - 2701) < 1);
  t.equal(here?.pool?.liquidity, here?.deepest);
  t.same(parseMarkets(pairs, 'base').markets.size, 0);
});

t.test('DexScreener: the other side of a pair has a symbol and no price', async (t) => {
  const pair = {
    chainId: 'base',
    priceUsd: '2',
    liquidity: { usd: 7 },
    baseToken: { address: '0xa', symbol: 'A' },
    quoteToken: { address: '0xB', symbol: 'B' },
  };
  t.strictSame(
    [...parseMarkets([pair], 'base').markets.values()],
    [
      { symbol: 'A', deepest: 7, pool: { price: 2, liquidity: 7 } },
      { symbol: 'B', deepest: 7, pool: null },
    ],
  );
  const full = [29, 30].map((length) => parseMarkets(Array(length).fill(pair), 'base').full);
  t.strictSame(full, [false, true]);
  const market = (symbol: string, deepest: number, price: number | null) => ({
    symbol,
    deepest,
    pool: price === null ? null : { price, liquidity: deepest },
  });
  const joined = joinMarkets([
    new Map([
      ['a', market('', 5, 1)],
      ['b', market('B', 9, null)],
    ]),
    new Map([
      ['a', market('A', 5, 2)],
      ['b', market('', 0, 3)],
    ]),
  ]);
  t.strictSame(
    [...joined.values()],
    [
      { ...market('A', 5, 1), symbol: 'A' },
      { symbol: 'B', deepest: 9, pool: { price: 3, liquidity: 0 } },
    ],
    'of equal pools the first',
  );
});

t.test('recorded: solana and Esplora, through their nodes', options, async (t) => {
  const w = await world(t);
  const owner = 'A1TMhSGzQxMr1TboBKtgixKz1sS6REASMxPo1qsyTSJd';
  const results: Record<string, unknown> = {
    getGenesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    getSlot: 100,
    getBalance: { context: { slot: 1 }, value: 5 },
  };
  const tokens = body('solana-rpc', 'getTokenAccountsByOwner');
  w.on('node.solana.test', (request, response) => {
    const { id, method } = JSON.parse(w.body(request));
    const known = isRecord(tokens) ? tokens.result : null;
    json({ jsonrpc: '2.0', id, result: results[method] ?? known })(request, response);
  });
  const { portfolio, message } = await reply(w, w.wallets(), 'solana', owner);
  t.equal(message, null);
  t.match(portfolio.tokens[1], {
    token: '2cHr…HzXR',
    // The recording stands for the accounts of both programs.
    balance: 840_000_000,
    contract: '2cHr7QS3xfuSV8wdxo3ztuF4xbiarF6Nrgx3qpx3HzXR',
  });
  const stats = body('esplora', 'address-stats');
  const height = json(900_000);
  w.on('node.bitcoin.test', (request, response) =>
    (request.url?.includes('/blocks/') ? height : json(stats))(request, response),
  );
  const spent = 'bc1qq7gm20tgeauggamlh7m54fu9e54vkdyzxzy5rh';
  const bitcoin = await reply(w, w.wallets(), 'bitcoin', spent);
  t.equal(bitcoin.portfolio.tokens[0]?.balance, 0.00094641, 'the mempool does not count');
});

t.test('bodies that are none', async (t) => {
  const received = 0;
  for (const bad of [null, 7, 'text', [], {}, { items: {} }, { result: 1 }, { coins: [1] }]) {
    t.throws(() => blockscoutIndex('base', holder, null).parse(bad), ShapeError);
    t.throws(() => moralisIndex('bsc', holder).parse(bad), ShapeError);
    if (!Array.isArray(bad)) t.throws(() => parseMarkets(bad, 'base'), ShapeError);
    if (!isRecord(bad) || !('coins' in bad)) {
      t.throws(() => parseCoins({ body: bad, received }, 'base'), ShapeError);
      t.throws(() => parseNative({ body: bad, received }, 'base'), ShapeError);
    }
  }
  const { parse } = blockscoutIndex('base', holder, null);
  for (const next_page_params of [7, { a: {} }, { a: 'x'.repeat(2_000) }, {}]) {
    t.throws(() => parse({ items: [], next_page_params }), ShapeError);
  }
  const strange = parse({ items: [null, 7, [], { token: 1 }], next_page_params: { a: null } });
  t.same(strange, { rows: [], dropped: [], next: { a: '' } }, 'of no standard that is listed');
});

t.test('Blockscout: values of the next page have no exponent, which it refuses', async (t) => {
  const { parse } = blockscoutIndex('base', holder, null);
  const sent = (fiat_value: unknown) =>
    parse({ items: [], next_page_params: { fiat_value, id: 7 } }).next?.fiat_value;
  // https://github.com/blockscout/blockscout: general.ex, `float_pattern`.
  const isTaken = /^([1-9][0-9]*|0)(\.[0-9]+)?$/;
  for (const [word, plain] of [
    ['0.000001', '0.000001'],
    ['9.87E-7', '0.000000987'],
    ['4E-18', '0.000000000000000004'],
    ['0E-20', '0'],
    ['1234.5', '1234.5'],
  ] as const) {
    t.equal(sent(word), plain);
    t.match(plain, isTaken);
  }
});

t.test('DefiLlama: a coin without numbers is unlisted, all of them a bad body', async (t) => {
  const received = 1_700_000_000_000;
  const coin = { symbol: 'A', price: 2, timestamp: received / 1_000, confidence: 0.9 };
  const coins = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`base:${contract(n)}`, coin]));
  const broken = { symbol: null, price: null, timestamp: null, confidence: null };
  const one = { coins: { ...coins, [`base:${contract(1)}`]: broken } };
  const prices = [...parseCoins({ body: one, received }, 'base').values()].map(
    ({ price }) => price,
  );
  t.same(prices, [null, 2, 2, 2, 2]);
  const all = { coins: Object.fromEntries(Object.keys(coins).map((key) => [key, broken])) };
  t.throws(() => parseCoins({ body: all, received }, 'base'), ShapeError);
});

t.test('DefiLlama: a price that is unsure or old is ignored', async (t) => {
  const received = 1_700_000_000_000;
  const hours = 3_600_000;
  const cases = [
    [0.5, 0, 2],
    [0.49, 0, 2],
    [0.9, 6 * hours - 1_000, 2],
    [0.9, 6 * hours, 2],
    [0.9, 0, 0],
    [0.9, 0, -1],
  ] as const;
  const coins = Object.fromEntries(
    cases.map(([confidence, age, price], at) => [
      `avax:${contract(at)}`,
      { symbol: 'A', price, confidence, timestamp: (received - age) / 1_000 },
    ]),
  );
  const found = parseCoins({ body: { coins }, received }, 'avalanche');
  t.same(
    [...found],
    cases.map((_, at) => [
      contract(at).toLowerCase(),
      { symbol: 'A', price: at % 2 || at > 3 ? null : 2 },
    ]),
  );
  const coin = { symbol: 'A', price: 3, confidence: 0.9, timestamp: received / 1_000 };
  const native = (key: string, chain: 'polygon' | 'bsc') =>
    parseNative({ body: { coins: { [`coingecko:${key}`]: coin } }, received }, chain);
  t.same(
    [
      native('matic-network', 'polygon'),
      native('polygon-ecosystem-token', 'polygon'),
      native('solana', 'bsc'),
    ],
    [3, 3, null],
  );
  t.equal(coinsRequest('avalanche', ['0xa', '0xb']).path, '/prices/current/avax:0xa,avax:0xb');
  t.equal(coinsRequest('base', ['0xa']).path, '/prices/current/base:0xa');
  t.equal(
    nativesRequest.path,
    `/prices/current/${['ethereum', 'binancecoin', 'solana', 'bitcoin', 'polygon-ecosystem-token', 'matic-network', 'avalanche-2'].map((id) => `coingecko:${id}`).join()}`,
  );
});

t.test('the holding of a row: whole units, decimals of a byte, not the native coin', async (t) => {
  const row = { contract: contract(1), symbol: ' A ', balance: '7', decimals: '18', rate: '2' };
  const holding = { contract: contract(1), symbol: 'A', raw: 7n, decimals: 18, rate: 2 };
  const cases = [
    [{}, holding],
    [{ balance: '9'.repeat(78) }, { ...holding, raw: 10n ** 78n - 1n }],
    [{ balance: '9'.repeat(79) }, null],
    [{ balance: '1.5' }, null],
    [{ balance: '0' }, 'left_out'],
    [{ decimals: 255 }, { ...holding, decimals: 255 }],
    [{ decimals: 0 }, { ...holding, decimals: 0 }],
    [{ decimals: 256 }, null],
    [{ decimals: -1 }, null],
    [{ decimals: 1.5 }, null],
    [{ decimals: null }, 'left_out'],
    [{ decimals: undefined }, 'left_out'],
    [{ rate: null }, { ...holding, rate: null }],
    [{ contract: '' }, null],
    [{ contract: `0x${'E'.repeat(40)}` }, 'left_out'],
    [{ contract: '0x0000000000000000000000000000000000001010' }, 'left_out'],
    [{ contract: '0xDeadDeAddeAddEAddeadDEaDDEAdDeaDDeAD0000' }, 'left_out'],
  ] as const;
  t.same(
    cases.map(([more]) => holdingOf({ ...row, ...more })),
    cases.map(([, wanted]) => wanted),
  );
  const upper = contract(1).toUpperCase().replace('0X', '0x');
  const solana = 'A1TMhSGzQxMr1TboBKtgixKz1sS6REASMxPo1qsyTSJd';
  t.same(
    [
      contractOf('base', upper),
      contractOf('base', `${upper}0`),
      contractOf('solana', solana),
      contractOf('solana', 'x'),
      contractOf('base', 7),
    ],
    [upper, '', solana, '', ''],
  );
  t.same(
    [tokenKey('base', upper), tokenKey('solana', solana)],
    [contract(1).toLowerCase(), solana],
  );
  t.equal(shortened('0x1234567890'), '0x12…7890');
});

t.test('which failures of an index are about the question', async (t) => {
  const statuses = [400, 401, 402, 403, 404, 422, 500];
  const codes = (api: Api, body: object) =>
    statuses.map((status) => readFault(api, status, body)?.code ?? null);
  const refused = ['refused', 'refused', 'refused', 'refused', null, 'refused', null];
  const { base, multichain }: Record<string, Api> = blockscout('KEY').apis;
  t.same(codes(moralis('KEY').apis.rest, {}), refused);
  for (const api of [base, multichain]) {
    if (!api) throw new Error('no such api');
    t.same(codes(api, {}), refused);
    t.equal(readFault(api, 404, { message: 'Not found' })?.code, 'unknown_instrument');
    t.equal(readFault(api, 200, { message: 'Not found' }), null);
  }
  t.same(
    [
      onMoralis('bsc'),
      onMoralis('avalanche'),
      onMoralis('base'),
      onBlockscout('base'),
      onBlockscout('bsc'),
    ],
    [true, true, false, true, false],
  );
});

t.test('items of other standards and single items are not tokens', async (t) => {
  const { parse } = blockscoutIndex('base', holder, null);
  const token = { address_hash: contract(1), decimals: '0', symbol: 'A', type: 'ERC-20' };
  const items = [
    { token: { ...token, type: 'ERC-721' }, value: '1' },
    { token: { ...token, type: 'ERC-1155' }, value: '1', token_id: '7' },
    { token, value: '1', token_id: '7' },
    { token: { ...token, is_scam: true }, value: '1' },
    { token, value: '7', token_id: null },
  ];
  const { rows } = parse({ items, next_page_params: null });
  t.same(
    rows.map(({ raw }) => raw),
    [7n],
  );
});

t.test('a damaged value makes no number that is not finite', async (t) => {
  const received = 1_700_000_000_000;
  const worth = { value: '7', token_id: null };
  const facts = { decimals: '18', symbol: 'A', type: 'ERC-20', exchange_rate: '2' };
  const items = [
    { ...worth, token: { ...facts, address_hash: contract(1), reputation: 'ok', is_scam: false } },
    { ...worth, token: { ...facts, address: contract(2), reputation: 'spam' } },
    { ...worth, token: { ...facts, address: contract(3) } },
  ];
  const next_page_params = { items_count: 50, value: null, fiat: '1' };
  const held = { symbol: 'A', balance: '7', decimals: 18, usd_price: 2 };
  const result = [
    { ...held, token_address: contract(1), native_token: false, possible_spam: false },
    { ...held, token_address: contract(2), native_token: true },
  ];
  const coin = { symbol: 'A', price: 2, timestamp: received / 1_000, confidence: 0.9 };
  const ids = ['base:0xA', 'coingecko:matic-network', 'coingecko:polygon-ecosystem-token'];
  const coins = Object.fromEntries(ids.map((key, at) => [key, { ...coin, price: at + 1 }]));
  const side = (at: number) => ({ address: contract(at), symbol: `S${at}` });
  const pools = [
    [1, 2, '3', 100],
    [2, 1, '4', 50],
    [1, 3, '5', 100],
  ] as const;
  const pairs = pools.map(([base, quote, priceUsd, usd]) => ({
    chainId: 'base',
    priceUsd,
    liquidity: { usd },
    baseToken: side(base),
    quoteToken: side(quote),
  }));
  const shown = (index: TokenIndex) => (body: unknown) => {
    const { rows, ...page } = index.parse(body);
    return { ...page, rows: rows.map((row) => ({ ...row, raw: String(row.raw) })) };
  };
  const readings: Record<string, [body: unknown, parse: (body: unknown) => unknown]> = {
    blockscout: [{ items, next_page_params }, shown(blockscoutIndex('base', holder, null))],
    moralis: [{ result, cursor: 'next' }, shown(moralisIndex('bsc', holder))],
    coins: [{ coins }, (body) => [...parseCoins({ body, received }, 'base')]],
    native: [{ coins }, (body) => [parseNative({ body, received }, 'polygon')]],
    markets: [pairs, (body) => [...parseMarkets(body, 'base').markets]],
  };
  const flaws = Object.entries(readings).flatMap(([name, [body, parse]]) =>
    flawsOf({ name, bodies: [body], parse: ([one]) => parse(one) }),
  );
  t.strictSame(flaws, []);
});
