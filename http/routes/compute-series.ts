/** Indicators of a recorded series: what a body asks for, and the rows as candles. */
import * as topics from '../../actors/topics/index.ts';
import { findIndicator } from '../../indicators/catalogue.ts';
import { settledAfter } from '../../indicators/job.ts';
import { blockOf, bytesOf, ownRows } from '../../indicators/job-columns.ts';
import { BadInput, type Entry } from '../../indicators/job-entries.ts';
import { baseOf, readName } from '../../indicators/market/market-names.ts';
import { bandRanges } from '../../indicators/order-book/bands.ts';
import type { kit } from './kit.ts';

/** The parts of a key beside the symbol, and the words that each may be; the first stands for an absent one. */
const parts = {
  margin: ['stable', 'coin'],
  kind: ['perpetual', 'spot'],
} as const;

const sides = ['bids', 'asks'] as const;

interface Form {
  /** What stands before the symbol in a key. */
  key: readonly ('exchange' | keyof typeof parts)[];
  /** The first when absent. */
  columns: readonly string[];
  /** The shortest interval. */
  step: topics.Interval;
}

/** The series as a body may ask for them. */
const forms = {
  'open-interest': { key: ['exchange', 'margin'], columns: ['usd', 'base'], step: '1m' },
  funding: { key: ['exchange', 'margin'], columns: ['rate'], step: '1h' },
  price: { key: ['kind'], columns: ['price', 'turnover'], step: '1m' },
  'taker-flow': { key: ['exchange', 'kind'], columns: ['buy_usd', 'sell_usd'], step: '1m' },
  'account-ratio': { key: ['exchange'], columns: ['long', 'short'], step: '5m' },
  'options-open-interest': {
    key: ['exchange'],
    columns: ['usd', 'base', 'calls', 'puts'],
    step: '1h',
  },
  liquidations: {
    key: ['exchange'],
    columns: ['long_usd', 'short_usd', 'count', 'largest_usd'],
    step: '1m',
  },
  'order-book': {
    key: ['exchange', 'kind'],
    columns: [
      'mid',
      ...bandRanges.flatMap((range) => sides.map((side) => `${side}_usd_${range * 100}` as const)),
    ],
    step: '1m',
  },
} satisfies Partial<Record<topics.RecordedName, Form>>;
type SeriesName = keyof typeof forms;
const isName = (name: unknown): name is SeriesName =>
  typeof name === 'string' && Object.hasOwn(forms, name);
const names = Object.keys(forms).filter(isName);

/** The intervals of UTC days and shorter that the steps of a series make up. */
const intervalsOf = ({ step }: Form): topics.Interval[] =>
  topics.allIntervals.filter((one) => {
    const length = topics.intervals[one];
    return length <= topics.intervals['1d'] && length % topics.intervals[step] === 0;
  });

type Fields = Readonly<Record<string, unknown>>;

/** The word of a field if it is one of `words`, the first of them when absent. Throws BadInput that lists them. */
function wordOf<W extends string>(fields: Fields, name: string, words: readonly W[]): W {
  const value = fields[name] ?? words[0];
  const found = words.find((word) => word === value);
  if (found === undefined) throw new BadInput(`series.${name} must be one of ${words.join(', ')}`);
  return found;
}

/** A string of a field. Throws BadInput. */
function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === 'string' && /^[^\s\p{C}]{1,64}$/u.test(value)) return value;
  throw new BadInput(`series.${name} must be 1 to 64 characters without spaces`);
}

/** A recorded series in the place of candles. */
export interface ChosenSeries {
  name: SeriesName;
  symbol: string;
  /** What stands before the symbol in the key, by name. */
  parts: Readonly<Record<string, string>>;
  key: string;
  column: string;
  interval: topics.Interval;
  /** Every value of the shown rows, or only the last ones. */
  full: boolean;
}

/** The series in a body whose field `series` is an object. Throws BadInput, which names the fault and the allowed values. */
export function readSeriesOf(series: Fields, { interval = '4h' }: Fields): ChosenSeries {
  const { name } = series;
  if (!isName(name)) throw new BadInput(`series.name must be one of ${names.join(', ')}`);
  const form: Form = forms[name];
  const allowed = ['name', 'symbol', 'column', 'full', ...form.key];
  const unknown = Object.keys(series).find((field) => !allowed.includes(field));
  if (unknown !== undefined) {
    throw new BadInput(`series.${unknown}: the fields of ${name} are ${allowed.join(', ')}`);
  }
  const symbol = baseOf(readName(textOf(series, 'symbol').toUpperCase()));
  const own = form.key.map((part) => {
    if (part !== 'exchange') return [part, wordOf<string>(series, part, parts[part])] as const;
    return [part, textOf({ exchange: 'binance', ...series }, part).toLowerCase()] as const;
  });
  const steps = intervalsOf(form);
  const step = steps.find((one) => one === interval);
  if (!step) throw new BadInput(`interval of ${name} must be one of ${steps.join(', ')}`);
  const { full = false } = series;
  if (typeof full !== 'boolean') throw new BadInput('series.full must be true or false');
  return {
    name,
    symbol,
    full,
    interval: step,
    column: wordOf(series, 'column', form.columns),
    parts: Object.fromEntries(own),
    key: topics.recordedKey(...own.map(([, word]) => word), symbol),
  };
}

/** Whether an indicator is computed from volumes; one that has a choice of what it is computed from, only if so chosen. */
function needsVolume({ name, chosen }: Entry): boolean {
  const { inputs = [], category } = findIndicator(name) ?? {};
  const isFree = 'source' in chosen && category !== 'volume';
  return isFree ? chosen.source === 'volume' : inputs.includes('volume');
}

/** Refuses indicators that need a volume, which no recorded series has. Throws BadInput. */
export function checkInputs(entries: readonly Entry[], { name }: ChosenSeries): void {
  const found = entries.find(needsVolume);
  if (found) throw new BadInput(`${found.name} needs a volume, which the series ${name} has not`);
}

/** The question for the rows: those that are shown, those that averages settle in, and the running step. */
export function seriesQuery(
  { name, key, interval }: ChosenSeries,
  entries: readonly Entry[],
  limit: number,
): topics.Query<'series'> {
  const wanted = limit + Math.max(0, ...entries.map(settledAfter)) + 1;
  const params = {
    series: name,
    keys: [key],
    step: interval,
    limit: Math.min(ownRows.most, wanted),
  };
  return { source: topics.historySource, name: 'series', params };
}

/** Whether anything is recorded of a series: zeros alone do not say that there is an asset of that name. */
export function isRecorded(
  { rows: [row] }: topics.Recorded,
  { name, column }: ChosenSeries,
): boolean {
  if (name === 'liquidations') return row?.columns[column]?.some((value) => value) === true;
  return row !== undefined && row.times.length > 0;
}

/**
 * The closed rows as candles: the value closes a candle that opens with the value before it. Rows without a value
 * are left out. `now` is Unix ms.
 */
export function candlesOf(
  { rows, step }: topics.Recorded,
  column: string,
  now: number,
): Uint8Array {
  const [{ times = [], columns = {} } = {}] = rows;
  const values = times.flatMap((timestamp, i) => {
    const close = columns[column]?.[i] ?? null;
    return close === null || timestamp + step > now ? [] : [{ timestamp, close }];
  });
  const candles = values.map(({ timestamp, close }, i) => {
    const open = values[i - 1]?.close ?? close;
    const [low, high] = [Math.min(open, close), Math.max(open, close)];
    return { timestamp, open, high, low, close, volume: 0 };
  });
  return bytesOf(blockOf(candles));
}

const listed = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ');

/** JSON Schema of the field. `readSeriesOf` checks the words, with errors that name them. */
export const seriesSchema: kit.Schema = {
  type: 'object',
  title: 'RecordedSeriesRequest',
  description:
    'A recorded series in the place of candles, of which `name` and `symbol` are needed: a value closes a candle that opens with the value before it; there is no volume.',
  properties: {
    name: { description: `One of ${listed(names)}.` },
    symbol: { description: 'Base asset, or a pair of it.' },
    exchange: {
      description:
        'Exchange id, `binance` when absent; `price` has none. `aggregated` is all of `order-book` together.',
    },
    margin: {
      description: `Of \`open-interest\` and \`funding\`: ${listed(parts.margin)}, the first when absent.`,
    },
    kind: {
      description: `Of \`price\`, \`taker-flow\` and \`order-book\`: ${listed(parts.kind)}, the first when absent.`,
    },
    column: {
      description: `The first when absent, of ${names.map((name) => `\`${name}\`: ${listed(forms[name].columns)}`).join('; ')}.`,
    },
    full: {
      description: 'True for every value of the shown rows; the last ones when absent.',
    },
  },
};
