/** The limits of accounts: the plans of specification 8, and those that `PLANS` sets. */
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { isRecord } from './values.ts';

/** The limits of one plan; null where it sets none. */
export interface Plan {
  readonly name: string;
  /** Of one account, over all its keys and all processes. */
  readonly requestsPerMinute: number | null;
  /** Active keys of one account. */
  readonly keys: number | null;
  /** Requests of one account that may wait for upstreams or for their body at once, in one web process. */
  readonly connections: number | null;
  /** Answers that the streams of one account follow at once, in one web process; no limit when absent. */
  readonly subscriptions?: number | null;
  /** Alert rules of one account; no limit when absent. */
  readonly alerts?: number | null;
}

/**
 * Specification 8 has the first two limits of `free` and `pro`. Their `connections` equal the requests of a minute, so
 * that this limit is never stricter than the specified one. `local` is the plan of the key that `npm start` makes.
 */
const free: Plan = {
  name: 'free',
  requestsPerMinute: 60,
  keys: 5,
  connections: 60,
  subscriptions: 500,
  alerts: 20,
};
const pro: Plan = {
  name: 'pro',
  requestsPerMinute: 600,
  keys: null,
  connections: 600,
  subscriptions: 5_000,
  alerts: 1_000,
};
const local: Plan = { name: 'local', requestsPerMinute: null, keys: null, connections: null };

/** The plans of a service. There is always one named `free`. */
export class Plans {
  #plans: ReadonlyMap<string, Plan>;
  /** The file that states them; null where none does. */
  readonly file: string | null;

  /** The default plans, with `changes` added or in the place of the default of the same name. */
  constructor(changes: readonly Plan[] = [], file: string | null = null) {
    this.file = file;
    this.#plans = new Map([free, pro, local, ...changes].map((plan) => [plan.name, plan]));
  }

  /**
   * Reads the file again whenever it changes, until the function that is returned is called. A file with faults changes nothing:
   * `failed` gets the error of `readPlans`. `interval`: between two looks, ms.
   */
  follow(
    { changed, failed }: { changed(): void; failed(error: unknown): void },
    interval = followEvery,
  ): () => void {
    const { file } = this;
    if (file === null) return () => {};
    const read = () => {
      try {
        this.#plans = readPlans(file).#plans;
        changed();
      } catch (error) {
        failed(error);
      }
    };
    // By its times: an orchestrator replaces the link to a file, which events of the file system do not show.
    watchFile(file, { interval, persistent: false }, read);
    return () => unwatchFile(file, read);
  }

  get names(): string[] {
    return [...this.#plans.keys()];
  }

  has(name: string): boolean {
    return this.#plans.has(name);
  }

  /** A name that is not known, or null, means the plan `free`: an unknown plan never allows more. */
  of(name: string | null): Plan {
    return this.#plans.get(name ?? free.name) ?? this.#plans.get(free.name) ?? free;
  }
}

/** Between two looks at the file of plans, ms. */
const followEvery = 2_000;

/** The plans when `PLANS` is not set. */
export const defaultPlans = new Plans();

const nameForm = /^[a-z][a-z0-9_-]{0,31}$/;
const mostPlans = 50;

/** What `PLANS` must say of every plan, with the least and the largest number. */
const fields = {
  requests_per_minute: [1, 1_000_000_000],
  keys: [0, 1_000_000],
  connections: [1, 1_000_000],
} as const;
/** What it may say, with the same bounds. */
const further = { subscriptions: [1, 10_000_000], alerts: [0, 1_000_000] } as const;
const fieldNames = Object.keys(fields).join(', ');

/**
 * Reads the setting `PLANS`: JSON text, or the path of a file that holds it. Throws an Error when it is neither, and
 * an AggregateError with one Error per fault when plans in it are wrong.
 */
export function readPlans(text: string): Plans {
  const entries = Object.entries(objectIn(text));
  const faults = entries.flatMap(([name, value]) => faultsOf(name, value));
  if (entries.length > mostPlans) faults.push(`there may be ${mostPlans} plans at most`);
  if (faults.length > 0) throw new AggregateError(faults.map((fault) => new Error(fault)));
  return new Plans(
    entries.map(([name, value]) => planOf(name, value)),
    isInline(text) ? null : text,
  );
}

const isInline = (text: string): boolean => text.trimStart().startsWith('{');

function objectIn(text: string): object {
  try {
    const json: unknown = JSON.parse(isInline(text) ? text : readFileSync(text, 'utf8'));
    if (isRecord(json)) return json;
  } catch {
    // Neither JSON nor the path of a file with JSON.
  }
  throw new Error('a JSON object of plans, or the path of a file that holds one');
}

function faultsOf(name: string, value: unknown): string[] {
  const shown = `the plan ${JSON.stringify(name.slice(0, 40))}`;
  if (!nameForm.test(name)) return [`${shown} needs a name of a-z, 0-9, _ and -, a letter first`];
  if (!isRecord(value)) return [`${shown} must be an object with ${fieldNames}`];
  const given = new Map<string, unknown>(Object.entries(value));
  const unknown = [...given.keys()]
    .filter((field) => !Object.hasOwn(fields, field) && !Object.hasOwn(further, field))
    .map((field) => `${shown} has ${JSON.stringify(field.slice(0, 40))}: only ${fieldNames}`);
  const stated = Object.entries(further).filter(([field]) => given.has(field));
  const wrong = [...Object.entries(fields), ...stated]
    .filter(([field, [least, most]]) => !isLimit(given.get(field), least, most))
    .map(
      ([f, [least, most]]) => `${shown} needs ${f}: null or a whole number, ${least} to ${most}`,
    );
  return [...unknown, ...wrong];
}

const isLimit = (value: unknown, least: number, most: number): boolean =>
  value === null || (Number.isInteger(value) && Number(value) >= least && Number(value) <= most);

/** Of a value without faults. */
function planOf(name: string, value: unknown): Plan {
  const limits = new Map<string, unknown>(Object.entries(Object(value)));
  const limit = (field: keyof typeof fields | keyof typeof further): number | null => {
    const given = limits.get(field);
    return typeof given === 'number' ? given : null;
  };
  return {
    name,
    requestsPerMinute: limit('requests_per_minute'),
    keys: limit('keys'),
    connections: limit('connections'),
    ...(limits.has('subscriptions') && { subscriptions: limit('subscriptions') }),
    ...(limits.has('alerts') && { alerts: limit('alerts') }),
  };
}

/** Requests a minute of one account for rows that cost an upstream something; they count in its plan as well. */
export const budgets = { dex: 30 } as const;
export type BudgetName = keyof typeof budgets;
