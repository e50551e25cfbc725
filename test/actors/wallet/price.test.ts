/** What is believed of a price. */
import t from 'tap';
import type { Coin } from '../../../actors/providers/defillama/coins.ts';
import type { Market } from '../../../actors/providers/dexscreener.ts';
import { type PriceEvidence, settled, tokenPrice } from '../../../actors/wallet/price.ts';

const floor = 1_000;
const pool = (price: number, liquidity: number): Market => ({
  symbol: 'X',
  deepest: liquidity,
  pool: { price, liquidity },
});
const coin = (price: number | null): Coin => ({ symbol: 'X', price });
const price = (evidence: Partial<PriceEvidence>) =>
  tokenPrice({ market: null, coin: null, rate: null, balance: 1, ...evidence }, floor);

t.test('both sources agree', async (t) => {
  t.equal(price({ market: pool(2, 50_000), coin: coin(2.1) }), 2, 'a deep pool goes first');
  t.equal(price({ market: pool(2, 49_999), coin: coin(2.1) }), 2.1, 'a shallower one does not');
  t.equal(price({ market: pool(2, 50_000), coin: coin(6) }), 2, 'three times as much still agrees');
});

t.test('one source alone', async (t) => {
  t.equal(price({ coin: coin(2) }), 2);
  t.equal(price({ market: pool(2, 50_000) }), 2);
  t.equal(price({ market: pool(2, 50_000), coin: coin(null) }), 2);
  t.equal(price({}), 'unlisted');
  t.equal(price({ coin: coin(null) }), 'unlisted');
  t.equal(price({ rate: 2 }), 'unlisted', 'the index is a witness, not a source');
});

const right = 2;
/** Each source wrong in its turn, by a factor, over every depth and with or without a witness. */
const bent = [1_000, 9_999, 49_999, 50_000, 100_000, 1e9].flatMap((liquidity) =>
  [100, 1 / 100, 3.01, 1e6].flatMap((factor) =>
    [null, right, 0.9 * right].flatMap((rate) => [
      { liquidity, rate, traded: right * factor, listed: right },
      { liquidity, rate, traded: right, listed: right * factor },
    ]),
  ),
);

t.test('one source wrong by a factor of 100 never gives a wrong value', async (t) => {
  t.equal(bent.length, 144);
  for (const { liquidity, rate, traded, listed } of bent) {
    const found = price({ market: pool(traded, liquidity), coin: coin(listed), rate });
    const wanted = rate === null ? 'contested' : right;
    t.equal(found, wanted, `pool ${traded}, ${liquidity} deep; list ${listed}; index ${rate}`);
  }
});

t.test('a single source that the index contradicts is refused', async (t) => {
  t.equal(price({ coin: coin(200), rate: 2 }), 'contested');
  t.equal(price({ market: pool(200, 1e6), rate: 2 }), 'contested');
  t.equal(price({ market: pool(2, 1e6), coin: coin(2), rate: 200 }), 2, 'two outweigh it');
  t.equal(price({ market: pool(1, 1e6), coin: coin(100), rate: 10 }), 'contested', 'three words');
});

t.test('liquidity under the floor', async (t) => {
  t.equal(price({ market: pool(2, 999), coin: coin(2) }), 'unlisted', 'whoever states a price');
  t.equal(price({ market: pool(2, 1_000), coin: coin(2) }), 2, 'at the floor it has one');
  t.equal(price({ market: { symbol: 'X', deepest: 0, pool: null }, coin: coin(2) }), 'unlisted');
  const quoted = { symbol: 'X', deepest: 1e6, pool: { price: 7, liquidity: 10 } };
  t.equal(price({ market: quoted, coin: coin(2) }), 2, 'deep pools name it as their quote');
  t.equal(price({ market: quoted }), 'unlisted', 'and a shallow one gives no price');
});

t.test('a shallow pool alone supports no value above what it could pay', async (t) => {
  const market = pool(1, 9_000);
  t.equal(price({ market, balance: 90_000 }), 1);
  t.equal(price({ market, balance: 90_001 }), 'unlisted');
  t.equal(price({ market, balance: 90_001, coin: coin(1) }), 1, 'a second source may confirm it');
  t.equal(price({ market: pool(1, 10_000), balance: 1e9 }), 1, 'deeper ones are believed');
});

t.test('native coins: two prices, equal in rank', async (t) => {
  t.equal(settled([2_000, 2_010]), 2_000);
  t.equal(settled([null, 2_010]), 2_010);
  t.equal(settled([2_000, null]), 2_000);
  t.equal(settled([200_000, 2_000]), 'contested');
  t.equal(settled([null, null]), 'unlisted');
});
