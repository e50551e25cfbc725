/** Bodies with a hole: a single value that has become an empty string, or null. */
import { isRecord, optional } from '../../../actors/read.ts';

type Path = readonly (string | number)[];

/** One place, with each of the holes there can be in it. */
export interface Holes {
  /** For messages. */
  at: string;
  /** False where the value belongs to the body as a whole, which may then be refused. */
  inRow: boolean;
  /** True where there was a number, in whatever form. */
  wasNumber: boolean;
  /** The bodies with an empty string there, and with null. */
  variants: unknown[][];
}

const isScalar = (value: unknown) => typeof value !== 'object' || value === null;

/** Keys and values of an object or a list; those of a list are numbers. */
const entriesOf = (value: unknown): [string | number, unknown][] => {
  if (Array.isArray(value)) return [...value.entries()];
  return isRecord(value) ? Object.entries(value) : [];
};

function* scalars(value: unknown, path: Path = []): Generator<Path> {
  for (const [key, inner] of entriesOf(value)) {
    if (isScalar(inner)) yield [...path, key];
    else yield* scalars(inner, [...path, key]);
  }
}

/** Every value of the objects and lists that name the market among their own values, or that lie under its name. */
function* scalarsAbout(market: string, value: unknown, path: Path = []): Generator<Path> {
  const entries = entriesOf(value);
  const named = String(path.at(-1)) === market;
  if (named || entries.some(([, inner]) => isScalar(inner) && String(inner) === market)) {
    yield* scalars(value, path);
    return;
  }
  for (const [key, inner] of entries) {
    if (!isScalar(inner)) yield* scalarsAbout(market, inner, [...path, key]);
  }
}

/** The value with another at the end of the path; what does not lie on the path is shared. */
function replaced(value: unknown, [key, ...rest]: Path, leaf: unknown): unknown {
  if (key === undefined) return leaf;
  if (Array.isArray(value)) {
    return value.map((inner, i) => (i === key ? replaced(inner, rest, leaf) : inner));
  }
  return isRecord(value) ? { ...value, [key]: replaced(value[key], rest, leaf) } : value;
}

/** Most places that are tried: so many of the first ones, and of the last. */
const most = { first: 40, last: 20 };

const some = (paths: readonly Path[]): readonly Path[] => {
  const { first, last } = most;
  if (paths.length <= first + last) return paths;
  return [...paths.slice(0, first), ...paths.slice(-last)];
};

/** The first key of a path is the place among the bodies. */
const isInRow = (path: Path) => path.slice(1).some((key) => typeof key === 'number');

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => new Map(entriesOf(inner)).get(key), value);

const holesAt = (
  bodies: readonly unknown[],
  paths: Iterable<Path>,
  inRow: (path: Path) => boolean,
): Holes[] =>
  some([...paths]).map((path) => ({
    at: path.join('.'),
    inRow: inRow(path),
    wasNumber: optional(valueAt(bodies, path)) !== null,
    variants: ['', null].map((leaf) =>
      entriesOf(replaced(bodies, path, leaf)).map(([, body]) => body),
    ),
  }));

/** In what bodies say about a market; nothing where no row names it. */
export const holesAbout = (market: string, bodies: readonly unknown[]): Holes[] =>
  holesAt(bodies, scalarsAbout(market, bodies), () => true);

/** Anywhere. */
export const holes = (bodies: readonly unknown[]): Holes[] =>
  holesAt(bodies, scalars(bodies), isInRow);
