/** Balances of simulated wallets: Blockscout and Moralis, whole, paged, and the same as the chains' own. */
import t, { type Test } from 'tap';
import { chains } from '../../../config/chains.ts';
import { hotWallets, supplyContracts } from '../../../config/tokens.ts';
import { balanceAt, contractAt } from '../../../scripts/simulator/chains/ledger.ts';
import { evmWallet, showcase } from '../../../scripts/simulator/wallet/accounts.ts';
import { blockscoutHosts } from '../../../scripts/simulator/wallet/blockscout.ts';
import { holdingsOf } from '../../../scripts/simulator/wallet/holdings.ts';
import { oddAddress } from '../../../scripts/simulator/wallet/tokens.ts';
import { absent, recording } from '../../support/recordings.ts';
import { bothBodies, differences, sameShape } from '../../support/shape.ts';
import { list, now, record, type WalletStage, walletStage } from './wallet-stage.ts';

const api = (chain: keyof typeof blockscoutHosts) => `https://${blockscoutHosts[chain]}/api/v2`;
const unseen = '0x0000000000000000000000000000000000000001';
const stranger = '0x52908400098527886e0f7030069857d2e4169ee7';

/** Every row of a wallet, page by page; `sizes` of the pages. */
async function pages({ get }: WalletStage, base: string, wallet: string) {
  const items: Record<string, unknown>[] = [];
  const sizes: number[] = [];
  let more: Record<string, unknown> | null = {};
  while (more && sizes.length < 100) {
    const query = new URLSearchParams({ type: 'ERC-20' });
    for (const [key, value] of Object.entries(more)) query.set(key, String(value ?? ''));
    const { status, body } = await get(`${base}/addresses/${wallet}/tokens?${query}`);
    if (status !== 200) throw new Error(`status ${status}`);
    const page = record(body);
    items.push(...list(page.items));
    sizes.push(list(page.items).length);
    more = page.next_page_params === null ? null : record(page.next_page_params);
  }
  return { items, sizes, rows: items.map(({ token, value }) => ({ ...record(token), value })) };
}

const addressOf = (row: object) => ('address_hash' in row ? String(row.address_hash) : '');

t.test('Blockscout: the shapes of the recordings', { skip: absent }, async (t) => {
  const { url, get } = await walletStage(t);
  await sameShape(t, url, ['address', recording('blockscout', 'address')]);
  const name = 'token-balances-legacy-fields';
  const legacy = recording('blockscout', name);
  const path = `/addresses/${evmWallet(0x000f)}/token-balances`;
  const { real, ours } = await bothBodies(t, url, [name, legacy], `${api('ethereum')}${path}`);
  const strings = differences(real, ours, {
    newer: ['address_hash', 'holders_count', 'reputation'],
    older: ['address', 'holders'],
  });
  const priced = ['circulating_market_cap', 'exchange_rate', 'volume_24h'];
  t.strictSame(
    strings,
    priced.map((key) => `$[].token.${key}: string, not null`),
    'all that differs is that ours have a price',
  );
  const { body } = await get(`${api('base')}/addresses/${evmWallet(200)}/tokens?type=ERC-20`);
  t.match(record(body).next_page_params, {
    fiat_value: /^\d/,
    id: Number,
    items_count: 50,
    value: /^\d+$/,
  });
});

t.test('Blockscout: pages are complete and in order, whatever the size', async (t) => {
  const stage = await walletStage(t);
  for (const [count, sizes] of [
    [0, [0]],
    [1, [1]],
    [31, [31]],
    [50, [50]],
    [51, [50, 1]],
    [500, Array.from({ length: 10 }, () => 50)],
  ] as const) {
    const wallet = evmWallet(count);
    const found = await pages(stage, api('ethereum'), wallet);
    t.strictSame(found.sizes, sizes, `pages of ${count}`);
    const held = holdingsOf('ethereum', wallet).map(({ token, raw }) => [
      token.address,
      String(raw),
    ]);
    t.equal(held.length, count);
    t.strictSame(
      new Map(found.rows.map((row) => [addressOf(row), row.value])),
      new Map(held.map(([address = '', raw]) => [address, raw])),
      `every token of ${count}, once`,
    );
    const worth = found.rows.map((row) => {
      const { exchange_rate: rate, decimals, value } = record(row);
      return rate === null ? -1 : (Number(rate) * Number(value)) / 10 ** Number(decimals);
    });
    // Divided here by another way than there: nearly equal ones may change places.
    const falls = worth.every((value, i) => i === 0 || value - (worth[i - 1] ?? 0) <= 1e-6);
    t.ok(falls, 'the dearest first, those without a price last');
    if (count === 500) t.ok(worth.filter((value) => value < 0).length > 100, 'pages without price');
  }
  const { body } = await stage.get(`${api('base')}/addresses/${evmWallet(51)}/tokens?value=1`);
  t.equal(list(record(body).items).length, 50, 'a part of the keys gives the first page');
  const nft = await stage.get(`${api('base')}/addresses/${evmWallet(51)}/tokens?type=ERC-721`);
  t.strictSame(nft.body, { items: [], next_page_params: null });
});

t.test('Blockscout: the wallet with a token of every kind', async (t) => {
  const stage = await walletStage(t);
  const { rows } = await pages(stage, api('ethereum'), showcase.evm);
  const bySymbol = new Map(rows.map((row) => [record(row).symbol, record(row)]));
  for (const symbol of ['WETH', 'USDC', 'USDT', 'PEPE']) {
    t.match(bySymbol.get(symbol), { exchange_rate: /^\d/, reputation: 'ok' }, symbol);
  }
  t.equal(bySymbol.get('PEPE')?.address_hash, '0x6982508145454Ce325dDbE47a25d4ec3d2311933');
  const odd = (name: Parameters<typeof oddAddress>[0]) =>
    rows.find((row) => addressOf(row) === oddAddress(name));
  t.match(odd('scam'), { reputation: 'scam', name: /https:/, exchange_rate: null });
  t.match(odd('unlisted'), { reputation: 'ok', decimals: '18', exchange_rate: null });
  t.match(odd('deep'), { decimals: '77' });
  t.match(odd('whole'), { decimals: '0', value: '1200' });
  t.match(odd('emoji'), { symbol: '🚀🌕' });
  t.match(odd('html'), { symbol: '<b>FREE</b>' });
  t.strictSame([record(odd('blank')).symbol, record(odd('blank')).decimals], [null, null]);
});

t.test('errors of Blockscout', async (t) => {
  const { get } = await walletStage(t);
  for (const end of ['', '/tokens', '/token-balances']) {
    const missing = await get(`${api('polygon')}/addresses/${unseen}${end}`);
    t.strictSame(missing, { status: 404, body: { message: 'Not found' } }, `404 at ${end}`);
    for (const bad of ['0x12', `${unseen}0`, 'vitalik.eth', showcase.solana]) {
      const refused = await get(`${api('polygon')}/addresses/${bad}${end}`);
      t.match(refused, { status: 422, body: { errors: [{ title: 'Invalid value' }] } }, bad);
    }
  }
  const every = (id: number, query = '') =>
    get(`https://api.blockscout.com/${id}/api/v2/addresses/${showcase.evm}${query}`);
  t.match(await every(1, '?apikey=wrong'), { status: 401, body: { source: 'internal' } });
  t.match(await every(56), { status: 404, body: { error: 'Network not supported' } });
  for (const chain of ['ethereum', 'base', 'arbitrum', 'polygon', 'optimism'] as const) {
    const own = await get(`${api(chain)}/addresses/${showcase.evm}`);
    const { identity } = chains[chain];
    t.strictSame(await every(identity, '?apikey=proapi_x'), own, `${chain} at both hosts`);
    t.equal(own.status, 200);
  }
});

async function sameBalances(t: Test, stage: WalletStage, holder: string) {
  const [ask] = [chains.ethereum.urls[0]];
  const { body } = await stage.get(`${api('ethereum')}/addresses/${holder}`);
  const { result } = await stage.rpc(ask, 'eth_getBalance', [holder, 'latest']);
  t.equal(BigInt(String(result)), BigInt(String(record(body).coin_balance)), 'native coins');
  t.ok(BigInt(String(result)) > 0n, 'some');
  const { rows } = await pages(stage, api('ethereum'), holder);
  const { address } = supplyContracts.ethereum.USDC[0];
  const data = `0x70a08231${holder.slice(2).toLowerCase().padStart(64, '0')}`;
  const call = await stage.rpc(ask, 'eth_call', [{ to: address, data }, 'latest']);
  const value = rows.find((row) => addressOf(row) === address)?.value ?? '0';
  t.equal(BigInt(String(call.result)), BigInt(String(value)), 'USDC');
  return BigInt(String(value));
}

t.test('nodes and Blockscout agree on every balance', async (t) => {
  const stage = await walletStage(t);
  const [hot = ''] = hotWallets[0]?.addresses ?? [];
  t.ok((await sameBalances(t, stage, showcase.evm)) > 0n);
  t.equal(await sameBalances(t, stage, evmWallet(31)), 0n);
  await sameBalances(t, stage, stranger);
  const token = contractAt('ethereum', supplyContracts.ethereum.USDC[0].address) ?? null;
  const held = balanceAt({ chain: 'ethereum', holder: hot, token }, stage.model.seed, now);
  t.equal(await sameBalances(t, stage, hot), held, 'a hot wallet of an exchange too');
  const { result } = await stage.rpc(chains.bsc.urls[0], 'eth_getBalance', [unseen, 'latest']);
  t.equal(result, '0x0', 'an unknown address');
  const bad = await stage.rpc(chains.bsc.urls[0], 'eth_getBalance', ['0x12', 'latest']);
  t.match(bad, { error: { code: -32602 } });
});

t.test('a wallet is the same for every seed, and not that of another address', async (t) => {
  const [one, other] = [await walletStage(t), await walletStage(t, { seed: 8 })];
  const values = async (stage: WalletStage, wallet: string) => {
    const { rows } = await pages(stage, api('optimism'), wallet);
    return rows.map((row) => `${addressOf(row)} ${row.value}`).sort();
  };
  for (const wallet of [showcase.evm, stranger, evmWallet(31)]) {
    const first = await values(one, wallet);
    t.ok(first.length > 0);
    t.strictSame(await values(other, wallet), first, wallet);
    t.strictSame(await values(one, wallet.toLowerCase()), first, 'in any case');
  }
  t.not(
    String(await values(one, evmWallet(31, 1))),
    String(await values(one, evmWallet(31))),
    'another wallet of as many tokens',
  );
  const counts = Array.from({ length: 200 }, (_, i) =>
    holdingsOf('base', `0x${(0xabc + i).toString(16).padStart(40, 'f')}`),
  ).map(({ length }) => length);
  t.ok(Math.min(...counts) < 5 && Math.max(...counts) > 55 && Math.max(...counts) <= 60);
  t.throws(() => evmWallet(65_536), { message: 'from 0 to 65535, not 65536' });
});

const moralis = 'https://deep-index.moralis.io/api/v2.2/wallets';

t.test('Moralis: the shape of the recording, except prices', { skip: absent }, async (t) => {
  const { url } = await walletStage(t);
  const recorded = ['wallet-tokens', recording('moralis', 'wallet-tokens')] as const;
  const asked = `${moralis}/${evmWallet(3)}/tokens?chain=bsc`;
  const { real, ours } = await bothBodies(t, url, recorded, asked);
  const paging = { newer: ['page', 'page_size', 'block_number', 'cursor'] };
  const numbers = [
    'usd_price',
    'usd_price_24hr_percent_change',
    'usd_price_24hr_usd_change',
    'usd_value',
    'usd_value_24hr_usd_change',
  ].map((key) => `$.result[].${key}: number, not null`);
  t.strictSame(differences(real, ours, paging), numbers, 'the native row');
  const second = (body: unknown) => list(record(body).result)[1];
  t.strictSame(
    differences(second(real), second(ours)),
    numbers.map((text) => text.replace('$.result[]', '$')),
    'a token',
  );
});

t.test('Moralis: pages, spam and what it refuses', async (t) => {
  const stage = await walletStage(t);
  const ask = async (wallet: string, query: string) => {
    const { status, body } = await stage.get(`${moralis}/${wallet}/tokens?${query}`);
    return { status, body: record(body) };
  };
  for (const [count, pages] of [
    [0, 1],
    [99, 1],
    [100, 2],
    [500, 6],
  ] as const) {
    const rows: Record<string, unknown>[] = [];
    let cursor = '';
    let asked = 0;
    do {
      const { body } = await ask(evmWallet(count), `chain=avalanche&limit=100&cursor=${cursor}`);
      rows.push(...list(body.result));
      cursor = String(body.cursor ?? '');
      asked++;
    } while (cursor !== '' && asked < 20);
    t.equal(asked, pages, `${count} tokens and the native coin`);
    t.equal(new Set(rows.map((row) => row.token_address)).size, count + 1, 'each of them once');
    t.match(rows[0], { native_token: true, symbol: 'AVAX' });
  }
  const all = list((await ask(showcase.evm, 'chain=0x38')).body.result);
  const clean = list((await ask(showcase.evm, 'chain=bsc&exclude_spam=true')).body.result);
  const spam = all.filter((row) => row.possible_spam);
  t.strictSame(
    spam.map((row) => row.token_address),
    [oddAddress('scam').toLowerCase()],
  );
  t.equal(clean.length, all.length - 1);
  const bare = await ask(showcase.evm, 'chain=bsc&exclude_native=true');
  t.equal(list(bare.body.result).length, all.length - 1);
  const { result } = await stage.rpc(chains.bsc.urls[0], 'eth_getBalance', [showcase.evm]);
  t.equal(BigInt(String(all[0]?.balance)), BigInt(String(result)), 'as the node says');
  t.match(await ask('0x12', 'chain=bsc'), { status: 400, body: { message: /valid hex/ } });
  t.match(await ask(showcase.evm, 'chain=eth'), { status: 400 });
  t.match(await ask(showcase.evm, 'chain=bsc&cursor=abc'), { status: 400 });
  const none = await ask(unseen, 'chain=bsc');
  t.match(none, { status: 200, body: { cursor: null, result: [{ balance: '0' }] } });
});
