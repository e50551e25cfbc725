import type { PriceRow } from '../topics.ts';

/** Polls without any change after which a venue counts as frozen. */
const patience = 10;

interface Seen {
  print: number;
  /** Polls in a row that brought the same. */
  same: number;
  idle: boolean;
}

/**
 * Watches the prices of one venue for the signs of an exchange that has closed and goes on answering: all of its
 * parts the same for ten polls in a row, or not a single market with any turnover.
 */
export class FrozenGuard {
  readonly #parts = new Map<string, Seen>();

  /** Notes what a poll of one part brought. */
  observe(part: string, rows: readonly PriceRow[]): void {
    if (rows.length === 0) return;
    const print = fingerprint(rows);
    const before = this.#parts.get(part);
    const same = before?.print === print ? before.same + 1 : 0;
    this.#parts.set(part, { print, same, idle: rows.every(({ volume }) => volume === 0) });
  }

  get frozen(): boolean {
    const parts = [...this.#parts.values()];
    if (parts.length === 0) return false;
    return parts.every(({ same }) => same >= patience) || parts.every(({ idle }) => idle);
  }
}

/** A number that a change of any price, turnover or stated time moves. */
function fingerprint(rows: readonly PriceRow[]): number {
  let print = rows.length;
  for (const { price, volume, stated } of rows) {
    print = (print * 31 + price + (volume ?? 0) + (stated ?? 0) / 7) % 1e12;
  }
  return print;
}
