/**
 * Whether we and ccxt read the same leaf of a body with the same factor into a column. Every number of a body is given one of
 * its own first, so that two equal results can only come from the same leaves; where they differ, leaves are changed one by
 * one to tell which each of the two reads.
 */
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { Instrument } from '../../../../actors/topics/index.ts';
import { bodiesOf, feedPart, fixture } from '../fixtures.ts';
import type { Loose } from '../recorded/check.ts';
import { Distinct, leafOfTime, nameOf, type Path } from './distinct.ts';
import { formulaOf } from './formula.ts';
import {
  type Case,
  contextOf,
  type Difference,
  firstOf,
  names,
  type Pair,
  type Probe,
  type ProbedVenue,
  pairsOf,
  type Reading,
  type Topic,
} from './pairs.ts';

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value !== 0;

const statedBy = (theirs: Reading, keys: readonly string[]): unknown =>
  keys.map((key) => theirs[key]).find((value) => value !== undefined && value !== null);

/** Exchanges round a change, or state it beside the prices that it follows from: percentage points. */
const changeError = 0.15;

const isSame = (column: string, ours: number, theirs: number): boolean =>
  Math.abs(ours - theirs) <= (column === 'change' ? changeError : 1e-11 * Math.abs(theirs));

/** What was found in a probe. */
export interface Found {
  /** Columns that the two read alike, and those whose difference is explained. */
  compared: Set<string>;
  explained: Set<string>;
  faults: string[];
}

const alternatives = (one: Difference | readonly Difference[] | undefined) =>
  one === undefined ? [] : [one].flat();

/** The two formulas of a column of a row. */
async function formulas(
  one: Case,
  { key }: Pair,
  column: string,
): Promise<{ ours: string; theirs: string }> {
  const { bodies, probe } = one;
  const keys = names[probe.topic][column] ?? [];
  const pairAt = async (changed: readonly unknown[]) => {
    const now = { ...one, bodies: changed };
    if (probe.topic === 'instruments') {
      now.lists = new Map([...one.lists, [probe.part, changed]]);
      now.exchange = await one.load((part) => [...(now.lists.get(part) ?? [])]);
    }
    return (await pairsOf(now)).find((pair) => pair.key === key);
  };
  const instruments = contextOf(one);
  const isOfFirst = probe.topic === 'candles' || probe.topic === 'books';
  const listed = isOfFirst ? firstOf(one) : instruments.get(key);
  const contract = probe.topic === 'instruments' ? 1 : (listed?.contract ?? 1);
  // The library is loaded anew for each leaf of a list.
  const of = (path: Path) => probe.topic !== 'instruments' || /size|val|mult/i.test(nameOf(path));
  const number = (value: unknown) => (isNumber(value) ? value : undefined);
  const ours = async (changed: readonly unknown[]) => number((await pairAt(changed))?.ours[column]);
  const theirs = async (changed: readonly unknown[]) =>
    number(statedBy((await pairAt(changed))?.theirs ?? {}, keys));
  return {
    ours: await formulaOf(bodies, { contract, of, value: ours }),
    theirs: await formulaOf(bodies, { contract, of, value: theirs }),
  };
}

const times = new Set(['stated', 'next_funding', 'timestamp']);

/** What the two read: of a time its leaf, of a change the leaves that it follows from, of a number the product. */
async function reads(
  one: Case,
  pair: Pair,
  column: string,
  [ours, theirs]: readonly [number, number],
) {
  if (times.has(column))
    return { ours: leafOfTime(one.bodies, ours), theirs: leafOfTime(one.bodies, theirs) };
  const found = await formulas(one, pair, column);
  if (column !== 'change') return found;
  // What follows from the quotient or the difference of two prices is no product.
  const names = (formula: string) => {
    const terms = formula.match(/[a-z_]\w*|\[\d+\]/gi)?.filter((term) => term !== 'mean') ?? [];
    return /[\^(]/.test(formula) ? [...new Set(terms)].toSorted().join(', ') : formula;
  };
  return { ours: names(found.ours), theirs: names(found.theirs) };
}

/** Compares one column of one row. */
async function compare(one: Case, pair: Pair, column: string, found: Found): Promise<void> {
  const { probe, venue } = one;
  const [ours, theirs] = [
    pair.ours[column],
    statedBy(pair.theirs, names[probe.topic][column] ?? []),
  ];
  const name = `${venue.id} ${probe.topic} of ${probe.part}: ${column}`;
  if (!isNumber(ours) || !isNumber(theirs)) return;
  if (isSame(column, ours, theirs)) {
    found.compared.add(name);
    return;
  }
  const told = await reads(one, pair, column, [ours, theirs]);
  const known = alternatives(probe.differs?.[column]);
  if (
    known.some(
      ({ ours: own, theirs: other = told.theirs }) => own === told.ours && other === told.theirs,
    )
  )
    found.explained.add(name);
  else
    found.faults.push(
      `${name} of ${pair.key}: ${ours} is ${told.ours}, ccxt's ${theirs} is ${told.theirs}`,
    );
}

const words: Readonly<Record<Topic, string>> = {
  instruments: 'instruments',
  prices: 'prices',
  derivatives: 'derivatives',
  openInterest: 'open-interest',
  candles: 'candles',
  books: 'order-book',
};

function fixtureOf(venue: Venue, { topic, part }: Probe): readonly unknown[] {
  if (topic === 'candles' || topic === 'books') return [fixture(venue, `${part}-${words[topic]}`)];
  const feed = feedPart(venue, topic, part);
  return bodiesOf(venue, feed?.fixture ?? `${part}-${words[topic]}`);
}

const countBars = ({ venue, probe }: Case, instrument: Instrument, body: unknown): number => {
  const ask = { market: instrument.market, part: probe.part, instrument };
  try {
    return venue.queries.candles?.parse(body, ask).length ?? 0;
  } catch {
    return 0;
  }
};

/** The bodies of a probe with numbers of their own. A close that was the high is drawn again until it is at most the high. */
function drawn(one: Case, bodies: readonly unknown[], distinct: Distinct): readonly unknown[] {
  const [body] = bodies;
  const wanted = one.probe.topic === 'candles' ? countBars(one, firstOf(one), body) : 0;
  for (let tries = 0; tries < 100; tries++) {
    const found = bodies.map((each) => distinct.of(each));
    if (wanted === 0 || countBars(one, firstOf(one), found[0]) === wanted) return found;
  }
  throw new Error(`${one.venue.id}: no candles of ${one.probe.part} out of distinct numbers`);
}

/** All probes of a venue on its fixtures. */
export async function probeFixtures(venue: Venue, probed: ProbedVenue): Promise<Found> {
  const found: Found = { compared: new Set(), explained: new Set(), faults: [] };
  const distinct = new Distinct();
  const lists = new Map(
    venue.parts.map((part): [string, readonly unknown[]] => [
      part,
      bodiesOf(venue, `${part}-instruments`).map((body) => distinct.of(body)),
    ]),
  );
  const exchange = await probed.load((part) => structuredClone(lists.get(part) ?? []) as Loose[]);
  for (const probe of probed.probes) {
    const about = {
      venue,
      probe,
      load: probed.load,
      exchange,
      lists,
      bodies: lists.get(probe.part) ?? [],
    };
    const isList = probe.topic === 'instruments';
    const one = isList
      ? about
      : { ...about, bodies: drawn(about, fixtureOf(venue, probe), distinct) };
    const pairs = await pairsOf(one);
    if (pairs.length === 0)
      found.faults.push(`${venue.id} ${probe.topic} of ${probe.part}: no row`);
    for (const pair of pairs)
      for (const column of Object.keys(names[probe.topic])) await compare(one, pair, column, found);
  }
  return found;
}
