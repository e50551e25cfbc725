/** What the tests of streams share: fixtures, and messages that are damaged in one place. */
import { readFileSync } from 'node:fs';
import { ShapeError } from '../../../actors/failure.ts';
import type { Parsed } from '../../../actors/sources/define.ts';
import type { LatestStream, StreamContext } from '../../../actors/sources/streams/stream.ts';
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
  /** What the messages say. */
  events: Item[];
}

/** The fixtures of a file, by `venue/part`. */
export const streamFixtures = <Item>(file: string): Readonly<Record<string, StreamFixture<Item>>> =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${file}.json`, import.meta.url), 'utf8'));

/** Streams in the form of another venue. */
export const sameForm: Readonly<Record<string, string>> = {
  'aster/spot': 'binance/spot',
  'aster/linear': 'binance/linear',
  'gate/usd1': 'gate/usdt',
};

/** The instrument of a row of a table, a linear perpetual in USDT where its columns do not say otherwise. */
export const instrumentIn = (row: Row): Partial<Instrument> => ({
  market: wordIn(row.market ?? ''),
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

/** The message once for every place in it, with `garbage` there. */
function* broken(message: unknown, garbage: unknown): Generator<unknown> {
  if (typeof message !== 'object' || message === null) return;
  for (const [key, inner] of Object.entries(message)) {
    const put = (value: unknown) =>
      Array.isArray(message)
        ? message.map((one, at) => (`${at}` === key ? value : one))
        : { ...message, [key]: value };
    yield put(garbage);
    for (const deeper of broken(inner, garbage)) yield put(deeper);
  }
}

/** A stream whose messages are read, and what is a sound item of it. */
interface Read<Item> {
  stream: {
    parse(message: unknown, at: StreamContext): Parsed<Item> | null;
  } & Partial<Pick<LatestStream<never>, 'reply' | 'acknowledges'>>;
  isSound(item: Item): boolean;
}

/** What a stream makes of anything: a bug where it throws what is no ShapeError, or gives what is not sound. */
function fault<Item>(
  { stream, isSound }: Read<Item>,
  message: unknown,
  at: StreamContext,
): string | null {
  try {
    stream.reply?.(message);
    stream.acknowledges?.(message);
    const parsed = stream.parse(message, at);
    return parsed?.rows.every(isSound) === false ? JSON.stringify(message) : null;
  } catch (error) {
    return error instanceof ShapeError ? null : `${error}: ${JSON.stringify(message)}`;
  }
}

/** What goes wrong with messages that are damaged in any one place. */
export function damaged<Item>(read: Read<Item>, fixture: StreamFixture<Item>): string[] {
  const garbage = [null, '', 'NaN', 'Infinity', '-1', '1e308', 0, -1, true, {}, [], '<>'];
  const messages = [...fixture.messages, ...fixture.other, [], {}];
  const heard = { ...context(fixture.instruments), connection: {} };
  for (const message of fixture.other) read.stream.parse(message, heard);
  return garbage.flatMap((one) =>
    messages.flatMap((message) =>
      [...broken(message, one)].flatMap((changed) => fault(read, changed, heard) ?? []),
    ),
  );
}
