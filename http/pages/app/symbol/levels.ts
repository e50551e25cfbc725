/** Prices that are marked on a chart: levels that a reader has drawn, kept in this browser, and the alerts of the account. */
import type { Alert } from '../request.ts';
import { kept } from '../settings.ts';

/** Levels of one symbol at most; the oldest goes. */
const most = 20;

/** By symbol. */
const drawn = kept<Readonly<Record<string, readonly number[]>>>('levels', {});

export const levelsOf = (symbol: string): readonly number[] => drawn.get()[symbol] ?? [];

export function setLevels(symbol: string, levels: readonly number[]): void {
  drawn.set({ ...drawn.get(), [symbol]: [...new Set(levels)].slice(-most) });
}

/** A price that is marked. */
export interface Marked {
  price: number;
  kind: 'level' | 'alert';
}

/** Answers that are a price of an asset, and where it stands in them. */
const prices: Readonly<Record<string, string>> = {
  '/v1/prices': '/average_price',
  '/v1/reference-rate': '/rate',
};

/** The prices of the alerts on a symbol that are evaluated. */
export function alertsOn(symbol: string, alerts: readonly Alert[]): Marked[] {
  return alerts.flatMap(({ path, pointer, status, condition: { value } }): Marked[] => {
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    const isOf = searchParams.get('symbol')?.toUpperCase() === symbol;
    const isPrice = prices[pathname] === pointer;
    if (!isOf || !isPrice || status !== 'active' || value === undefined) return [];
    return [{ price: value, kind: 'alert' }];
  });
}
