/** Order books of which the service sends the levels that change (`mode: 'levels'`). */
import { isRecord } from './record.ts';

interface Level {
  price: number;
  quantity: number;
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xed_b8_83_20 : value >>> 1;
  return value;
});

/** CRC-32 (IEEE 802.3) of a text of ASCII. */
function crc32(text: string): number {
  let value = 0xff_ff_ff_ff;
  for (let i = 0; i < text.length; i++)
    value = (value >>> 8) ^ (table[(value ^ text.charCodeAt(i)) & 0xff] ?? 0);
  return (value ^ 0xff_ff_ff_ff) >>> 0;
}

/** The checksum of an order book: of price and quantity of its first 25 bids and asks in turn (docs/streaming.md). */
export function bookChecksum(bids: readonly Level[], asks: readonly Level[]): number {
  const parts: number[] = [];
  for (let i = 0; i < 25; i++)
    for (const level of [bids[i], asks[i]]) if (level) parts.push(level.price, level.quantity);
  return crc32(parts.join(':'));
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A side after changes, best first; a quantity of 0 takes a level out. */
function sideOf(levels: unknown, changes: unknown, descends: boolean): Level[] {
  const known = new Map(listOf(levels).map((level) => [(level as Level).price, level as Level]));
  for (const change of listOf(changes)) {
    const [price, quantity] = change as [number, number];
    if (quantity === 0) known.delete(price);
    else known.set(price, { price, quantity });
  }
  const sign = descends ? -1 : 1;
  return [...known.values()].sort((a, b) => sign * (a.price - b.price));
}

/**
 * The data of an order book after a message of the type `levels`, whose `from` is the version of `before`; null where the checksum
 * differs.
 */
export function withLevels(
  before: unknown,
  message: Readonly<Record<string, unknown>>,
): Record<string, unknown> | null {
  const old = isRecord(before) ? before : {};
  const bids = sideOf(old.bids, message.bids, true);
  const asks = sideOf(old.asks, message.asks, false);
  const head = isRecord(message.head) ? message.head : {};
  return bookChecksum(bids, asks) === message.checksum ? { ...head, bids, asks } : null;
}
