/**
 * The fixtures of a venue, of its polls and of its streams, can tell columns apart: no number of a row is another one of it, and what is read of a row is in
 * the order in which a market has it. A row out of two columns that are mixed up is then not the expected one.
 */
import type { Test } from 'tap';
import { isRecord } from '../../../../actors/read.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import { askFor, bodiesOf, contextOf, feedParts, fixture } from '../fixtures.ts';
import { type StreamFixture, streamFixtures } from '../stream-suite.ts';

/** Equal numbers that the wire format wants: `<fixture>: <key> = <key>`, with the reason. */
export type Equal = Readonly<Record<string, string>>;

/** The same of messages. */
const equalInMessages: Equal = {
  'bitfinex/all: 8 = 9': 'two flags',
  'bitstamp/markets: data.amount = data.amount_str': 'a number, and as text',
  'bitstamp/markets: data.price = data.price_str': 'a number, and as text',
  'gate/usdt: volume_24h_quote = volume_24h_settle': 'settled in the quote',
  'gate/btc: volume_24h = volume_24h_quote': 'contracts of one dollar',
  'gate/btc: volume_24h_base = volume_24h_settle': 'settled in the base',
  'kraken/futures: volume = volumeQuote': 'contracts of one dollar',
};

type Leaf = readonly [key: string, value: number];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const holdsObjects = (value: unknown): boolean =>
  isObject(value) && Object.values(value).some(isObject);

/** Nothing at all (0, often for unknown), and times, in seconds or in parts of one. */
const isPlain = (value: number): boolean =>
  value === 0 || [1, 1e3, 1e6, 1e9].some((unit) => value > 1.6e9 * unit && value < 1.9e9 * unit);

function leavesOf(value: unknown, key = ''): Leaf[] {
  if (isObject(value))
    return Object.entries(value).flatMap(([name, inner]) =>
      leavesOf(inner, key === '' ? name : `${key}.${name}`),
    );
  const isText = typeof value === 'string' && value.trim() !== '';
  const found = typeof value === 'number' || isText ? Number(value) : Number.NaN;
  return Number.isFinite(found) && !isPlain(found) ? [[key, found]] : [];
}

/** The smallest values that hold all there is about a market: what is inside a list of rows, or in a map of them, is one. */
function rowsIn(value: unknown): unknown[] {
  if (!isObject(value)) return [];
  const inner = Object.values(value);
  if (Array.isArray(value)) return value.some(isObject) ? value.flatMap(rowsIn) : [value];
  const isMap = inner.length > 0 && inner.every((one) => isRecord(one) || holdsObjects(one));
  if (!isMap && !inner.some(holdsObjects)) return [value];
  const own = Object.fromEntries(Object.entries(value).filter(([, one]) => !holdsObjects(one)));
  return isMap ? inner.flatMap(rowsIn) : [own, ...inner.filter(holdsObjects).flatMap(rowsIn)];
}

/** A candle in which the price never moved has one price in four columns. */
const isFlat = (leaves: readonly Leaf[], price: number): boolean =>
  leaves.filter(([, value]) => value === price).length === 4;

/** Pairs of equal numbers in a row, in words; `isBar` for a row of candles. */
function pairsIn(row: unknown, isBar = false): string[] {
  const all = leavesOf(row);
  const leaves = isBar ? all.filter(([, value]) => !isFlat(all, value)) : all;
  return leaves.flatMap(([key, value], at) =>
    leaves.slice(at + 1).flatMap(([other, same]) => (same === value ? `${key} = ${other}` : [])),
  );
}

const within = (low: number, value: number, high: number) => value >= low && value <= high;
const isNear = (value: number, other: number, share: number) =>
  Math.abs(value - other) <= share * Math.abs(other);

/** A column with a number in it. */
const at = (row: object, key: string): number => {
  const found: unknown = Reflect.get(row, key);
  return typeof found === 'number' ? found : Number.NaN;
};

/** What is out of order in a row; a column that is not there is not. */
function disorder(row: object): string[] {
  const inOrder = ['low', 'bid', 'price', 'ask', 'high']
    .map((key): Leaf => [key, at(row, key)])
    .filter(([, value]) => !Number.isNaN(value));
  const wrong = inOrder
    .slice(1)
    .flatMap(([key, value], i) => (value >= (inOrder[i]?.[1] ?? 0) ? [] : [key]));
  const [low, high, mean] = [at(row, 'low'), at(row, 'high'), at(row, 'volume') / at(row, 'base')];
  if (low > 0 && high > 0 && mean > 0 && !within(low, mean, high)) wrong.push('volume / base');
  const [mark, index, units] = [at(row, 'mark'), at(row, 'index'), at(row, 'units')];
  if (mark > 0 && index > 0 && !isNear(mark, index, 0.02)) wrong.push('mark and index');
  if (mark > 0 && units > 0 && !isNear(at(row, 'value'), units * mark, 0.02)) wrong.push('value');
  return 'doubt' in row ? [...wrong, `doubt: ${row.doubt}`] : wrong;
}

function barDisorder(bar: object): string[] {
  const [low, high] = [at(bar, 'low'), at(bar, 'high')];
  const wrong = ['open', 'close'].filter((key) => !within(low, at(bar, key), high));
  const mean = at(bar, 'turnover') / at(bar, 'volume');
  return Number.isFinite(mean) && !within(low, mean, high) ? [...wrong, 'turnover'] : wrong;
}

/** Names of the fixtures with rows about prices, and what is wrong in the rows that are read in them. */
function read(venue: Venue): [fixture: string, wrong: string[]][] {
  const feeds = feedParts(venue)
    .filter(({ topic }) => topic !== 'instruments')
    .map(({ topic, part, feed, fixture: name }): [string, string[]] => {
      const { rows } = feed.parse(bodiesOf(venue, name), contextOf(venue, part));
      return [
        name,
        rows.flatMap((row) => disorder(row).map((one) => `${row.market} ${topic}: ${one}`)),
      ];
    });
  const { candles } = venue.queries;
  const bars = (candles ? venue.parts : []).map((part): [string, string[]] => {
    const [{ market } = { market: '' }] = contextOf(venue, part).instruments.values();
    const name = `${part}-candles`;
    const found = candles?.parse(fixture(venue, name), askFor(venue, part, market)) ?? [];
    return [name, found.flatMap((bar) => barDisorder(bar).map((one) => `${market}: ${one}`))];
  });
  return [...feeds, ...bars];
}

/** The fixtures of streams: prices and liquidations by `<venue>/<part>`, what else there is by `<topic> <venue>/<part>`. */
const streams: readonly [string, Partial<StreamFixture<object>> & { rows?: object[] }][] = [
  ...Object.entries(streamFixtures<object>('live-prices')),
  ...Object.entries(streamFixtures<object>('live-rates')),
  ...Object.entries(streamFixtures<object>('liquidations')),
];

/** What holds for the messages of its streams, and for what is read in them. */
function messages(t: Test, venue: Venue): void {
  for (const [name, { messages: sent = [], events = [], rows = [] }] of streams) {
    const [form = ''] = name.split(' ').slice(-1);
    if (!form.startsWith(`${venue.id}/`)) continue;
    t.strictSame([...events, ...rows].flatMap(disorder), [], `${name}: in order`);
    const pairs = sent.flatMap((one) => rowsIn(one).flatMap((row) => pairsIn(row)));
    const unlisted = pairs.filter((pair) => !Object.hasOwn(equalInMessages, `${form}: ${pair}`));
    t.strictSame([...new Set(unlisted)], [], `${name}: no number is another one of its row`);
  }
}

export function distinct(t: Test, venue: Venue, equal: Equal): void {
  messages(t, venue);
  const found = read(venue);
  for (const [name, wrong] of found) t.strictSame(wrong, [], `${name}: in order`);
  const names = [...new Set(found.map(([name]) => name))];
  const pairs = names.flatMap((name) =>
    rowsIn(fixture(venue, name)).flatMap((row) =>
      pairsIn(row, name.endsWith('-candles')).map((pair) => `${name}: ${pair}`),
    ),
  );
  const unlisted = pairs.filter((pair) => !Object.hasOwn(equal, pair));
  t.strictSame([...new Set(unlisted)], [], 'no number of a row is another one of it');
  const gone = Object.keys(equal).filter((pair) => !pairs.includes(pair));
  t.strictSame(gone, [], 'and every exception is needed');
}
