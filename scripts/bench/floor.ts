/** What reading a body costs at the least: many exchanges write numbers as texts, which JSON.parse does not read. */
import { inTurns, printTable } from './report.ts';

const isNumber = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && Number.isFinite(Number(value));

/** A value that tells which of its texts are read; `found` takes each of them once. */
function watched(value: unknown, found: Map<string, string>, path = ''): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const inner: unknown = Reflect.get(target, key);
      const at = `${path}/${String(key)}`;
      if (isNumber(inner)) found.set(at, inner);
      return typeof inner === 'function' ? inner : watched(inner, found, at);
    },
  });
}

/** The texts of numbers that `read` reads of a value, as JSON.parse makes them. */
export function numbersRead(value: unknown, read: (watched: unknown) => unknown): string[] {
  const found = new Map<string, string>();
  read(watched(value, found));
  return [...found.values()];
}

/** Bodies or frames of one kind. */
export interface Sample {
  name: string;
  /** JSON.parse of all of them. */
  json(): unknown;
  /** The texts that their parser reads as numbers (`numbersRead`). */
  texts(): string[];
}

function sumOf(texts: readonly string[]): number {
  let sum = 0;
  for (const text of texts) sum += Number(text);
  return sum;
}

/**
 * Prints what JSON.parse and `Number` cost of each. To be called last: the compiler makes slower code of a parser that has
 * met a watched value.
 */
export function printFloors(samples: readonly Sample[]): void {
  const read = samples.map((sample) => sample.texts());
  const rows = samples.map(({ name, json }, i) => {
    const texts = read[i] ?? [];
    const [, floor] = inTurns([json, () => [json(), sumOf(texts)]]);
    return [name, String(texts.length), floor?.ratio ?? 0];
  });
  printTable(
    'The floor of these: JSON.parse and a bare loop of Number() over the texts that ours reads, to JSON.parse',
    [['', 'texts', 'floor'], ...rows],
  );
}
