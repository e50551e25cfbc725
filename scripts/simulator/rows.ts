/**
 * Rows in the words of an exchange: a table names each member of a row and the fact about a market that it states. These tables are
 * the simulator's own and are read nowhere else, so that what they say can be held against the mappers.
 */
import type { BookLevel } from './book.ts';
import { absent, type Decimals, type Facts, known, lots, tick } from './facts.ts';
import { sample } from './fixtures.ts';
import { fixed, plain } from './format.ts';
import type { Market, MarketCandle } from './market.ts';
import { type At, Sight } from './sight.ts';

export { absent, nextHour, whileLive } from './facts.ts';
export type { At, Sight } from './sight.ts';

type Write = (sight: Sight) => unknown;

/** How an exchange writes measures: without trailing zeros, with the decimals of the market, where nothing else is said. */
interface Style {
  write: typeof plain;
  /** Decimals of prices, and of quantities. */
  prices: Decimals;
  quantities: Decimals;
}

const form = /^([#$@]?)(\w+?)(?:([+.])(\d+)(f?))?$/;

const choice = /^(#?)(\w+):(.+)$/;
const condition = /^(\w+)\?([^:]+):(.*)$/;
const states = ['live', 'halted', 'preopen'];

/** One of several texts: the first or the second, as a fact holds or not, or by the state of the market. */
function chooser([, kind = '', name = '', texts = '']: readonly string[], own: Facts): Write {
  const fact = own[name] ?? known[name]?.[0];
  if (fact === undefined) throw new RangeError(`no fact: ${name}`);
  const all = texts.split('/');
  return (sight) => {
    const value = fact(sight);
    const at = typeof value === 'boolean' ? Number(!value) : states.indexOf(String(value));
    return as(kind, all[at] ?? '');
  };
}

/** The value of a fact as a cell has it written. */
function writer(cell: string, own: Facts, style: Style): Write {
  const [, kind = '', name = '', sign, stated, isFixed] = form.exec(cell) ?? [];
  const [usual, decimals] = known[name] ?? [];
  const fact = own[name] ?? usual;
  if (fact === undefined) throw new RangeError(`no fact: ${cell}`);
  const text = isFixed ? fixed : style.write;
  const most = decimals === tick ? style.prices : decimals === lots ? style.quantities : decimals;
  const places = (market: Market): number | undefined => {
    if (kind === '@') return;
    if (stated === undefined) return most?.(market);
    return Number(stated) + (sign === '+' ? market.decimals : 0);
  };
  return (sight) => {
    const value = fact(sight);
    const digits = typeof value === 'number' ? places(sight.market) : undefined;
    const written = typeof value === 'number' && digits !== undefined ? text(value, digits) : value;
    return as(kind, written === undefined ? '' : written);
  };
}

/** A written value as text, as a JSON number, or as it is; null and the mark of an absent value stay. */
function as(kind: string, written: unknown): unknown {
  if (written === null || written === '' || written === absent) return written;
  if (kind === '$') return String(written);
  return kind === '#' ? Number(written) : written;
}

const constant = /^(?:'([^']*)'|(-?\d[\d.e]*|true|false|null|\[.*\]|\{.*\}))$/;

/** A text with cells in braces: `ticker.{id}`. */
function textWith(form: string, reader: Reader): Write {
  const parts = form
    .split(/\{([^{}]+)\}/)
    .map((part, at) => (at % 2 === 0 ? () => part : cellOf(part, reader)));
  return (sight) => parts.map((part) => part(sight)).join('');
}

/** One of two cells, as a fact holds or not. */
function either([, name = '', yes = '', no = '']: readonly string[], reader: Reader): Write {
  const [holds, then, otherwise] = [name, yes, no].map((cell) => cellOf(cell, reader));
  return (sight) => (holds?.(sight) ? then : otherwise)?.(sight);
}

function cellOf(cell: string, reader: Reader): Write {
  if (cell === '-') return () => absent;
  if (cell.startsWith('?')) return ({ query }) => query?.get(cell.slice(1)) ?? '';
  const [found, quoted, bare] = constant.exec(cell) ?? [];
  const conditional = found === undefined && condition.exec(cell);
  if (conditional) return either(conditional, reader);
  const chosen = found === undefined && choice.exec(cell);
  if (chosen) return chooser(chosen, reader.own);
  if (found === undefined) return writer(cell, reader.own, reader.style);
  if (quoted !== undefined) return textWith(quoted, reader);
  const value: unknown = JSON.parse(bare ?? '');
  return () => value;
}

/** Words of a table; a constant in quotation marks may hold blanks. */
const wordsOf = (table: string): string[] => table.match(/(?:'[^']*'|\S)+/g) ?? [];

type Members = readonly (readonly [name: string, write: Write])[];

const objectOf = (members: Members, sight: Sight): Record<string, unknown> => {
  const row: Record<string, unknown> = {};
  for (const [name, write] of members) {
    const value = write(sight);
    if (value !== absent) row[name] = value;
  }
  return row;
};

/** What the tables of an exchange are read with. */
interface Reader {
  own: Facts;
  style: Style;
}

/**
 * The members up to the end of the table or of the object in it. Members of the template that the table does not name are the
 * same in every row.
 */
function membersOf(words: string[], reader: Reader, template: object = {}): Members {
  const given: Readonly<Record<string, unknown>> = { ...template };
  const members = new Map<string, Write>(
    Object.entries(given).map(([name, value]) => [name, () => value]),
  );
  for (let word = words.shift(); word !== undefined && word !== '}'; word = words.shift()) {
    const name = nameIn(word);
    if (word.endsWith('{')) {
      const inner = membersOf(words, reader, Object(given[name]));
      members.set(name, (sight) => objectOf(inner, sight));
    } else if (word.endsWith('[')) {
      const inner = itemsOf(words, reader, given[name]);
      members.set(name, (sight) => inner.map((write) => write(sight)));
    } else if (word.startsWith('-')) members.delete(word.slice(1));
    else members.set(name, cellOf(word.slice(word.indexOf('=') + 1), reader));
  }
  return [...members];
}

/** The member that a word of a table names. */
function nameIn(word: string): string {
  if (/[{[]$/.test(word) && !word.includes('=')) return word.slice(0, -1);
  const at = word.indexOf('=');
  return at < 0 ? word.replace(/^[#$@]|[+.]\d+f?$/g, '') : word.slice(0, at);
}

/** The items up to the end of the table or of the list in it. */
function itemsOf(words: string[], reader: Reader, template?: unknown): Write[] {
  const given: readonly unknown[] = Array.isArray(template) ? template : [];
  const items: Write[] = [];
  for (let word = words.shift(); word !== undefined && word !== ']'; word = words.shift()) {
    if (word === '{') {
      const inner = membersOf(words, reader, Object(given[items.length]));
      items.push((sight) => objectOf(inner, sight));
    } else items.push(cellOf(word, reader));
  }
  return items;
}

/** Makes a row. */
export type Row<Made = Record<string, unknown>> = (
  market: Market,
  at: At,
  candle?: MarketCandle,
  level?: BookLevel,
) => Made;

/** What the rows of an exchange are made with. */
export interface Rows {
  /**
   * A row that is an object: the row at `place` of the fixtures of the exchange (`linear-prices result.list`), of which the
   * members that the table names move. A word of the table is `member=fact`, or the fact alone where the member has its name:
   * - `fact` is written as text with its usual decimals if it is a measure, else as it is;
   * - `#fact` as a JSON number, `@fact` as one that is not rounded, `$fact` as text in any case;
   * - `fact:yes/no` as the first text where it is true, else as the second one, `state:live/halted/preopen` as one of three;
   * - `fact?cell:cell` as the first cell where it is true, else as the second one; the cell `-` leaves the member out;
   * - `fact.4` with at most 4 decimals, `fact+1` with one more than prices have, `fact.4f` with 4 decimals always;
   * - `?name` the parameter of the request;
   * - `member='text'`, `member=7`, `member=[1,2]` the same in every row, `'ticker.{id}'` a text with cells; `-member` in none;
   * - `member{ … }` an object of members, `member[ … ]` a list of facts, constants and `{ … }`.
   */
  row(table: string, place?: string): Row;
  /** A row that is a list of facts and constants. */
  list(table: string): Row<unknown[]>;
}

/** Rows with facts of the exchange's own: beside the known ones, or in the place of one, whose decimals they then have. */
export function rowsOf(exchange: string, own: Facts = {}, more: Partial<Style> = {}): Rows {
  const reader = { own, style: { write: plain, prices: tick, quantities: lots, ...more } };
  return {
    row(table, place) {
      const template = place === undefined ? {} : sample(exchange, place);
      const members = membersOf(wordsOf(table), reader, template);
      return (market, at, candle, level) => objectOf(members, new Sight(market, at, candle, level));
    },
    list(table) {
      const cells = itemsOf(wordsOf(table), reader);
      return (market, at, candle, level) => {
        const sight = new Sight(market, at, candle, level);
        return cells.map((write) => write(sight));
      };
    },
  };
}

/** Rows that have no fixture. */
export const rowsWith = (own: Facts = {}, more: Partial<Style> = {}): Rows => rowsOf('', own, more);
