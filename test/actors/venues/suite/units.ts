/**
 * Lots and contracts, on the fixtures of a venue: with a scale 1,000 times as large, prices are a thousandth of what they
 * were, amounts in base 1,000 times as much, and amounts in quote the same; with contracts twice as large, amounts are
 * twice as much or, where the venue does not count contracts, the same.
 */
import type { Test } from 'tap';
import { isRecord } from '../../../../actors/read.ts';
import type { InstrumentMap } from '../../../../actors/sources/define.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { Instrument } from '../../../../actors/topics/index.ts';
import {
  askFor,
  bodiesOf,
  contextOf,
  feedParts,
  fixture,
  received,
  streamOf,
} from '../fixtures.ts';
import { listed, type StreamFixture, sameForm, streamFixtures } from '../stream-suite.ts';
import { ratesOf } from './rates.ts';

type Read = (instruments: InstrumentMap) => unknown;

const perUnit = [
  'price',
  'average_price',
  'bid',
  'ask',
  'mark',
  'index',
  'open',
  'high',
  'low',
  'close',
];
const inBase = ['base', 'units', 'quantity', 'quantity_base'];
const prices = streamFixtures<unknown>('live-prices');
const events = streamFixtures<unknown>('liquidations');

const changed = (instruments: InstrumentMap, scale: number, contract: number): InstrumentMap =>
  new Map(
    [...instruments].map(([id, one]): [string, Instrument] => [
      id,
      { ...one, scale: one.scale * scale, contract: one.contract * contract },
    ]),
  );

/** Every number by its path; the volume of a candle is in base, that of a price row in quote. */
function numbers(value: unknown, path: string, found = new Map<string, number>()) {
  if (typeof value === 'number') found.set(path, value);
  else if (typeof value === 'object' && value !== null) {
    const isBar = isRecord(value) && 'turnover' in value;
    for (const [key, inner] of Object.entries(value))
      numbers(inner, `${path}.${isBar && key === 'volume' ? 'base' : key}`, found);
  }
  return found;
}

/** Where a number is not as many times the old one as it may be. */
function faults(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  allowed: (key: string) => readonly number[],
): string[] {
  return [...before].flatMap(([path, old]) => {
    const now = after.get(path);
    // A number that no longer fits the others of its row may be left out.
    if (now === undefined) return [];
    const key = path.split('.').at(-1) ?? '';
    const isRight = allowed(key).some(
      (times) => Math.abs(now - old * times) <= 1e-9 * Math.abs(old * times),
    );
    return isRight ? [] : [`${path}: ${old} became ${now}`];
  });
}

function keepsUnits(t: Test, name: string, instruments: InstrumentMap, read: Read): void {
  // Some inverse contracts have the scale of the prices of the wire instead of a lot.
  const isInverse = [...instruments.values()].some(({ inverse }) => inverse);
  const before = numbers(read(instruments), '');
  const scaled = numbers(read(changed(instruments, 1_000, 1)), '');
  const larger = numbers(read(changed(instruments, 1, 2)), '');
  const times = (key: string) => {
    if (perUnit.includes(key)) return [1e-3];
    if (!inBase.includes(key)) return [1];
    return isInverse ? [1_000, 1] : [1_000];
  };
  const isAmount = (key: string) =>
    [...inBase, 'volume', 'value', 'value_usd', 'turnover'].includes(key);
  const wrong = [
    ...faults(before, scaled, times),
    ...faults(before, larger, (key) => (isAmount(key) ? [1, 2] : [1])),
  ];
  t.strictSame(wrong, [], name);
}

const ofStream =
  (
    { other, messages }: Pick<StreamFixture<unknown>, 'other' | 'messages'>,
    parse: (
      message: unknown,
      context: { received: number; instruments: InstrumentMap; connection: object },
    ) => { rows: readonly unknown[] } | null,
  ): Read =>
  (instruments) => {
    const at = { received, instruments, connection: {} };
    return [...other, ...messages].flatMap((message) => parse(message, at)?.rows ?? []);
  };

type Parse = Parameters<typeof ofStream>[1];
type Told = [name: string, fixture: StreamFixture<unknown> | undefined, parse: Parse];

/** The streams with messages among the fixtures of prices and liquidations. */
function told(venue: Venue): Told[] {
  const { id, live, events: own } = venue;
  const ofPrices = (name: string) => prices[sameForm[name] ?? name];
  return [
    ...Object.entries(live?.prices ?? {}).map(
      ([part, stream]): Told => [
        `prices of ${part}`,
        ofPrices(`${id}/${part}`),
        streamOf(stream, 'prices').parse,
      ],
    ),
    ...ratesOf(venue).map(({ topic, name, of, stream }): Told => {
      const found = of === 'prices' ? ofPrices(name) : undefined;
      return [`${topic} of ${name}`, found, stream.parse];
    }),
    ...Object.entries(own?.liquidations ?? {}).map(
      ([part, { parse }]): Told => [`liquidations of ${part}`, events[`${id}/${part}`], parse],
    ),
  ];
}

export function units(t: Test, venue: Venue): void {
  for (const { topic, part, feed, fixture: name } of feedParts(venue)) {
    if (topic === 'instruments') continue;
    const { instruments } = contextOf(venue, part);
    const bodies = bodiesOf(venue, name);
    keepsUnits(
      t,
      `${topic} of ${part}`,
      instruments,
      (all) => feed.parse(bodies, { received, instruments: all }).rows,
    );
  }
  const { orderBook, candles } = venue.queries;
  for (const part of venue.parts) {
    const { instruments } = contextOf(venue, part);
    const [{ market } = { market: '' }] = instruments.values();
    const ask = (all: InstrumentMap) => {
      const asked = askFor(venue, part, market);
      return { ...asked, instrument: all.get(market) ?? asked.instrument };
    };
    if (orderBook)
      keepsUnits(t, `book of ${part}`, instruments, (all) => {
        const { bids, asks } = orderBook.parse(fixture(venue, `${part}-order-book`), ask(all));
        return { bids, asks };
      });
    // What inverse contracts are worth follows from the prices of the candle.
    if (candles && !instruments.get(market)?.inverse)
      keepsUnits(t, `candles of ${part}`, instruments, (all) =>
        candles.parse(fixture(venue, `${part}-candles`), ask(all)),
      );
  }
  for (const [name, found, parse] of told(venue))
    if (found) keepsUnits(t, name, listed(found.instruments), ofStream(found, parse));
}
