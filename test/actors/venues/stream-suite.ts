/** What the tests of streams share: fixtures, and the markets that they are about. */
import { readFileSync } from 'node:fs';
import type { Instrument } from '../../../actors/topics/index.ts';
import { numberIn, type Row, wordIn } from '../../support/table.ts';

/** Messages of one stream in our own numbers. */
export interface StreamFixture<Item> {
  instruments: Partial<Instrument>[];
  /** Messages that are not about data. */
  other: unknown[];
  /** Messages that the parser throws at. */
  refused: unknown[];
  messages: unknown[];
  /** What the messages say; in `live-rates.json` `rows`. */
  events: Item[];
  rows?: Item[];
}

/** The fixtures of a file, by `venue/part`. */
export const streamFixtures = <Item>(file: string): Readonly<Record<string, StreamFixture<Item>>> =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${file}.json`, import.meta.url), 'utf8'));

/** Streams in the form of another venue. */
export const sameForm: Readonly<Record<string, string>> = {
  'aster/spot': 'binance/spot',
  'aster/linear': 'binance/linear',
  'gate/usd1': 'gate/usdt',
  'hyperliquid/builders': 'hyperliquid/perp',
};

/** The instrument of a row of a table, a linear perpetual in USDT where its columns do not say otherwise. */
export const instrumentIn = (row: Row): Partial<Instrument> => ({
  market: `${row.market ?? ''}`,
  symbol: wordIn(row.symbol ?? ''),
  quote: wordIn(row.quote ?? 'USDT'),
  kind: row.kind === 'spot' ? 'spot' : 'perpetual',
  scale: numberIn(row.scale ?? 1),
  contract: numberIn(row.contract ?? 1),
  inverse: row.inverse === true,
});

export const listed = (rows: readonly Partial<Instrument>[]): ReadonlyMap<string, Instrument> =>
  new Map(
    rows.map((row) => {
      const usual = { market: '', symbol: '', quote: 'USDT', kind: 'perpetual', scale: 1 } as const;
      const full = { ...usual, contract: 1, inverse: false, funding_hours: null, ...row };
      return [full.market, { wire: `${full.symbol}/${full.quote}`, ...full }];
    }),
  );

export const context = (rows: readonly Partial<Instrument>[]) => ({
  received: 1_750_000_001_000,
  instruments: listed(rows),
});

/** Numbers within a rounding error of each other. */
export const rounded = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_key, one: unknown) =>
      typeof one === 'number' ? Number(one.toPrecision(13)) : one,
    ),
  );
