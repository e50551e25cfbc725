import type { CandleRow } from '../../indicators/job-columns.ts';

/** As exchanges write prices. */
const decimal = (price: number): number => Number(price.toFixed(6));

/** A calm market of our own making: `count` candles of `step` ms, oldest first. */
export const market = (count: number, step = 3_600_000, start = 1_600_000_000_000): CandleRow[] =>
  Array.from({ length: count }, (_, i) => {
    const close = decimal(100 + 5 * Math.sin(i / 7) + i / 100);
    const open = decimal(100 + 5 * Math.sin((i - 1) / 7) + (i - 1) / 100);
    const [low, high] = [
      decimal(Math.min(open, close) - 0.75),
      decimal(Math.max(open, close) + 1.25),
    ];
    return { timestamp: start + i * step, open, high, low, close, volume: 10 + (i % 7) };
  });
