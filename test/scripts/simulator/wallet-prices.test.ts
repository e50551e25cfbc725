/** Prices of the tokens of simulated wallets: two sources that agree, with the exchanges and with each other. */
import t, { type Test } from 'tap';
import { type EvmChainId, evmChainIds } from '../../../config/chains.ts';
import { priceAt } from '../../../scripts/simulator/range.ts';
import { evmWallet, showcase, solanaWallet } from '../../../scripts/simulator/wallet/accounts.ts';
import { holdingsOf } from '../../../scripts/simulator/wallet/holdings.ts';
import {
  coinsOf,
  oddAddress,
  oddOf,
  type TokenChain,
} from '../../../scripts/simulator/wallet/tokens.ts';
import { absent, recording } from '../../support/recordings.ts';
import { differences, sameShape } from '../../support/shape.ts';
import { list, now, record, type WalletStage, walletStage } from './wallet-stage.ts';

const llama = 'https://coins.llama.fi/prices/current';
const dexscreener = 'https://api.dexscreener.com/tokens/v1';
const word = (chain: TokenChain) => (chain === 'avalanche' ? 'avax' : chain);

async function llamaPrices({ get }: WalletStage, keys: readonly string[]) {
  const { status, body } = await get(`${llama}/${keys.join(',')}`);
  if (status !== 200) throw new Error(`status ${status}`);
  const coins = record(record(body).coins);
  return new Map(Object.entries(coins).map(([key, value]) => [key, record(value)]));
}

const pairsOf = async ({ get }: WalletStage, chain: string, addresses: readonly string[]) =>
  list((await get(`${dexscreener}/${chain}/${addresses.join(',')}`)).body);

const baseOf = (pair: Record<string, unknown>) => String(record(pair.baseToken).address);
const liquidityOf = (pair: Record<string, unknown>) => Number(record(pair.liquidity).usd);

function near(t: Test, [one, other]: readonly [unknown, unknown], part: number, what: string) {
  const [a, b] = [Number(one), Number(other)];
  t.ok(a > 0 && Math.abs(a - b) <= part * b, `${what}: ${a} and ${b}`);
}

t.test('the shapes of the recordings', { skip: absent }, async (t) => {
  const stage = await walletStage(t);
  await sameShape(t, stage.url, ['prices', recording('llama-coins', 'prices-current')]);
  const recorded = record(recording('dexscreener', 'latest-dex-tokens')?.response);
  const weth = String(coinsOf('ethereum')[0]?.address);
  const ours = await pairsOf(stage, 'ethereum', [weth]);
  // A pair without trades has no change of five minutes; pictures are not simulated.
  t.strictSame(differences(recorded.pairs, ours), []);
});

t.test('natives have the prices that the exchanges have', async (t) => {
  const stage = await walletStage(t);
  const ids = {
    'coingecko:bitcoin': 'BTC',
    'coingecko:ethereum': 'ETH',
    'coingecko:solana': 'SOL',
    'coingecko:binancecoin': 'BNB',
    'coingecko:avalanche-2': 'AVAX',
  };
  const prices = await llamaPrices(stage, [
    ...Object.keys(ids),
    'coingecko:polygon-ecosystem-token',
    'coingecko:no-such-coin',
  ]);
  for (const [id, symbol] of Object.entries(ids)) {
    const asset = stage.model.assets.find((one) => one.symbol === symbol);
    if (!asset) throw new Error(`no ${symbol}`);
    near(t, [prices.get(id)?.price, priceAt(asset.path, now)], 0.002, symbol);
    const { timestamp, confidence } = record(prices.get(id));
    t.ok(Math.abs(Number(timestamp) - now / 1000) < 120 && confidence === 0.99, 'fresh');
  }
  t.match(prices.get('coingecko:polygon-ecosystem-token'), { symbol: 'POL' });
  t.notOk(prices.has('coingecko:no-such-coin'));
});

t.test('both sources agree within a hundredth on every token that both have', async (t) => {
  const stage = await walletStage(t);
  for (const chain of [...evmChainIds, 'solana'] as const) {
    const wallet = chain === 'solana' ? solanaWallet(25) : evmWallet(25);
    const tokens = [...coinsOf(chain), ...holdingsOf(chain, wallet).map(({ token }) => token)];
    let compared = 0;
    for (const { address, decimals, symbol, liquidity } of tokens) {
      const key = `${word(chain)}:${address}`;
      const found = (await llamaPrices(stage, [key])).get(key);
      const pairs = (await pairsOf(stage, chain, [address])).filter(
        (pair) => baseOf(pair) === address,
      );
      t.equal(pairs.length > 0, found !== undefined, `${chain} ${symbol}: both or neither`);
      if (!found) continue;
      const [best] = pairs;
      near(t, [best?.priceUsd, found.price], 0.01, `${chain} ${symbol}`);
      t.match(best, { chainId: chain });
      t.match(found, { decimals, symbol });
      t.equal(liquidityOf(record(best)), liquidity);
      compared++;
    }
    t.ok(compared >= 19 && compared < tokens.length, `${compared} of ${tokens.length}`);
  }
});

t.test('the odd ones: thin pools, no pools, and what only one source has', async (t) => {
  const stage = await walletStage(t);
  const price = async (name: Parameters<typeof oddAddress>[0], chain: EvmChainId = 'ethereum') => {
    const address = oddAddress(name);
    const key = `${word(chain)}:${address}`;
    const [pair] = await pairsOf(stage, chain, [address]);
    const found = (await llamaPrices(stage, [key])).get(key);
    return [pair === undefined ? null : liquidityOf(pair), found !== undefined] as const;
  };
  t.strictSame(await price('thin'), [800, false]);
  t.strictSame(await price('shallow'), [5000, false]);
  for (const name of ['unlisted', 'scam', 'deep', 'blank'] as const) {
    t.strictSame(await price(name), [null, false], name);
  }
  for (const name of ['whole', 'emoji', 'html'] as const) {
    t.strictSame((await price(name, 'avalanche'))[1], true, name);
  }
});

t.test('keys come back as asked; DexScreener has 30 places', async (t) => {
  const stage = await walletStage(t);
  const lower = 'ethereum:0x6982508145454ce325ddbe47a25d4ec3d2311933';
  const pepe = [lower, lower.replace('ce325ddbe', 'Ce325dDbE')];
  const avalanche = `avalanche:${coinsOf('avalanche')[0]?.address}`;
  const prices = await llamaPrices(stage, [...pepe, avalanche, 'ethereum:0x12', 'nonsense']);
  t.strictSame([...prices.keys()], pepe, 'avalanche goes by another word');
  t.strictSame(prices.get(pepe[0] ?? ''), prices.get(pepe[1] ?? ''));
  const all = holdingsOf('ethereum', showcase.evm).map(({ token }) => token.address);
  const batch = await pairsOf(stage, 'ethereum', all);
  t.equal(batch.length, 30);
  const found = new Set(batch.map(baseOf));
  t.ok(coinsOf('ethereum').every(({ address }) => found.has(address)));
  t.notOk(found.has(oddAddress('thin')), 'crowded out');
  const odd = oddOf('ethereum').map(({ address }) => address.toLowerCase());
  t.strictSame(
    new Set((await pairsOf(stage, 'ethereum', odd)).map(baseOf)),
    new Set((['whole', 'emoji', 'html', 'thin', 'shallow'] as const).map(oddAddress)),
    'and there when asked for without the large ones',
  );
  const [weth = ''] = all;
  const asQuote = await pairsOf(stage, 'ethereum', [all[1] ?? '']);
  t.ok(
    asQuote.some((pair) => baseOf(pair) === weth),
    'USDC is in pairs of others too',
  );
  const many = holdingsOf('base', evmWallet(31)).map(({ token }) => token.address);
  t.equal((await stage.get(`${dexscreener}/base/${many.join(',')}`)).status, 400);
  t.equal((await stage.get(`${dexscreener}/base/${many.slice(1).join(',')}`)).status, 200);
  t.strictSame(await pairsOf(stage, 'nowhere', [weth]), []);
  t.strictSame(await pairsOf(stage, 'bsc', ['0x12']), []);
  const ours = await pairsOf(stage, 'solana', [String(coinsOf('solana')[0]?.address)]);
  t.ok(ours.every(({ url }) => url === String(url).toLowerCase()));
});
