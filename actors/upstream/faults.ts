/** How upstreams state their own errors, as tables, and the one function that reads them. */
import type { Failure, FailureCode } from '../failure.ts';
import { asRow, isRow, type WireRow } from '../read.ts';

/** Conditions on the message of an error, its code and its status; absent ones are not checked. */
export interface FaultPattern {
  code?: RegExp;
  text?: RegExp;
  status?: number;
  means: FailureCode;
}

/** One form in which an upstream refuses. Paths are keys joined by dots: `error.code`, `errors.0.param`. */
export interface FaultTable {
  /** The upstream, in the message of the failure: `OKX error 51001`. */
  name: string;
  /** Where its code stands, a text or a number: the first of the paths that holds one counts. */
  at?: string | readonly string[];
  /** The type of its code, where a value of the other type is not a code of this upstream. */
  type?: 'string' | 'number';
  /**
   * True for a body that is an error, with a code or without. When absent, every body that has a code is one. `whole` is
   * the body where it may be null or undefined; `body` is then empty.
   */
  when?(body: WireRow, status: number, whole: unknown): boolean;
  /** Codes that mean success. */
  ok?: readonly (string | number)[];
  /** The meaning of each code. A code with colons is looked up whole, then by its parts before each colon. */
  codes?: Readonly<Record<string | number, FailureCode>>;
  /** Where a text for `patterns` stands: the first of the paths that holds one counts. */
  message?: string | readonly string[];
  /** For codes that mean nothing alone; the first that fits counts. */
  patterns?: readonly FaultPattern[];
  /** The meaning of all other errors; the status decides when absent. */
  means?: FailureCode;
  /** How long to be silent after an error of this meaning, ms, where the upstream documents it. */
  retryAfter?: Readonly<Partial<Record<FailureCode, number>>>;
}

/** The forms in which an upstream refuses; the first that fits counts. */
export type Faults = FaultTable | readonly FaultTable[];

/** The meaning of a status by itself; undefined for a success. */
export function statusCode(status: number): FailureCode | undefined {
  if (status === 429) return 'rate_limited';
  if (status === 418) return 'banned';
  if (status === 403 || status === 451) return 'blocked';
  if (status >= 500 || status === 408 || status === 425) return 'unavailable';
  return status >= 300 ? 'refused' : undefined;
}

export const asksForSilence = (code: FailureCode | undefined): boolean =>
  code === 'rate_limited' || code === 'banned';

const valueAt = (body: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (isRow(value) ? value[key] : undefined), body);

/** The first text or number at one of the paths, as text; '' without one. */
function textAt(
  body: unknown,
  paths: string | readonly string[] = [],
  type?: FaultTable['type'],
): string {
  const isText = (value: unknown) =>
    typeof value === 'number' ? type !== 'string' : typeof value === 'string' && type !== 'number';
  const values = [paths].flat().map((path) => valueAt(body, path));
  return `${values.find((value) => isText(value) && value !== '') ?? ''}`;
}

/** The meaning of the code: looked up whole, then without its part after the last colon, and so on. */
function meaningOf(code: string, codes: FaultTable['codes'] = {}): FailureCode | undefined {
  for (let name = code; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf(':')))) {
    if (Object.hasOwn(codes, name)) return codes[name];
  }
  return undefined;
}

function codeOf(table: FaultTable, status: number, code: string, body: unknown): FailureCode {
  const text = textAt(body, table.message);
  const pattern = table.patterns?.find(
    (one) =>
      (one.code?.test(code) ?? true) &&
      (one.text?.test(text) ?? true) &&
      (one.status === undefined || one.status === status),
  );
  const byStatus = statusCode(status);
  const stated = meaningOf(code, table.codes) ?? pattern?.means ?? table.means;
  if (byStatus && asksForSilence(byStatus) && !asksForSilence(stated)) return byStatus;
  return stated ?? byStatus ?? 'refused';
}

/** Codes as upstreams document them; the part after the second colon may repeat input of a client. */
const shown = (code: string): string => {
  const name = code.split(':', 2).join(':');
  return /^[\w .:-]{1,60}$/.test(name) ? ` ${name}` : '';
};

function readTable(table: FaultTable, status: number, body: unknown): Failure | null {
  const code = textAt(body, table.at, table.type);
  const isError = table.when ? table.when(asRow(body), status, body) : code !== '';
  if (!isError || table.ok?.some((one) => `${one}` === code)) return null;
  const means = codeOf(table, status, code, body);
  const retryAfter = table.retryAfter?.[means];
  const message = `${table.name} error${shown(code)}`;
  return { code: means, message, status, ...(retryAfter !== undefined && { retryAfter }) };
}

/** The error of an API in an answer of it, or null when the answer is not an error that it defines. */
export function readFault(
  { faults = [] }: { faults?: Faults },
  status: number,
  body: unknown,
): Failure | null {
  for (const table of [faults].flat()) {
    const failure = readTable(table, status, body);
    if (failure) return failure;
  }
  return null;
}
