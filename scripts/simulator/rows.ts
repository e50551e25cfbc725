/**
 * Rows in the words of an exchange: a table names each member of a row and the fact about a market that it states. These tables are
 * the simulator's own and are read nowhere else, so that what they say can be held against the mappers.
 */
import type { BookLevel } from './book.ts';
import { sample } from './fixtures.ts';
import { fixed, plain } from './format.ts';
import type { Market, MarketCandle } from './market.ts';
import { type At, Sight } from './sight.ts';
import { tradeFacts } from './trade.ts';

export type { At, Sight } from './sight.ts';

/** A value, and the decimals with which it is written as text where it is a number; without decimals it stays as it is. */
export type Fact = (sight: Sight) => unknown;
type Decimals = (market: Market) => number;
type Facts = Readonly<Record<string, Fact>>;

const tick: Decimals = ({ decimals }) => decimals;
const lots: Decimals = ({ lot }) => Math.max(0, lot);
const finer: Decimals = ({ decimals }) => decimals + 2;
const eight: Decimals = () => 8;

const ratioOf = (long: number): number => long / (1 - long);

const known: Readonly<Record<string, readonly [Fact, Decimals?]>> = {
  id: [({ market }) => market.id],
  symbol: [({ market }) => market.symbol],
  quote: [({ market }) => market.quote],
  /** The base as most exchanges write it: `1000PEPE`. */
  coin: [({ market: { symbol, scale } }) => `${scale === 1 ? '' : scale}${symbol}`],
  settle: [({ market }) => (market.inverse ? market.symbol : market.quote)],
  decimals: [({ market }) => market.decimals],
  lot: [({ market }) => market.lot],
  /** The smallest steps of prices and of quantities. */
  tick: [({ market }) => 10 ** -market.decimals, tick],
  step: [({ market }) => 10 ** -market.lot, lots],
  contract: [({ market }) => market.contract, eight],
  listed: [({ market }) => market.listed],
  expires: [({ market }) => market.expires ?? 0],
  isLive: [({ market }) => market.state === 'live'],
  isInverse: [({ market }) => market.inverse],
  isShare: [({ market }) => market.symbol === 'TSLA'],
  state: [({ market }) => market.state],
  now: [({ now }) => now],
  dayAgo: [({ now }) => now - 86_400_000],
  seconds: [({ now }) => now / 1000],
  iso: [({ now }) => new Date(now).toISOString()],
  last: [({ market, now }) => market.price(now), tick],
  mark: [({ market, now }) => market.exact(now), finer],
  index: [({ market, now }) => market.index(now), finer],
  /** At the end of a candle, or now where it still runs. */
  markThen: [({ market, candle, now }) => market.exact(Math.min(candle.end, now)), finer],
  indexThen: [({ market, candle, now }) => market.index(Math.min(candle.end, now)), finer],
  premium: [({ market, now }) => market.exact(now) / market.index(now) - 1, eight],
  bid: [({ best }) => best.bid?.price, tick],
  ask: [({ best }) => best.ask?.price, tick],
  bidSize: [({ best }) => best.bid?.quantity, lots],
  askSize: [({ best }) => best.ask?.quantity, lots],
  /** The same, 0 where a side is empty. */
  bestBid: [({ best }) => best.bid?.price ?? 0, tick],
  bestAsk: [({ best }) => best.ask?.price ?? 0, tick],
  bestBidSize: [({ best }) => best.bid?.quantity ?? 0, lots],
  bestAskSize: [({ best }) => best.ask?.quantity ?? 0, lots],
  updateId: [({ updateId }) => updateId],
  /** Of 24 hours, or of a candle. */
  open: [({ stretch }) => stretch.open, tick],
  high: [({ stretch }) => stretch.high, tick],
  low: [({ stretch }) => stretch.low, tick],
  close: [({ stretch }) => stretch.close, tick],
  mean: [({ stretch }) => stretch.mean, tick],
  rise: [({ stretch }) => stretch.close - stretch.open, tick],
  fraction: [({ stretch }) => stretch.close / stretch.open - 1, () => 6],
  percent: [({ stretch }) => (stretch.close / stretch.open - 1) * 100, () => 2],
  /** In the market's own unit, in native base units and in the quote. */
  quantity: [({ stretch }) => stretch.quantity, lots],
  bought: [({ stretch }) => stretch.bought, lots],
  sold: [({ stretch }) => stretch.quantity - stretch.bought, lots],
  base: [({ stretch }) => stretch.base, eight],
  turnover: [({ stretch }) => stretch.turnover, eight],
  trades: [({ stretch }) => stretch.trades],
  start: [({ candle }) => candle.time],
  startSeconds: [({ candle }) => candle.time / 1000],
  end: [({ candle }) => candle.end],
  lastMoment: [({ candle }) => candle.end - 1],
  isClosed: [({ candle }) => candle.closed],
  price: [({ level }) => level?.price, tick],
  size: [({ level }) => level?.quantity, lots],
  orders: [({ level }) => level?.orders],
  tradePrice: [({ trade }) => trade.price, tick],
  tradeSize: [({ trade }) => trade.quantity, lots],
  /** The rate that is charged next, and the one that was charged last. */
  rate: [({ market, funding }) => market.fundingRate(funding.next), eight],
  lastRate: [({ market, funding }) => market.fundingRate(funding.last), eight],
  next: [({ funding }) => funding.next],
  lastFunding: [({ funding }) => funding.last],
  hours: [({ market }) => market.fundingHours],
  interest: [({ interest }) => interest.base, lots],
  interestValue: [({ interest }) => interest.value, eight],
  contracts: [({ interest }) => Math.round(interest.contracts)],
  /** The rate that was charged at that time. */
  charged: [({ market, now }) => market.fundingRate(now), eight],
  ...Object.fromEntries(
    Object.entries(tradeFacts).map(([name, fact]): [string, [Fact]] => [name, [fact]]),
  ),
  ...Object.fromEntries(
    ['Accounts', 'TopAccounts', 'TopPositions'].flatMap((name, of): [string, [Fact]][] => [
      [`long${name}`, [({ market, now }) => market.longShare(now, of)]],
      [`short${name}`, [({ market, now }) => 1 - market.longShare(now, of)]],
      [`ratio${name}`, [({ market, now }) => ratioOf(market.longShare(now, of))]],
    ]),
  ),
};

/** Facts that are `absent` while a market does not trade. */
export const whileLive = (absent: unknown, names: string): Facts =>
  Object.fromEntries(
    names.split(' ').map((name): [string, Fact] => {
      const [fact] = known[name] ?? [];
      return [name, (sight) => (sight.market.state === 'live' ? fact?.(sight) : absent)];
    }),
  );

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
  if (written === null || written === '') return written;
  if (kind === '$') return String(written);
  return kind === '#' ? Number(written) : written;
}

const constant = /^(?:'([^']*)'|(-?\d[\d.e]*|true|false|null|\[.*\]|\{.*\}))$/;

function cellOf(cell: string, { own, style }: Reader): Write {
  const [found, quoted, bare] = constant.exec(cell) ?? [];
  const chosen = found === undefined && choice.exec(cell);
  if (chosen) return chooser(chosen, own);
  if (found === undefined) return writer(cell, own, style);
  const value: unknown = bare === undefined ? quoted : JSON.parse(bare);
  return () => value;
}

/** Words of a table; a constant in quotation marks may hold blanks. */
const wordsOf = (table: string): string[] => table.match(/(?:'[^']*'|\S)+/g) ?? [];

type Members = readonly (readonly [name: string, write: Write])[];

const objectOf = (members: Members, sight: Sight): Record<string, unknown> => {
  const row: Record<string, unknown> = {};
  for (const [name, write] of members) row[name] = write(sight);
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
   * - `fact.4` with at most 4 decimals, `fact+1` with one more than prices have, `fact.4f` with 4 decimals always;
   * - `member='text'`, `member=7`, `member=[1,2]` the same in every row; `-member` in none;
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
