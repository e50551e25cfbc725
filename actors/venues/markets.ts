/**
 * The mapper of an exchange's part: finds the rows in the bodies of a poll or in the messages of a stream, and reads each by the
 * tables of the part. One reading gives the rows of all topics. Pure.
 */
import { isDated, isFollowed } from '../../indicators/market/market-names.ts';
import { ShapeError } from '../failure.ts';
import { asRow, at, bulk, isRow, text, time, type WireRow } from '../read.ts';
import type { InstrumentMap, MarketPoll, ParseContext, Parsed, Plan } from '../sources/define.ts';
import type { LatestStream, StreamContext } from '../sources/streams/stream.ts';
import type { FutureRow, Instrument, LiveTopic, MarketRows } from '../topics/index.ts';
import { type IdOfRow, idIn, isWhole, type Key } from './cells.ts';
import { type Known, type Message, memoryOf, withKnown } from './streams.ts';
import {
  type About,
  type Cell,
  derivativeRow,
  futureRow,
  interestRow,
  isUntraded,
  priceRow,
  type Reading,
  type Tables,
} from './tables.ts';

/** The topics that tables give rows of. */
export type TopicsOf<T extends Tables> =
  | (T extends { price: object } ? 'prices' : never)
  | (T extends { derivative: object } ? 'derivatives' : never)
  | (T extends { interest: object } ? 'openInterest' : never);

/** The topics of a poll: dated futures are polled only. */
type PolledOf<T extends Tables> = TopicsOf<T> | (T extends { dated: true } ? 'futures' : never);

/** How the rows of a part are found, and their tables. */
export interface MarketForm extends Tables {
  /** The market's id in a row. */
  id: IdOfRow;
  /** Where a poll has its rows: a path of keys joined by points, '' for the body itself; or a function of all its bodies. */
  rows?: string | ((bodies: readonly unknown[], about: About) => readonly unknown[]);
  /** The time of all rows, by its path in the first body. */
  stated?: string;
  /** The time of a row, Unix ms; that of the body when absent or unreadable. */
  time?: Cell;
  /** True where there are dated futures among the rows: the same tables give their rows. */
  dated?: true;
  /** True where rows of markets that no list holds are left out without a count: other rows notice new markets. */
  listedOnly?: boolean;
  /** The least length of a row that is a list (`isWhole`); a shorter one is dropped. */
  columns?: number;
  /** False for a row that is left out without a count. */
  keep?(row: WireRow, about: About): boolean;
}

/** A stream of rows in the form of a part's tables. */
export interface LiveForm extends Omit<LatestStream<never>, 'parse'> {
  /** Null for a message that is not about data. Throws ShapeError (or any error) for one that should have been readable. */
  read(message: unknown, context: StreamContext): Message | null;
}

/** The part of a plan that a request depends on. */
export type Requests<Request> = Request | ((plan: Plan) => readonly Request[]);

/** Reads the rows of a part: the topics of its streams, and those of its polls. */
export interface Mapper<T extends LiveTopic, P extends LiveTopic | 'futures' = T> {
  /** A poll whose bodies hold the rows. */
  poll<Request extends object>(
    requests: Requests<Request>,
    rotation?: Pick<MarketPoll<P>, 'rotates' | 'names' | 'most'>,
  ): MarketPoll<P, Request>;
  /** A stream whose messages hold such rows. */
  live(form: LiveForm): LatestStream<T>;
}

/** The rows of a reading, by topic. */
type Found = { -readonly [T in LiveTopic]?: Parsed<MarketRows[T]> } & {
  futures?: Parsed<FutureRow>;
};

const nothing = () => ({ rows: [], dropped: [] });

/** Empty lists for the topics that the tables have, of those that are wanted. */
function listsOf(form: MarketForm, topics?: readonly LiveTopic[]): Found {
  const wants = (topic: LiveTopic) => topics?.includes(topic) ?? true;
  const found: Found = {};
  if (form.price && wants('prices')) found.prices = nothing();
  if (form.derivative && wants('derivatives')) found.derivatives = nothing();
  if (form.interest && wants('openInterest')) found.openInterest = nothing();
  if (form.dated && topics === undefined) found.futures = nothing();
  return found;
}

/** Adds a row, or names its market where it could not be read. */
function add<Row>(parsed: Parsed<Row>, market: Instrument, row: Row | null): void {
  if (row) parsed.rows.push(row);
  else parsed.dropped.push({ key: market.market, code: 'bad_row' });
}

/** Reads the topics of a row; null in place of a list that is too short, of which nothing is read. */
type ReadRow<Result> = (
  found: Found,
  row: WireRow | null,
  market: Instrument,
  given: Given,
) => Result;

const readContract: ReadRow<void> = (found, row, market, { form, about }) => {
  const { derivative, interest } = form;
  if (found.derivatives && derivative)
    add(found.derivatives, market, row && derivativeRow(derivative, row, market, about));
  if (found.openInterest && interest)
    add(found.openInterest, market, row && interestRow(interest, row, market, about));
};

/** The result is false where a price is left out because its market was never traded. */
const readAll: ReadRow<boolean> = (found, row, market, given) => {
  const { form, about } = given;
  if (market.kind === 'future') {
    if (found.futures) add(found.futures, market, row && futureRow(form, row, market, about));
    return true;
  }
  if (market.kind === 'perpetual') readContract(found, row, market, given);
  if (!found.prices || !form.price) return true;
  if (row && isUntraded(form.price, row, market, about)) return false;
  add(found.prices, market, row && priceRow(form.price, row, market, about));
  return true;
};

/** What a reading is made of. */
interface Given extends Pick<Message, 'rows' | 'topics'> {
  form: MarketForm;
  instruments: InstrumentMap;
  about: Reading;
}

/** Names a row without a market that is known. */
function dropUnknown(found: Found, key: string, { listedOnly = false }: MarketForm): void {
  if (listedOnly && key !== '') return;
  const code = key === '' ? 'bad_row' : 'unknown_instrument';
  for (const { dropped } of Object.values(found)) dropped.push({ key, code });
}

/**
 * Reads rows in one pass with one look-up each; kinds and quotes that are not followed are left out without a count. `untraded`
 * is true where prices were left out because their markets were never traded.
 */
function readRows(given: Given) {
  const { form, rows, topics, instruments, about } = given;
  const { id, keep, columns = 0 } = form;
  const found = listsOf(form, topics);
  let untraded = false;
  // Some lists have a future for a while after it has expired.
  const isRunning = ({ expiry = 0 }: Instrument) => expiry > about.received;
  const isWanted = (market: Instrument) =>
    isFollowed(market) || (found.futures !== undefined && isDated(market) && isRunning(market));
  for (const value of rows) {
    const row = asRow(value);
    if (keep && !keep(row, about)) continue;
    const key = idIn(id, row);
    const market = instruments.get(key);
    if (!market) dropUnknown(found, key, form);
    else if (isWanted(market))
      untraded = !readAll(found, isWhole(value, columns) ? row : null, market, given) || untraded;
  }
  return { found, untraded };
}

/** Fields of another list, found by the id that a row's market has there. */
export interface Beside {
  rows: ReadonlyMap<string, WireRow>;
  take: readonly string[];
  idOf?(id: string): string;
}

/** The rows of a list with the fields of other lists about the same markets; `key` is that of the id. */
export const joined = (
  rows: readonly unknown[],
  key: Key,
  ...others: readonly Beside[]
): readonly WireRow[] =>
  rows.map((value) => {
    const row = asRow(value);
    const id = text(row[key]);
    const found: Record<string | number, unknown> = { ...row };
    for (const { rows: more, take, idOf = (same: string) => same } of others) {
      const other = more.get(idOf(id));
      for (const name of take) found[name] = other?.[name];
    }
    return found;
  });

/** The rows of a list by their id at a key; none of a body that is not there. */
export const byId = (body: unknown, rows: string, key: Key): ReadonlyMap<string, WireRow> =>
  new Map(
    body === undefined
      ? []
      : bulk(at(body, rows), rows || 'rows').flatMap((row) =>
          isRow(row) ? [[text(row[key]), row] as const] : [],
        ),
  );

/** The rows of a poll in its bodies. */
export const listIn = (rows: string): NonNullable<Exclude<MarketForm['rows'], string>> => {
  const what = rows.split('.').at(-1) || 'rows';
  return ([body]) => bulk(at(body, rows), what);
};

/** The requests of a plan. */
export const plannedOf = <Request extends object>(
  requests: Requests<Request>,
): ((plan: Plan) => readonly Request[]) =>
  typeof requests === 'function' ? requests : () => [requests];

/** A mapper of these tables. */
export function markets<const Form extends MarketForm>(
  form: Form,
): Mapper<TopicsOf<Form>, PolledOf<Form>>;
export function markets(form: MarketForm): Mapper<never> {
  const { rows = '', stated: path } = form;
  const rowsIn = typeof rows === 'string' ? listIn(rows) : rows;
  return {
    poll: (requests, rotation) => ({
      ...rotation,
      requests: plannedOf(requests),
      parse(bodies, { instruments, received }: ParseContext): Found {
        const stated = path === undefined ? null : time(at(bodies[0], path));
        const about = { received, stated, time: form.time };
        const rows = rowsIn(bodies, about);
        const { found, untraded } = readRows({ form, rows, instruments, about });
        // A list without one price is a fault of the exchange.
        if (untraded && found.prices?.rows.length === 0)
          throw new ShapeError('no market has a price');
        return found;
      },
    }),
    live({ read, ...stream }) {
      const memory = memoryOf(() => new Map<string, Known>());
      return {
        ...stream,
        parse(message, context): Found | null {
          const sent = read(message, context);
          if (sent === null) return null;
          const { instruments, received, connection } = context;
          const rows =
            sent.remember === undefined
              ? sent.rows
              : withKnown(sent, form.id, memory(connection), context);
          const about = { received, stated: sent.stated ?? null, time: form.time };
          return readRows({ form, rows, topics: sent.topics, instruments, about }).found;
        },
      };
    },
  };
}
