/** Numbers and times as people read them. A null is a dash: it is not known. */
import { decimalsOf } from '../../../indicators/digits.ts';
import { zone } from './settings.ts';

export const dash = '–';

const formats = new Map<number, Intl.NumberFormat>();

/** The format of decimals with so many places. */
function formatOf(places: number): Intl.NumberFormat {
  const known = formats.get(places);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(undefined, {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
    signDisplay: 'negative',
  });
  formats.set(places, made);
  return made;
}

/** False for null, and for what a division by zero gives. */
const isKnown = (value: number | null): value is number => Number.isFinite(value);

/** A decimal with so many places. What rounds to nothing has no sign. */
export const fixed = (value: number | null, places: number): string =>
  isKnown(value) ? formatOf(places).format(value).replace('-', '−') : dash;

/** A whole number. */
export const count = (value: number | null): string => fixed(value, 0);

/** A part of a whole, as percent. */
export const share = (part: number | null, places = 1): string =>
  part === null ? dash : `${fixed(part * 100, places)} %`;

/** A rate per hours, as percent with its sign: most have four places. */
export const rate = (part: number | null): string => percent(part === null ? null : part * 100, 4);

const point = formatOf(1).format(1.5).replaceAll(/\d/g, '');
const decimals = new RegExp(`[${point}](\\d+)`);

/** Numbers beside each other on a scale: with the decimals that tell them apart, and none where it is as the one before. */
export function trimDecimals(texts: readonly string[]): string[] {
  const needed = texts.map((text) => (decimals.exec(text)?.[1] ?? '').replace(/0+$/, '').length);
  const most = Math.max(0, ...needed);
  return texts.map((text, at) => {
    if (text === texts[at - 1]) return '';
    return text.replace(decimals, (_, digits: string) =>
      most === 0 ? '' : `${point}${digits.slice(0, most)}`,
    );
  });
}

/** A number with all the digits that it has, twelve at most. */
export const plain = (value: number): string => fixed(value, decimalsOf(value));

/** Places behind the point with which a price shows five digits. */
export const placesOf = (price: number): number =>
  price >= 10_000
    ? 1
    : price >= 1
      ? 2 + Math.max(0, 2 - Math.floor(Math.log10(price)))
      : Math.min(10, 4 - Math.floor(Math.log10(price || 1)));

export const price = (value: number | null): string =>
  isKnown(value) ? fixed(value, placesOf(Math.abs(value))) : dash;

const steps = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const;

/** What rounds to a thousand of a letter, with one decimal or with none, is one of the next: 999,960 is 1.00 M. */
const firstOf = (step: number): number => step - (step === 1e3 ? 0.5 : step * 5e-5);

/** A large amount with three or four digits and a letter for its size. */
export function compact(value: number | null): string {
  if (!isKnown(value)) return dash;
  const size = Math.abs(value);
  for (const [step, letter] of steps) {
    if (size >= firstOf(step)) {
      const part = value / step;
      return `${fixed(part, Math.abs(part) >= 100 ? 1 : 2)} ${letter}`;
    }
  }
  return fixed(value, size >= 100 || size === 0 ? 0 : 2);
}

/** A change with its sign. */
export function percent(value: number | null, places = 2): string {
  if (!isKnown(value)) return dash;
  const text = fixed(Math.abs(value), places);
  const isZero = !/[1-9]/.test(text);
  return `${isZero ? '' : value > 0 ? '+' : '−'}${text} %`;
}

/** Which way a number points; what rounds to nothing points nowhere. */
export const signOf = (value: number | null, least = 0.005): 'up' | 'down' | '' =>
  value === null || Math.abs(value) < least ? '' : value > 0 ? 'up' : 'down';

/** A time that has passed. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

const day = { month: '2-digit', day: '2-digit' } as const;
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const timeForms = {
  time: { ...clock, second: '2-digit' },
  hour: clock,
  date: { ...day, year: 'numeric' },
  minute: { ...day, ...clock, year: 'numeric' },
  day: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

const times = new Map<string, Intl.DateTimeFormat>();

/** Words of the service with their moments as people read them. */
export const withTimes = (text: string): string =>
  text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (iso) => time(Date.parse(iso), 'minute'));

/** A moment, Unix ms, to the minute. */
export const moment = (ms: number): string => time(ms, 'minute');

/** A moment, Unix ms, with its time zone, for what leaves the page. */
export const stamp = (ms: number): string =>
  `${moment(ms)} ${zone.get() === 'UTC' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone}`;

/** A day of the calendar, such as `2026-12-04`: it is the same in every time zone. */
export const dayText = (date: string): string => time(Date.parse(date), 'date', 'UTC');

/** A moment, Unix ms, in the time zone that was chosen, or in UTC. */
export function time(ms: number, form: keyof typeof timeForms, of = zone.get()): string {
  const timeZone = of === 'UTC' ? 'UTC' : undefined;
  const name = `${form} ${timeZone}`;
  let format = times.get(name);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(undefined, { ...timeForms[form], timeZone });
    times.set(name, format);
  }
  return format.format(ms);
}
