/**
 * What holds for every venue, proven on its fixtures (`fixtures.ts` has their names): a venue without them fails here.
 */
import type { Test } from 'tap';
import { isRecord } from '../../../../actors/read.ts';
import type { ParseContext } from '../../../../actors/sources/define.ts';
import { excessesOf } from '../../../../actors/sources/polling/plan.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';

import { dollarQuotes } from '../../../../config/quotes.ts';
import {
  askFor,
  bodiesOf,
  contextOf,
  type FeedPart,
  feedParts,
  fixture,
  received,
  unlessRefused,
} from '../fixtures.ts';

/** A page of candles may be empty; everything else holds something. */
const queries = {
  orderBook: { word: 'order-book', emptyIsFine: false },
  candles: { word: 'candles', emptyIsFine: true },
} as const;

interface Parser {
  bodies: readonly unknown[];
  /** How many bodies, from the first on, are about the venue as a whole. */
  whole: number;
  /** How many of the others are about each market, one market after the other. */
  each: number;
  /** Which of them may be missing. */
  optional: ReadonlySet<number>;
  /** A list of everything may not be empty; a page of candles may. */
  emptyIsFine: boolean;
  /** What a body is about, by a market: the market itself, or the group that it is asked with. */
  groupOf?(market: unknown): unknown;
  parse(bodies: readonly unknown[]): unknown;
}

/** The name in its poll by which a market is asked for. */
function groupIn({ names }: FeedPart['feed'], { instruments }: ParseContext) {
  return (market: unknown) => {
    const own = [...instruments].filter(([id]) => id === market);
    return names?.(new Map(own))[0] ?? market;
  };
}

function feedParser(venue: Venue, { feed, fixture, part }: FeedPart): Parser {
  const bodies = bodiesOf(venue, fixture);
  const requests = feed.requests({ markets: [], now: received });
  const whole = requests.length;
  const each = feed.requests({ markets: ['MARKET'], now: received }).length - whole;
  const context: ParseContext = contextOf(venue, part);
  return {
    bodies,
    whole: Math.min(whole, bodies.length),
    each,
    optional: new Set([...requests.keys()].filter((at) => requests[at]?.optional)),
    emptyIsFine: false,
    groupOf: groupIn(feed, context),
    parse: (changed) => feed.parse(changed, context),
  };
}

/** The answer to a question about the first market of the part. */
function queryParser(venue: Venue, part: string, name: keyof typeof queries): Parser {
  const [{ market } = { market: '' }] = contextOf(venue, part).instruments.values();
  const ask = askFor(venue, part, market);
  const { word, emptyIsFine } = queries[name];
  const bodies = [fixture(venue, `${part}-${word}`)];
  const parse = ([body]: readonly unknown[]) => venue.queries[name]?.parse(body, ask);
  return { bodies, whole: 1, each: 0, optional: new Set(), emptyIsFine, parse };
}

/** True where every number in `value` is finite. */
export const allFinite = (value: unknown): boolean =>
  typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value !== 'object' || value === null || Object.values(value).every(allFinite);

const replaced = (bodies: readonly unknown[], at: number, body: unknown) =>
  bodies.map((old, i) => (i === at ? body : old));

const without = (bodies: readonly unknown[], from: number, count = 1) =>
  bodies.map((body, i) => (i >= from && i < from + count ? undefined : body));

/** What the parser makes of the bodies, null where it refuses them; any other error is a bug. */
const attempt = (parser: Parser, bodies: readonly unknown[]): unknown =>
  unlessRefused(() => parser.parse(bodies));

const rowsOf = (parsed: unknown): readonly Record<string, unknown>[] =>
  isRecord(parsed) && Array.isArray(parsed.rows) ? parsed.rows.filter(isRecord) : [];

const droppedOf = (parsed: unknown): unknown[] =>
  isRecord(parsed) && Array.isArray(parsed.dropped) ? parsed.dropped.map((one) => one.key) : [];

/** True when nothing of it is used: a ShapeError, or nothing but rows that are dropped. */
function isRefused(parser: Parser, bodies: readonly unknown[]): boolean {
  const parsed = attempt(parser, bodies);
  if (parsed === null) return true;
  if (!isRecord(parsed) || !Array.isArray(parsed.dropped)) return false;
  return rowsOf(parsed).length === 0 && (parsed.dropped.length > 0 || isClosed(parsed));
}

/** True where the reason is given why there is nothing. */
const isClosed = (parsed: unknown): boolean => isRecord(parsed) && 'closed' in parsed;

const wrongButThere = [null, {}, '', '<html>down</html>', 7, { code: '0' }, { data: {} }];
const wrongShapes = [undefined, ...wrongButThere];

/** Nothing is used of bodies of which one is of another shape. */
function wrongBodies(t: Test, parser: Parser): void {
  const { bodies, whole, optional } = parser;
  const used = bodies.slice(0, whole).flatMap((_, at) => {
    const wrong = optional.has(at) ? wrongButThere : wrongShapes;
    return wrong.filter((body) => !isRefused(parser, replaced(bodies, at, body)));
  });
  t.strictSame(used, [], 'refuses all of another shape');
}

/** Nothing is used of bodies that lack everything; `damage.ts` has those that are broken in one place. */
function anyBodies(t: Test, parser: Parser): void {
  const { bodies, whole, emptyIsFine } = parser;
  t.ok(allFinite(parser.parse(bodies)), 'reads its fixture');
  wrongBodies(t, parser);
  const nothing = bodies.map((_, at) => (at < whole ? [] : undefined));
  if (!emptyIsFine && whole > 0) t.ok(isRefused(parser, nothing), 'refuses empty lists');
}

type Row = Record<string, unknown>;

/** Columns with a value that was not there before; a row's time may be that of another answer. */
const madeUp = (row: Row, old: Row | undefined) =>
  Object.keys(row).filter(
    (key) => key !== 'stated' && row[key] !== null && row[key] !== old?.[key],
  );

const byMarket = (rows: readonly Row[]) => new Map(rows.map((row) => [row.market, row]));

/** Markets of which the row is another than before, or is gone. */
function felt(t: Test, old: ReadonlyMap<unknown, Row>, rows: readonly Row[]): unknown[] {
  t.strictSame(
    rows.flatMap((row) => madeUp(row, old.get(row.market))),
    [],
    'makes up nothing',
  );
  const left = byMarket(rows);
  return [...old].flatMap(([market, row]) =>
    JSON.stringify(left.get(market)) === JSON.stringify(row) ? [] : [market],
  );
}

/**
 * Answers about one market cost nothing but what is of that market when they fail: with one of several some of its
 * values at most, with all of them its row, unless bodies about the venue as a whole make it.
 */
function lostAnswers(
  t: Test,
  { bodies, whole, each, groupOf = (market) => market, parse }: Parser,
) {
  const old = byMarket(rowsOf(parse(bodies)));
  const named = droppedOf(parse(bodies));
  const lost = new Set<unknown>();
  for (let from = whole; from < bodies.length; from += each) {
    const singly = Array.from({ length: each }, (_, at) => without(bodies, from + at));
    const alone = without(bodies, from, each);
    const markets = [...singly, alone].flatMap((torn) => felt(t, old, rowsOf(parse(torn))));
    t.ok(new Set(markets.map(groupOf)).size <= 1, `bodies from ${from} on are about one market`);
    for (const market of markets) lost.add(market);
    const told = rowsOf(parse(alone)).filter(({ market }) => markets.includes(market));
    t.ok(whole > 0 || told.length === 0, 'and without any there is nothing of it');
    const others = droppedOf(parse(alone)).filter((key) => !named.includes(key));
    t.strictSame(others, [], 'a lost answer is left out in silence');
  }
  t.not(lost.size, 0, 'their loss is felt');
}

function feedConforms(t: Test, venue: Venue, part: FeedPart): void {
  const { feed, topic } = part;
  const parser = feedParser(venue, part);
  const { bodies, whole, each, optional, parse } = parser;
  const { instruments } = contextOf(venue, part.part);
  const named = feed.names?.(instruments) ?? [...instruments.keys()];
  const markets = named.slice(0, (bodies.length - whole) / (each || 1));
  const requests = feed.requests({ markets, now: received });
  t.strictSame(
    requests.map((request) => request.market),
    [
      ...Array.from({ length: whole }, () => undefined),
      ...markets.flatMap((market) => Array.from({ length: each }, () => market)),
    ],
    'what is about the venue as a whole goes first, then market by market',
  );
  const rotates = feed.rotates === true || feed.names !== undefined;
  const byMarket = [each > 0, bodies.length > whole];
  t.strictSame(
    byMarket,
    [rotates, rotates],
    'only what rotates or names has requests and bodies by market',
  );

  const rows = rowsOf(parse(bodies));
  t.not(rows.length, 0, 'there are rows');
  t.equal(new Set(rows.map((row) => row.market)).size, rows.length, 'one of each market');
  const odd = (topic === 'instruments' ? [] : rows).filter(({ market, quote }) => {
    const kind = instruments.get(String(market))?.kind ?? 'perpetual';
    const isOf = kind === 'perpetual' || (topic === 'prices' && kind === 'spot');
    return !isOf || !dollarQuotes.has(String(quote));
  });
  t.strictSame(odd, [], 'all of a kind that has the topic, quoted in dollars');
  for (const at of optional) {
    const parsed = parse(replaced(bodies, at, undefined));
    const without = rowsOf(parsed);
    t.ok(without.length > 0 || isClosed(parsed), `rows, or why none, without body ${at}`);
    t.ok(
      without.every((row) => rows.some((old) => old.market === row.market)),
      `without body ${at} there are no others`,
    );
  }
  if (each > 0) lostAnswers(t, parser);
}

export function conforms(t: Test, venue: Venue): void {
  t.test(`each part has instruments and prices, and each topic is of a part`, async (t) => {
    const { instruments, prices, derivatives, openInterest } = venue.feeds;
    for (const part of venue.parts) t.ok(instruments.parts[part] && prices.parts[part], part);
    for (const feed of [instruments, prices, derivatives, openInterest]) {
      for (const part of Object.keys(feed?.parts ?? {})) t.ok(venue.parts.includes(part), part);
    }
    t.equal(derivatives !== undefined, venue.kinds.includes('perpetual'), 'perpetuals are told');
  });

  t.test('its polls fit its budgets', async (t) => t.strictSame(excessesOf(venue), []));

  for (const part of feedParts(venue)) {
    t.test(`${part.topic} of ${part.part}`, async (t) => feedConforms(t, venue, part));
  }

  const parsers: [string, () => Parser][] = [
    ...feedParts(venue).map((part): [string, () => Parser] => [
      `${part.topic} of ${part.part}`,
      () => feedParser(venue, part),
    ]),
    ...(['orderBook', 'candles'] as const)
      .filter((name) => venue.queries[name])
      .flatMap((name) =>
        venue.parts.map((part): [string, () => Parser] => [
          `${name} of ${part}`,
          () => queryParser(venue, part, name),
        ]),
      ),
  ];
  for (const [name, open] of parsers) {
    t.test(`any bodies for ${name}`, async (t) => anyBodies(t, open()));
  }
}
