/**
 * Whether we and ccxt read the same leaf of a body with the same factor into a column. Every number of a body is given one of
 * its own first, so that two equal results can only come from the same leaves; where they differ, leaves are changed one by
 * one to tell which each of the two reads.
 */
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { Instrument } from '../../../../actors/topics/index.ts';
import {
  bodiesOf,
  contextOf as contextOfFixture,
  feedPart,
  fixture,
  received,
} from '../fixtures.ts';
import { columnsOf, type Line, linesOf } from './columns.ts';
import { Distinct, leafOfTime, type Path } from './distinct.ts';
import { formulaOf } from './formula.ts';
import {
  type Case,
  firstOf,
  listedIn,
  names,
  type Pair,
  type Probe,
  type ProbedVenue,
  pairsOf,
  probesOf,
  type Reading,
  type Topic,
} from './pairs.ts';
import {
  bodyOf,
  contextOf,
  type Loose,
  type Recorded,
  type RecordedVenue,
  reader,
  type Stage,
  valueAt,
} from './recorded.ts';

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
  /** The stated differences that were met. */
  met: Set<Line>;
  faults: string[];
  /** Probes without a row that both read. */
  empty: string[];
}

/** What each of the two reads of a column of a row, by `ours` and `theirs`. */
async function formulas(
  one: Case,
  { key }: Pair,
  column: string,
): Promise<Readonly<Record<Side, () => Promise<string>>>> {
  const { bodies, probe } = one;
  const keys = names[probe.topic][column] ?? [];
  const pairAt = async (changed: readonly unknown[]) => {
    const now = { ...one, bodies: changed };
    if (probe.topic === 'instruments') {
      now.exchange = await one.load(probe.part, changed);
      now.instruments = listedIn(one.venue, probe.part, changed);
    }
    try {
      return (await pairsOf(now)).find((pair) => pair.key === key);
    } catch {
      // Four prices of a candle that were one contradict each other once one of them is changed.
      return;
    }
  };
  const isOfFirst = probe.topic === 'candles' || probe.topic === 'books';
  const listed = isOfFirst ? firstOf(one) : one.instruments.get(key);
  const contract = probe.topic === 'instruments' ? 1 : (listed?.contract ?? 1);
  // The library is loaded anew for each leaf of a list: those of the market's own row are enough.
  const of = (path: Path) =>
    probe.topic !== 'instruments' ||
    Object.values(Object(valueAt(bodies, path.slice(0, -1).join('.')))).includes(key);
  const number = (value: unknown) => (isNumber(value) ? value : undefined);
  const ours = async (changed: readonly unknown[]) => number((await pairAt(changed))?.ours[column]);
  const theirs = async (changed: readonly unknown[]) =>
    number(statedBy((await pairAt(changed))?.theirs ?? {}, keys));
  return {
    ours: () => formulaOf(bodies, { contract, of, value: ours }),
    theirs: () => formulaOf(bodies, { contract, of, value: theirs }),
  };
}

type Side = 'ours' | 'theirs';

const times = new Set(['stated', 'next_funding', 'timestamp']);

/** What follows from the quotient or the difference of two prices is no product: its leaves in their place. */
function leavesOf(formula: string): string {
  const found = formula.match(/(?<![\w.])[a-z_]\w*|\[\d+\]/gi) ?? [];
  const terms = found.filter((term) => term !== 'mean' && term !== 'NaN');
  return /[\^(]/.test(formula) ? [...new Set(terms)].toSorted().join(', ') : formula;
}

/**
 * What the two read: of a time its leaf, of a change the leaves that it follows from, of a number the product; `-` of one that has
 * no value.
 */
async function reads(
  one: Case,
  pair: Pair,
  column: string,
  values: Readonly<Record<Side, unknown>>,
): Promise<Readonly<Record<Side, string>>> {
  const told = await formulas(one, pair, column);
  const of = async (side: Side): Promise<string> => {
    const value = values[side];
    if (!isNumber(value)) return '-';
    if (times.has(column)) return leafOfTime(one.bodies, value) || 'computed';
    const formula = await told[side]();
    if (formula.length > 150) return 'many';
    return column === 'change' ? leavesOf(formula) : formula;
  };
  return { ours: await of('ours'), theirs: await of('theirs') };
}

/** Compares one column of one row: what only one of the two reads has to be stated as well. */
async function compare(one: Case, pair: Pair, column: string, found: Found): Promise<void> {
  const { probe, venue } = one;
  const ours = pair.ours[column];
  const theirs = statedBy(pair.theirs, names[probe.topic][column] ?? []);
  const name = `${venue.id} ${probe.topic} of ${probe.part}: ${column}`;
  if (!isNumber(ours) && !isNumber(theirs)) return;
  // A zero of one is often unknown to the other; a contract without a size there is one of 1.
  const isOne = column === 'contract' && ours === 1;
  if (ours === 0 || theirs === 0 || ours === undefined || isOne) return;
  if (isNumber(ours) && isNumber(theirs) && isSame(column, ours, theirs)) {
    found.compared.add(name);
    return;
  }
  const told = await reads(one, pair, column, { ours, theirs });
  const known = columnsOf(venue.id, probe, column).filter(
    ({ ours: own, theirs: other = told.theirs }) => own === told.ours && other === told.theirs,
  );
  for (const one of known) found.met.add(one);
  if (known.length > 0) found.explained.add(name);
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
  // Candles of a minute whose four prices are one.
  return bodies;
}

const nothing = (): Found => ({
  compared: new Set(),
  explained: new Set(),
  met: new Set(),
  faults: [],
  empty: [],
});

/**
 * What is stated of the columns of a venue and was met in none of these: a column that is no longer read has no value, which is
 * no difference.
 */
export const unmet = ({ id }: Venue, ...found: readonly Found[]): string[] =>
  linesOf(id)
    .filter((line) => line.column !== '' && !found.some(({ met }) => met.has(line)))
    .map(
      ({ topic, part, column, ours, theirs }) =>
        `${topic} of ${part}: ${column} of ${ours}, ${theirs}`,
    );

/** Compares the rows of one probe, of which there must be some. */
async function probe(one: Case, found: Found): Promise<void> {
  const { venue, probe: about } = one;
  const pairs = await pairsOf(one);
  if (pairs.length === 0) found.empty.push(`${venue.id} ${about.topic} of ${about.part}: no row`);
  for (const pair of pairs)
    for (const column of Object.keys(names[about.topic])) await compare(one, pair, column, found);
}

/** The instruments of a list with numbers of their own, or as it is where those make markets that are not followed and ccxt reads nothing. */
function followedIn(venue: Venue, { alone = false, part }: Probe, list: readonly unknown[]) {
  const found = listedIn(venue, part, list);
  const usual = contextOfFixture(venue, part).instruments;
  const isSame = [...usual].every(([id, { kind }]) => found.get(id)?.kind === kind);
  return isSame || !alone ? found : usual;
}

/** All probes of a venue on its fixtures. */
export async function probeFixtures(
  venue: Venue,
  probed: ProbedVenue,
  probes: readonly Probe[] = probesOf(venue, probed),
): Promise<Found> {
  const { load } = probed;
  const found = nothing();
  const distinct = new Distinct();
  const lists = new Map(
    venue.parts.map((part): [string, readonly unknown[]] => [
      part,
      bodiesOf(venue, `${part}-instruments`).map((body) => distinct.of(body)),
    ]),
  );
  const loaded = (own: string, list: readonly unknown[]) =>
    load((part) => structuredClone(part === own ? [...list] : [...(lists.get(part) ?? [])]));
  const exchange = await loaded('', []);
  for (const about of probes) {
    const list = lists.get(about.part) ?? [];
    const instruments = followedIn(venue, about, list);
    const one = {
      venue,
      probe: about,
      load: loaded,
      exchange,
      received,
      instruments,
      bodies: list,
    };
    const isList = about.topic === 'instruments';
    const bodies = isList ? list : drawn(one, fixtureOf(venue, about), distinct);
    await probe({ ...one, bodies }, found);
  }
  return found;
}

/** A check of recordings as a probe, or null where nothing is known of its market. */
function recordedCase(
  stage: Stage,
  about: Recorded,
  { probe, distinct }: { probe: Probe; distinct: Distinct },
): Case | null {
  const { venue, exchange } = stage;
  const { received, instruments } = contextOf(stage, about.part, about.known);
  // Contracts have sizes of their own too, so that a factor shows where it comes from; 1 is that of what has none.
  const sized = ({ ...instrument }: Instrument): Instrument => {
    const { contract } = instrument;
    const isSize = contract !== 1 && !probe.scaled;
    return { ...instrument, contract: isSize ? distinct.number(contract) : contract };
  };
  const all = new Map([...instruments].map(([id, one]): [string, Instrument] => [id, sized(one)]));
  const bodies = about.bodies.map((body) => bodyOf(stage, body));
  const load = async () => exchange;
  const one = { venue, probe, load, exchange, received, instruments: all, bodies };
  if (about.market === undefined) return one;
  const instrument = about.instrument ? sized(about.instrument) : all.get(about.market);
  return instrument ? { ...one, instrument } : null;
}

/** The probes of a venue on what is recorded of it, with the markets of the recordings as they are. */
export async function probeRecordings(
  venue: Venue,
  probed: ProbedVenue,
  row: RecordedVenue,
): Promise<Found> {
  const { also = {}, skipped = {} } = probed;
  const probes = probesOf(venue, probed);
  const found = nothing();
  const distinct = new Distinct();
  const read = reader(venue.id);
  const exchange: Loose = Object.assign(await row.load(read), also);
  const subjects = row.bodies.filter(({ topic, part }) => !(`${topic} of ${part}` in skipped));
  for (const about of subjects) {
    const own = probes.find(({ topic, part }) => topic === about.topic && part === about.part);
    const one =
      own && recordedCase({ venue, row, read, exchange }, about, { probe: own, distinct });
    if (one) await probe({ ...one, bodies: drawn(one, one.bodies, distinct) }, found);
  }
  return found;
}
