/** Finds the endpoint at a path of the API, as a client names it. */
import type { Find, PathRequest } from '../endpoints/batch.ts';
import type { Endpoint, Values } from '../endpoints/endpoint.ts';
import { pathNames } from '../endpoints/validate.ts';
import { type ApiError, apiError, isApiError } from '../wire/errors.ts';
import type { Mode } from './topic.ts';

/** An answer that can be followed: an endpoint with checked values. */
export interface Target {
  endpoint: Endpoint;
  values: Values;
  /** Equal for equal answers, whatever the order or case of the parameters. */
  key: string;
}

/** The symbols that `symbol=*` means. */
export interface SymbolList {
  all(): Iterable<string>;
  /** Calls `listener` after there is a new one. */
  listen(listener: () => void): void;
}

interface Pattern {
  endpoint: Endpoint;
  /** The segments of the path; null for a path parameter. */
  segments: readonly (string | null)[];
}

const notStreamed =
  'only market data can be followed (views, documents, series, order books); ask for this path by HTTP';
const notFresh = apiError('bad_parameter', 'max_age and wait are not for streams');
const notJson = apiError(
  'bad_parameter',
  'format must be json here: the answer is part of a JSON text',
);
const noGlob = apiError(
  'bad_parameter',
  'symbol=* and exchange=* are for answers from memory by symbol or exchange',
);

/** Values of the path parameters as they stand in `path`; null when the pattern is of another path. */
function segmentsOf({ segments }: Pattern, path: string): string[] | null {
  const given = path.split('/');
  if (given.length !== segments.length) return null;
  const values: string[] = [];
  for (const [i, segment] of segments.entries()) {
    if (segment === null) values.push(given[i] ?? '');
    else if (segment !== given[i]) return null;
  }
  return values;
}

const patternOf = (endpoint: Endpoint): Pattern => ({
  endpoint,
  segments: endpoint.row.path.split('/').map((part) => (part.startsWith('{') ? null : part)),
});

const mayFollow = ({ row }: Endpoint) =>
  row.method === 'GET' && row.local !== true && row.access !== 'bearer';

/** The answer of an endpoint to checked values. */
export function targetOf(endpoint: Endpoint, values: Values): Target {
  const sorted = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return { endpoint, values, key: endpoint.row.path + JSON.stringify(sorted) };
}

function checkedOf(
  endpoint: Endpoint,
  { query, segments }: { query: string; segments: readonly string[] },
): PathRequest | ApiError {
  const checked = endpoint.check(query, segments);
  if (isApiError(checked)) return checked;
  const [unknown] = checked.unknown;
  if (unknown !== undefined) {
    return apiError('bad_parameter', `there is no parameter ${JSON.stringify(unknown)}`);
  }
  const { values, freshness, format, isPast } = checked;
  return format === null || format === 'json' ? { endpoint, values, freshness, isPast } : notJson;
}

/** Parameters that may be `*`. */
const globNames = ['symbol', 'exchange'] as const;

/** The paths of the GET endpoints of one server. */
export class Paths {
  readonly #patterns: readonly Pattern[];
  readonly #symbols: () => Iterable<string>;

  /** `symbols`: those that `symbol=*` means. */
  constructor(endpoints: readonly Endpoint[], symbols: () => Iterable<string>) {
    const named = ({ endpoint }: Pattern) => pathNames(endpoint.row.path).length;
    this.#patterns = endpoints
      .filter(mayFollow)
      .map(patternOf)
      .sort((a, b) => named(a) - named(b));
    this.#symbols = symbols;
  }

  /** The row at `path`, a path of the API with its query. */
  readonly find: Find = (path) => {
    const [place = '', query = ''] = path.split(/\?(.*)/s, 2);
    for (const pattern of this.#patterns) {
      const segments = segmentsOf(pattern, place);
      if (segments !== null) return checkedOf(pattern.endpoint, { query, segments });
    }
    const message = `there is nothing at the path ${JSON.stringify(place.slice(0, 64))}`;
    return apiError('not_found', message);
  };

  /** The answer at `path` that can be followed in a mode. */
  resolve(path: string, mode: Mode = 'full'): Target | ApiError {
    const found = this.find(path);
    if (isApiError(found)) return found;
    const { endpoint, values, freshness } = found;
    if (freshness !== undefined) return notFresh;
    const { run, row } = endpoint;
    const isAsked = 'later' in run && 'query' in row.from && row.budget === undefined;
    const isLog = 'act' in run && run.log !== undefined && mode === 'log';
    if (!('now' in run) && !isAsked && !isLog) return apiError('bad_parameter', notStreamed);
    return targetOf(endpoint, values);
  }

  /** A path with `symbol=*` or `exchange=*`, the same however it is spelled; null for one that is no pattern. */
  patternAt(path: string): string | null {
    const glob = this.#globOf(path);
    return glob === null || isApiError(glob) ? null : `${glob.place}?${glob.given}`;
  }

  /** How many paths `expand` would give, at a cost that does not grow with them; null for a path without an asterisk. */
  count(path: string, max: number): number | null {
    const glob = this.#globOf(path);
    if (glob === null || isApiError(glob)) return null;
    const sizes = glob.names.map((name) => this.#wordsOf(glob.endpoint, name, max).length);
    return Math.min(
      max,
      sizes.reduce((product, size) => product * size, 1),
    );
  }

  /** The paths that a path with `symbol=*` or `exchange=*` means, `most` at most, made as they are read; null for one without. */
  expand(path: string, max: number): Iterable<string> | ApiError | null {
    const glob = this.#globOf(path);
    if (glob === null || isApiError(glob)) return glob;
    const { place, given, names, endpoint } = glob;
    const words = names.map((name) => [name, this.#wordsOf(endpoint, name, max)] as const);
    return pathsOf(place, variants(given, words), max);
  }

  /** What a pattern's parameter means, `most` words at most. */
  #wordsOf({ row }: Endpoint, name: string, max: number): readonly string[] {
    const words: string[] = [];
    for (const word of row.params[name]?.enum ?? this.#symbols()) {
      if (words.length >= max) break;
      words.push(String(word));
    }
    return words;
  }

  #globOf(path: string) {
    if (!path.includes('*') && !path.toUpperCase().includes('%2A')) return null;
    const [place = '', query = ''] = path.split(/\?(.*)/s, 2);
    const given = new URLSearchParams(query);
    given.delete('');
    given.sort();
    const names = globNames.filter((name) => given.get(name) === '*');
    if (names.length === 0) return null;
    const pattern = this.#patterns.find((one) => segmentsOf(one, place) !== null);
    if (pattern === undefined || !('now' in pattern.endpoint.run)) return noGlob;
    const { params } = pattern.endpoint.row;
    if (names.some((name) => !Object.hasOwn(params, name))) return noGlob;
    return { place, given, names, endpoint: pattern.endpoint };
  }
}

/** Each combination of the words of some parameters, made when it is read. */
function* variants(
  given: URLSearchParams,
  [first, ...rest]: readonly (readonly [string, readonly string[]])[],
): Generator<URLSearchParams> {
  if (first === undefined) {
    yield given;
    return;
  }
  const [name, words] = first;
  for (const word of words) yield* variants(replaced(given, name, word), rest);
}

function* pathsOf(place: string, queries: Iterable<URLSearchParams>, max: number) {
  let left = max;
  for (const query of queries) {
    if (left-- <= 0) return;
    yield `${place}?${query}`;
  }
}

function replaced(given: URLSearchParams, name: string, value: string): URLSearchParams {
  const copy = new URLSearchParams(given);
  copy.set(name, value);
  return copy;
}
