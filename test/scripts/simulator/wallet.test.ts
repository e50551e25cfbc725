/** Simulated wallets, read by the readers of the real ones: complete, priced alike by both sources, as the chains have them. */
import t, { type Test } from 'tap';
import { blockscoutIndex } from '../../../actors/providers/blockscout.ts';
import {
  coinsRequest,
  parseCoins,
  parseNative,
} from '../../../actors/providers/defillama/coins.ts';
import { marketsRequest, parseMarkets } from '../../../actors/providers/dexscreener.ts';
import { type Query, tokenKey } from '../../../actors/providers/holding.ts';
import { chains } from '../../../config/chains.ts';
import { supplyContracts } from '../../../config/tokens.ts';
import { chainVenues } from '../../../scripts/simulator/chains/registry.ts';
import { defi } from '../../../scripts/simulator/defi/registry.ts';
import { holdingsOf } from '../../../scripts/simulator/wallet/holdings.ts';
import { walletVenues } from '../../../scripts/simulator/wallet/registry.ts';
import { type TokenChain, tokensOf } from '../../../scripts/simulator/wallet/tokens.ts';
import { FakeClock } from '../../support/clock.ts';
import { simulated } from '../../support/simulated.ts';

const now = Date.UTC(2026, 7, 14, 13, 37, 21);
const everything = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const stranger = '0x52908400098527886e0f7030069857d2e4169ee7';
const unseen = '0x0000000000000000000000000000000000000001';

/** Starts the upstreams of wallets; the host of one is the first part of the path. */
async function world(t: Test) {
  const venues = [...walletVenues, ...defi, ...chainVenues()];
  const { url, model } = await simulated(t, venues, {
    clock: new FakeClock(now),
    seed: 3,
    symbols: 30,
  });
  const get = async (host: string, path: string, query: Query = {}) => {
    const at = new URL(`${url}/${host}${path}`);
    for (const [key, value] of Object.entries(query)) at.searchParams.set(key, String(value));
    const response = await fetch(at);
    return { status: response.status, body: (await response.json()) as unknown };
  };
  return { url, model, get };
}
type World = Awaited<ReturnType<typeof world>>;

/** The tokens that Blockscout lists, page by page: raw balances by contract. */
async function listed({ get }: World, wallet: string) {
  const index = blockscoutIndex('ethereum', wallet, null);
  const found = new Map<string, bigint>();
  let [cursor, pages]: [Query | null, number] = [{}, 0];
  while (cursor && pages < 10) {
    const [{ path, query } = { path: '', query: {} }] = index.requests(cursor);
    const { status, body } = await get('eth.blockscout.com', path, query);
    if (status !== 200) throw new Error(`status ${status}`);
    const { rows, next } = index.parse(body);
    for (const { contract, raw } of rows) found.set(contract.toLowerCase(), raw);
    [cursor, pages] = [next, pages + 1];
  }
  return { found, pages };
}

t.test('Blockscout lists every token once, spam aside, over several pages', async (t) => {
  const here = await world(t);
  for (const [wallet, pages] of [
    [everything, 2],
    [stranger, 1],
  ] as const) {
    const listing = await listed(here, wallet);
    const held = holdingsOf('ethereum', wallet).filter(({ token }) => !token.scam);
    t.equal(listing.pages, pages);
    const wanted = held.map(({ token, raw }) => `${token.address.toLowerCase()} ${raw}`);
    const rows = [...listing.found].map(([contract, raw]) => `${contract} ${raw}`);
    t.strictSame(rows.sort(), wanted.sort(), wallet);
  }
  const path = (wallet: string) => `/api/v2/addresses/${wallet}/tokens`;
  const missing = await here.get('eth.blockscout.com', path(unseen));
  t.strictSame(missing, { status: 404, body: { message: 'Not found' } });
  t.equal((await here.get('eth.blockscout.com', path('vitalik.eth'))).status, 422);
});

t.test('both sources of prices agree within a hundredth', async (t) => {
  const { get } = await world(t);
  for (const chain of ['ethereum', 'avalanche', 'solana'] satisfies TokenChain[]) {
    const tokens = [...tokensOf(chain).values()].filter(({ known }) => known).slice(0, 30);
    const addresses = tokens.map(({ address }) => address);
    const prices = await get('coins.llama.fi', coinsRequest(chain, addresses).path);
    const coins = parseCoins({ body: prices.body, received: now }, chain);
    const pools = await get('api.dexscreener.com', marketsRequest(chain, addresses).path);
    const { markets } = parseMarkets(pools.body, chain);
    for (const { address, symbol } of tokens) {
      const key = tokenKey(chain, address);
      const [coin, market] = [coins.get(key)?.price ?? 0, markets.get(key)?.pool?.price ?? 0];
      t.ok(coin > 0 && Math.abs(coin / market - 1) < 0.01, `${chain} ${symbol}: ${coin} ${market}`);
    }
  }
  const keys = 'coingecko:bitcoin,coingecko:polygon-ecosystem-token,coingecko:none';
  const { body } = await get('coins.llama.fi', `/prices/current/${keys}`);
  t.ok((parseNative({ body, received: now }, 'bitcoin') ?? 0) > 50_000);
  t.ok((parseNative({ body, received: now }, 'polygon') ?? 0) > 0.1);
});

t.test('a node and Blockscout agree on a balance', async (t) => {
  const here = await world(t);
  const { address } = supplyContracts.ethereum.USDC[0];
  const data = `0x70a08231${everything.slice(2).padStart(64, '0')}`;
  const call = { method: 'eth_call', params: [{ to: address, data }, 'latest'] };
  const response = await fetch(chains.ethereum.urls[0].replace('https:/', here.url), {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }),
  });
  const { result } = (await response.json()) as { result: string };
  const { found } = await listed(here, everything);
  t.equal(BigInt(result), found.get(address.toLowerCase()));
});

interface Held {
  account: { data: { parsed: { info: { mint: string; tokenAmount: { amount: string } } } } };
}

t.test('Solana: the accounts of both programs', async (t) => {
  const { url } = await world(t);
  const ask = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const response = await fetch(chains.solana.urls[0].replace('https:/', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result } = (await response.json()) as { result: { value: T } };
    return result.value;
  };
  const owner = 'A1TMhSGzQxMr1TboBKtgixKz1sS6REASMxPo1qsyTSJd';
  const found: string[] = [];
  for (const program of [
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  ]) {
    const options = { commitment: 'confirmed', encoding: 'jsonParsed' };
    const held = await ask<Held[]>(
      'getTokenAccountsByOwner',
      owner,
      { programId: program },
      options,
    );
    t.ok(held.length > 5, program);
    for (const { account } of held) {
      const { mint, tokenAmount } = account.data.parsed.info;
      found.push(`${mint} ${tokenAmount.amount}`);
    }
  }
  const held = holdingsOf('solana', owner);
  t.strictSame(found.sort(), held.map(({ token, raw }) => `${token.address} ${raw}`).sort());
  t.ok(
    (await ask<number>('getBalance', owner, { commitment: 'confirmed' })) > 0,
    'and native coins',
  );
});

t.test('Bitcoin: both hosts say the same of an address, and refuse what is none', async (t) => {
  const { get } = await world(t);
  const of = (url: string, address: string) => {
    const { host, pathname } = new URL(url);
    return get(host, `${pathname}/address/${address}`.replace('//', '/'));
  };
  const [one, two] = chains.bitcoin.urls;
  const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
  t.strictSame(await of(one, address), await of(two, address));
  t.equal((await of(one, address)).status, 200);
  t.equal((await of(one, 'tb1qxyz')).status, 400);
});
