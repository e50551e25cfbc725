/** The boundary of the indicators: what a caller wrote, turned into entries with every parameter chosen. */
import { findIndicator, nearest } from './catalogue.ts';
import type { Chosen, Indicator, Parameter } from './spec.ts';
import { listedWord } from './words.ts';

/** One indicator to compute, under the name that the answer gives it. */
export interface Entry {
  /** Unique within a request. */
  readonly id: string;
  /** Of the catalogue, never an alias. */
  readonly name: string;
  readonly chosen: Chosen;
}

/** Thrown for input that cannot be used; the message is for the caller and names what is allowed. */
export class BadInput extends Error {
  override name = 'BadInput';
}

/** Indicators in one request at most. */
export const mostEntries = 50;

const idForm = /^[\w.:,#-]{1,64}$/;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text of a caller's that goes into a message: short, so that no answer grows with its question. */
const quoted = (text: string): string =>
  JSON.stringify(text.length > 32 ? `${text.slice(0, 32)}…` : text);

/** What a parameter may be, in words that continue `must be`. */
function allowed(parameter: Parameter): string {
  if (parameter.type === 'word') return `one of ${parameter.allowed.join(', ')}`;
  const noun = parameter.type === 'integer' ? 'a whole number' : 'a number';
  return `${noun} from ${parameter.minimum} to ${parameter.maximum}`;
}

/** The value if it is one of the parameter's, else null. Words may be given as JSON booleans. */
function fitting(parameter: Parameter, value: unknown): number | string | null {
  if (parameter.type === 'word') {
    const word = typeof value === 'boolean' ? String(value) : value;
    return typeof word === 'string' ? (listedWord(parameter.allowed, word) ?? null) : null;
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  if (parameter.type === 'integer' && !Number.isInteger(value)) return null;
  return value >= parameter.minimum && value <= parameter.maximum ? value : null;
}

/** Parameters as given, by name: the defaults complete them. */
type Given = ReadonlyMap<string, unknown>;

function choose(indicator: Indicator, given: Given, where: string): Chosen {
  const names = Object.keys(indicator.parameters);
  for (const name of given.keys()) {
    if (names.includes(name)) continue;
    const all = names.length === 0 ? 'none' : names.join(', ');
    throw new BadInput(
      `${where}: ${indicator.name} has no parameter ${quoted(name)}; it has ${all}`,
    );
  }
  const chosen = Object.entries(indicator.parameters).map(([name, parameter]) => {
    const value = given.has(name) ? fitting(parameter, given.get(name)) : parameter.default;
    if (value !== null) return [name, value] as const;
    throw new BadInput(`${where}: ${name} of ${indicator.name} must be ${allowed(parameter)}`);
  });
  return Object.fromEntries(chosen);
}

function find(name: string, where: string): Indicator {
  const found = findIndicator(name);
  if (found) return found;
  throw new BadInput(
    `${where}: there is no indicator ${quoted(name)}, the nearest is ${nearest(name)}; GET /v1/indicators/catalogue lists all`,
  );
}

/** Plain decimal notation; what else is written is a word. */
const numeric = /^-?\d+(\.\d+)?$/;

/** An entry before it has an id; `wanted` is the caller's own. */
interface Draft {
  written: string;
  wanted: string | null;
  indicator: Indicator;
  given: Given;
  chosen: Chosen;
}

/** `rsi`, or `macd:8,21,5` with parameters in the order of the catalogue. */
function readText(text: string, where: string): Draft {
  const cut = text.indexOf(':');
  const written = cut < 0 ? text : text.slice(0, cut);
  const indicator = find(written, where);
  const names = Object.keys(indicator.parameters);
  const values = cut < 0 ? [] : text.slice(cut + 1).split(',');
  if (values.length > names.length) {
    throw new BadInput(
      `${where}: ${indicator.name} has ${names.length} parameters, not ${values.length}`,
    );
  }
  const given = new Map(
    values.map((value, i) => [names[i] ?? '', numeric.test(value) ? Number(value) : value]),
  );
  return {
    written,
    wanted: null,
    indicator,
    given,
    chosen: choose(indicator, given, where),
  };
}

/** `{name, id?, length: 200}` or `{name, id?, params: {length: 200}}`. */
function readRecord(record: Record<string, unknown>, where: string): Draft {
  const { name, id, params, ...inline } = record;
  if (typeof name !== 'string') throw new BadInput(`${where}: name must be that of an indicator`);
  if (params !== undefined && !isRecord(params)) {
    throw new BadInput(`${where}: params must be an object of parameters`);
  }
  if (id !== undefined && (typeof id !== 'string' || !idForm.test(id))) {
    throw new BadInput(`${where}: id must be 1 to 64 letters, digits or any of . : , # _ -`);
  }
  const indicator = find(name, where);
  const given = new Map(Object.entries({ ...inline, ...params }));
  const chosen = choose(indicator, given, where);
  return { written: name, wanted: id ?? null, indicator, given, chosen };
}

function readDraft(entry: unknown, where: string): Draft {
  if (typeof entry === 'string') return readText(entry, where);
  if (isRecord(entry)) return readRecord(entry, where);
  throw new BadInput(
    `${where} must be a name such as "rsi" or an object such as {"name":"ema","length":200}`,
  );
}

/** `ema_200`: the name as written, and the parameters up to the last one that was given. */
function madeId({ written, indicator, given, chosen }: Draft): string {
  const names = Object.keys(indicator.parameters);
  const last = names.findLastIndex((name) => given.has(name));
  const values = names.slice(0, last + 1).map((name) => chosen[name]);
  return [written.toLowerCase(), ...values].join('_');
}

function nameAll(drafts: readonly Draft[]): Entry[] {
  const taken = new Set<string>();
  for (const { wanted } of drafts) {
    if (wanted === null) continue;
    if (taken.has(wanted)) throw new BadInput(`indicators: the id ${quoted(wanted)} is used twice`);
    taken.add(wanted);
  }
  return drafts.map((draft) => {
    const { wanted, indicator, chosen } = draft;
    let id = wanted ?? madeId(draft);
    // `#2`, because `rsi_2` is what an RSI of length 2 is called.
    for (let i = 2; wanted === null && taken.has(id); i++) id = `${madeId(draft)}#${i}`;
    taken.add(id);
    return { id, name: indicator.name, chosen };
  });
}

/**
 * The entries of a request: names, with positional parameters or none, and objects. Ids that the caller does not give
 * are made from the name and the parameters. Throws BadInput, which names the entry.
 */
export function readEntries(list: unknown): Entry[] {
  if (!Array.isArray(list) || list.length < 1 || list.length > mostEntries) {
    throw new BadInput(`indicators must be a list of 1 to ${mostEntries} indicators`);
  }
  return nameAll(list.map((entry: unknown, i) => readDraft(entry, `indicators[${i}]`)));
}
