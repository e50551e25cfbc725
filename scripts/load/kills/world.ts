/** What is true in the simulated world: constant within a minute, the same in every process. Times are Unix ms. */
import type { Liquidation, OpenInterestRow, PriceRow } from '../../../actors/topics/index.ts';

export const minute = 60_000;
/** The past of the first one's open interest can be asked, that of the others cannot. */
export const exchanges = ['binance', 'bybit', 'okx'] as const;
export const symbols = ['BTC', 'ETH', 'SOL'] as const;
/** The beginning of a day that has passed: times ahead of the clock of Redis are moved back to it. */
export const start = 1_735_689_600_000;
/** Between two readings: a little after the beginning of each third of a minute. */
export const tick = 20_000;

/** A number in [0, 1) of some words. */
function chance(...words: (string | number)[]): number {
  let hash = 2_166_136_261;
  for (const character of words.join(' ')) {
    hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_519);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

const minuteOf = (time: number) => Math.floor(time / minute);

/** Open interest of a symbol, whole US dollars. */
export const interestAt = (exchange: string, symbol: string, time: number): number =>
  1_000_000 + Math.floor(chance(exchange, symbol, minuteOf(time)) * 900_000);

/** Price of a symbol, in thousandths: what seven digits hold. */
export const priceAt = (symbol: string, time: number): number =>
  (100_000 + Math.floor(chance(symbol, minuteOf(time)) * 100_000)) / 1_000;

export const interestRow = (exchange: string, symbol: string, time: number): OpenInterestRow => ({
  ...{ market: `${symbol}USDT`, symbol, quote: 'USDT', units: 1, mark: 1, stated: null },
  value: interestAt(exchange, symbol, time),
});

export const priceRow = (symbol: string, time: number): PriceRow => ({
  ...{ market: `${symbol}USDT`, kind: 'perpetual', symbol, quote: 'USDT' },
  ...{ price: priceAt(symbol, time), volume: 1_000, change: null, stated: null },
  ...{ bid: null, ask: null, high: null, low: null, base: null },
});

/** One liquidation of each reading. */
export const liquidationAt = (exchange: string, time: number): Liquidation => ({
  ...{ symbol: 'BTC', contract: 'BTCUSDT', side: 'long', price: 100, price_kind: 'fill' },
  ...{ quantity_base: 1, value_usd: 100, timestamp: time, id: `${exchange}-${time}` },
});
