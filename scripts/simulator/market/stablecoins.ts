/** DefiLlama's history of all stablecoins, beside the list of today's. https://api-docs.defillama.com */
import { isRecord } from '../../../actors/read.ts';
import { llamaStablecoins } from '../defi/llama.ts';
import { source } from '../defi/source.ts';
import { seedOf, valueNoise } from '../noise.ts';
import { dayLength } from '../path.ts';
import type { Ask } from '../venue.ts';
import { dayAt, daysFrom } from './days.ts';

/** The first day of the history. */
export const firstStablecoins = Date.UTC(2017, 10, 29);

/** USD by peg of the coins in the list at a fixed time, which is what all days are multiples of. */
function dollarsByPeg(ask: Ask): Map<string, number> {
  const body = llamaStablecoins.route('/stablecoins')?.answer({ ...ask, now: 0 });
  const coins: unknown = isRecord(body) ? body.peggedAssets : [];
  const sums = new Map<string, number>();
  for (const coin of Array.isArray(coins) ? coins : []) {
    if (!isRecord(coin) || !isRecord(coin.circulating)) continue;
    const [peg, price] = [String(coin.pegType), Number(coin.price)];
    sums.set(peg, (sums.get(peg) ?? 0) + Number(coin.circulating[peg]) * price);
  }
  return sums;
}

/** `/stablecoincharts/all`: a row a day, within three per cent of what the list sums up to. */
function chart(ask: Ask) {
  const sums = [...dollarsByPeg(ask)];
  const own = seedOf(ask.model.seed, 'stablecoins');
  return daysFrom(firstStablecoins, dayAt(ask.now)).map((day) => {
    const part = 1 + 0.03 * valueNoise(own, day / dayLength / 45);
    const amounts = Object.fromEntries(
      sums.map(([peg, dollars]) => [peg, Number((dollars * part).toFixed(2))]),
    );
    return {
      date: String(day / 1000),
      totalCirculating: amounts,
      totalUnreleased: Object.fromEntries(sums.map(([peg]) => [peg, 0])),
      totalCirculatingUSD: amounts,
      totalMintedUSD: amounts,
      totalBridgedToUSD: Object.fromEntries(sums.map(([peg]) => [peg, 0])),
    };
  });
}

export const llamaStablecoinDays = source({
  id: 'llama-stablecoin-days',
  hosts: ['stablecoins.llama.fi'],
  most: 500,
  answers: [[/^\/stablecoincharts\/all$/, chart]],
});
