/** What the text of a parameter stands for. */
import { listedWord } from '../../indicators/words.ts';
import type { Param } from './route.ts';
import { isoTime } from './times.ts';

/** Decimal notation; small numbers also as programs write them (`5e-9`, `5e-09`). The coercion of ajv would accept ` 5` and `0x10` too. */
const notation = {
  integer: /^(?:0|-?[1-9]\d*)$/,
  number: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e-?\d{1,3})?$/i,
};

/** A time in its unit: what would lie thousands of years ahead is in the next smaller one, as Binance takes microseconds. */
const inUnit = (value: number, time: 'ms' | 's'): number =>
  value >= (time === 's' ? 1e11 : 1e14) ? Math.floor(value / 1_000) : value;

/** The number in a text, or the text itself, which the schema then refuses. */
export function typed(text: string, { type, time }: Pick<Param, 'type' | 'time'>): string | number {
  if (type === 'string') return text;
  const moment = time ? isoTime(text) : NaN;
  if (!Number.isNaN(moment)) return time === 's' ? Math.floor(moment / 1000) : moment;
  if (!notation[type].test(text)) return text;
  const value = Number(text);
  if (type === 'integer' && !Number.isSafeInteger(value)) return text;
  return time ? inUnit(value, time) : value;
}

/** How many clients write 1 and 0. */
const truths: ReadonlyMap<string, string> = new Map([
  ['true', '1'],
  ['false', '0'],
]);

/** A text in the form of its parameter: a word of the enum in any case becomes that word, and so do `true` and `false` where 1 and 0 are words. */
export function asEnumWord(text: string, param: Param | undefined): string {
  if (param?.enum === undefined) return text;
  const word = listedWord(param.enum, text);
  if (word !== undefined) return word;
  return listedWord(param.enum, truths.get(text.toLowerCase()) ?? text) ?? text;
}
