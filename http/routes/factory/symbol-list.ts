/** Several symbols in one request: the parameter `symbols`, and the answer for them. */
import * as s from '../../../actors/topics/schema.ts';
import { jsonMap, jsonText, jsonWith } from '../../answers/json.ts';
import { JsonEntry, JsonText } from '../../answers/json-text.ts';
import type { Param } from '../../endpoints/route.ts';
import { meaningsOf } from '../../views/markets.ts';
import { type ApiError, apiError, isApiError } from '../../wire/errors.ts';

/** Most symbols of one request, and the longest one. */
export const symbolLimits = { symbols: 100, characters: 32 } as const;

export const symbols = {
  type: 'string',
  maxLength: symbolLimits.symbols * (symbolLimits.characters + 1),
  description: `Base assets with commas between them, at most ${symbolLimits.symbols}, instead of \`symbol\`.`,
} as const satisfies Param;

/** The symbols of a list, in upper case, each once. */
export function symbolsOf(list: string, symbol: string | undefined): string[] | ApiError {
  if (symbol !== undefined) return apiError('bad_parameter', 'give symbol or symbols, not both');
  const names = [...new Set(list.split(',').map((name) => name.trim().toUpperCase()))];
  if (names.some((name) => name === '' || name.length > symbolLimits.characters)) {
    return apiError('bad_parameter', 'symbols must be base assets with commas between them');
  }
  if (names.length <= symbolLimits.symbols) return names;
  return apiError(
    'bad_parameter',
    `symbols may be ${symbolLimits.symbols} at most, not ${names.length}`,
  );
}

/** The symbols that a request can be about; undefined for all, and none for a list that is not valid. */
export function meantBy(
  list: string | undefined,
  symbol: string | undefined,
): readonly string[] | undefined {
  if (list === undefined) return symbol === undefined ? undefined : meaningsOf(symbol);
  const names = symbolsOf(list, symbol);
  return isApiError(names) ? [] : [...new Set(names.flatMap(meaningsOf))];
}

const missing = s.named(
  'MissingSymbol',
  s.object({
    symbol: s.string('Base asset, as asked.'),
    code: s.oneOf(['unknown_symbol', 'warming_up'], 'Which error it is.'),
    message: s.string('The fault, in words.'),
  }),
);

/** The answer for several symbols; `one` is that for one of them. */
export const symbolsSchema = <S extends s.TSchema>(title: string, one: S) =>
  s.named(
    title,
    s.object({
      count: s.integer('Symbols that were found.'),
      symbols: s.mapOf(one, 'symbol to its answer, as `symbol` gives it'),
      missing: s.list(missing, 'Symbols without an answer, and why.'),
    }),
  );
export type Several<One> = {
  count: number;
  symbols: Readonly<Record<string, One>>;
  missing: readonly s.Static<typeof missing>[];
};

type Part<One> = JsonText<One> | ApiError;

/** The answer for several symbols out of theirs; the error of the first where none has an answer. */
export function severalText<One>(
  names: readonly string[],
  parts: readonly Part<One>[],
): JsonText<Several<One>> | ApiError {
  const found: JsonEntry<One>[] = [];
  const absent: Several<One>['missing'][number][] = [];
  let asOf = 0;
  for (const [i, part] of parts.entries()) {
    const symbol = names[i] ?? '';
    if (part instanceof JsonText) {
      found.push(new JsonEntry(`${JSON.stringify(symbol)}:${part.text}`));
      asOf = Math.max(asOf, part.asOf ?? 0);
    } else {
      const code = part.error === 'unknown_symbol' ? part.error : 'warming_up';
      absent.push({ symbol, code, message: part.message });
    }
  }
  const first = parts.find((part) => !(part instanceof JsonText));
  if (found.length === 0 && first !== undefined && isApiError(first)) return first;
  const head = jsonText({ count: found.length, missing: absent }, asOf > 0 ? asOf : null);
  return jsonWith(head, 'symbols', jsonMap(found));
}
