/** Indices, gold, yields and currencies of the simulated world, by day: the truth behind FRED, Yahoo and the ECB. */
import type { AssetId } from '../../../actors/providers/assets.ts';
import type { PerDollar } from '../../../indicators/market/dollar-index.ts';
import { dollarIndex } from '../../../indicators/market/dollar-index.ts';
import type { Model } from '../model.ts';
import { mix, seedOf } from '../noise.ts';
import { dayLength, type Path, SymbolPath } from '../path.ts';
import { dollarsPer } from '../symbols.ts';
import { closeOf, pathOf } from './days.ts';

/** Value at rest, how much it moves compared with Bitcoin, and the power of Bitcoin's price that is in it. */
const levels = {
  sp500: [6800, 0.35, 0.15],
  nasdaq: [23_000, 0.45, 0.25],
  dow_jones: [47_000, 0.3, 0.1],
  gold: [4100, 0.3, 0],
  us10y: [4.2, 0.35, 0],
  vix: [18, 0.9, -0.2],
} as const satisfies Record<
  Exclude<AssetId, 'dxy' | 'usd_broad_index'>,
  readonly [number, number, number]
>;

/** Units for a dollar at rest; the euro's is the one that prices in euros have. */
const rates = { jpy: 150, gbp: 0.75, cad: 1.38, sek: 9.5, chf: 0.8 } as const;

const bitcoinAtRest = 100_000;

/** The broad dollar index stands so many times above that of six currencies. */
const broad = 1.2;

/** USD that tokenised gold turns over a day. */
const goldTurnover = 5e7;

const pathAt = (seed: number, name: string, [rest, moves]: readonly [number, number]) =>
  new SymbolPath(seedOf(seed, name), rest, moves, goldTurnover);

/** The path of gold, weekends included. */
export const goldPath = (seed: number): Path => {
  const [rest, moves] = levels.gold;
  return pathAt(seed, 'gold', [rest, moves]);
};

/** Units of each currency for a dollar on a day. */
export function perDollar(model: Model, day: number): PerDollar {
  const rate = (name: string, rest: number) =>
    closeOf(pathAt(model.seed, `rate ${name}`, [rest, 0.12]), day);
  return {
    eur: rate('eur', 1 / dollarsPer(model.seed, 'EUR')),
    jpy: rate('jpy', rates.jpy),
    gbp: rate('gbp', rates.gbp),
    cad: rate('cad', rates.cad),
    sek: rate('sek', rates.sek),
    chf: rate('chf', rates.chf),
  };
}

/** The close of an asset on a day: index points, USD an ounce, percent a year. */
export function assetClose(model: Model, asset: AssetId, day: number): number {
  if (asset === 'dxy') return dollarIndex(perDollar(model, day));
  if (asset === 'usd_broad_index') return dollarIndex(perDollar(model, day)) * broad;
  const [rest, moves, power] = levels[asset];
  const bitcoin = closeOf(pathOf(model, 'BTC'), day) / bitcoinAtRest;
  return closeOf(pathAt(model.seed, asset, [rest, moves]), day) * bitcoin ** power;
}

const weekday = (day: number) => new Date(day).getUTCDay();

/** Monday to Friday. */
export const isBusinessDay = (day: number): boolean => weekday(day) > 0 && weekday(day) < 6;

/** A few fixed holidays, and one business day of eighty at random: there is no value then. */
export function isHoliday(day: number): boolean {
  const date = new Date(day).toISOString().slice(5, 10);
  return ['01-01', '07-04', '12-25'].includes(date) || mix(0x401, day / dayLength) % 80 === 0;
}
