/** Compares what a simulated venue answers with what the real one was recorded to answer. */
import { isRecord } from '../../actors/read.ts';

/** Keys, at any depth, at which an answer of ours may differ from the recorded one. */
export interface Allowed {
  /** Ours has them; the recording is older or shortened. */
  newer?: readonly string[];
  /** The recording has them; answers of today, or of this market, do not. */
  older?: readonly string[];
  /** Keys of lists of words (such as orderTypes), which may be of any length. */
  words?: RegExp;
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
};

const isRow = (list: readonly unknown[]): boolean =>
  list.every((value) => typeof value !== 'object' || value === null);

type List = readonly unknown[];
type Keys = Readonly<Record<string, unknown>>;
type Pair<T> = readonly [real: T, ours: T];

const isWords = ({ words }: Allowed, path: string): boolean =>
  words?.test(path.split('.').at(-1) ?? '') ?? false;

function* row([real, ours]: Pair<List>, allowed: Allowed, path: string): Generator<string> {
  if (real.length !== ours.length) yield `${path}: ${ours.length} values for ${real.length}`;
  for (const [i, value] of real.entries()) {
    yield* compare([value, ours[i]], allowed, `${path}[${i}]`);
  }
}

function* lists([real, ours]: Pair<List>, allowed: Allowed, path: string): Generator<string> {
  const anyLength = isWords(allowed, path);
  if (real.length > 0 && ours.length > 0) {
    if (!anyLength && (isRow(real) || isRow(ours))) yield* row([real, ours], allowed, path);
    else yield* compare([real[0], ours[0]], allowed, `${path}[]`);
  } else if (real.length !== ours.length && !anyLength) {
    yield `${path}: ${ours.length === 0 ? 'empty' : 'not empty'}`;
  }
}

function* records([real, ours]: Pair<Keys>, allowed: Allowed, path: string): Generator<string> {
  const { newer = [], older = [] } = allowed;
  for (const key of Object.keys(ours)) {
    if (!(key in real) && !newer.includes(key)) yield `${path}.${key}: added`;
  }
  for (const [key, value] of Object.entries(real)) {
    if (key in ours) yield* compare([value, ours[key]], allowed, `${path}.${key}`);
    else if (!older.includes(key)) yield `${path}.${key}: missing`;
  }
}

function* compare([real, ours]: Pair<unknown>, allowed: Allowed, path: string): Generator<string> {
  const [theirType, type] = [typeOf(real), typeOf(ours)];
  if (theirType !== type) yield `${path}: ${type}, not ${theirType}`;
  else if (Array.isArray(real) && Array.isArray(ours)) yield* lists([real, ours], allowed, path);
  else if (isRecord(real) && isRecord(ours)) yield* records([real, ours], allowed, path);
}

/**
 * Paths at which `ours` lacks or adds a key or has another type than `real`; empty when nothing
 * differs. Of a list of objects or lists the first row stands for all; a list of plain values is a
 * row, compared value by value, of the same length. An empty list is like an empty one only.
 */
export const differences = (real: unknown, ours: unknown, allowed: Allowed = {}): string[] => [
  ...compare([real, ours], allowed, '$'),
];
