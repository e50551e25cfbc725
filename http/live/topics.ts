/** The answers that clients follow. */
import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import type { Find, Found } from '../batch.ts';
import type { Endpoint, Values } from '../endpoint.ts';
import { type ApiError, apiError, isApiError } from '../errors.ts';
import type { Snapshot } from '../snapshots.ts';
import { pathNames } from '../validate.ts';
import { mergePatch } from './patch.ts';

/** An answer in memory: an endpoint that is a view, with checked values. */
export interface Target {
  endpoint: Endpoint;
  values: Values;
  /** Equal for equal answers, whatever the order or case of the parameters. */
  key: string;
}

/** What a topic calls after each change. */
export interface Follower {
  changed(): void;
}

/** Most topics that are followed at once. */
const mostTopics = 20_000;

const notStreamed =
  'only answers from memory can be followed (views and documents); ask for this path by HTTP';

/** One followed answer, with the version before it, from which patches are made. */
export class Topic {
  readonly key: string;
  readonly followers = new Set<Follower>();
  readonly #target: Target;
  #state: Snapshot | ApiError;
  #before: Snapshot | null = null;
  /** Made at the first use of a version; null where a patch cannot express the change. */
  #patch: string | null | undefined;
  #text: string | null = null;

  constructor(target: Target) {
    this.key = target.key;
    this.#target = target;
    this.#state = read(target);
  }

  get state(): Snapshot | ApiError {
    return this.#state;
  }

  /** The tag of the data: it is equal in every process, and empty without an answer. */
  get version(): string {
    return isApiError(this.#state) ? '' : this.#state.version;
  }

  /** When the newest reading in the data was received, Unix ms; null where it holds none. */
  get asOf(): number | null {
    return isApiError(this.#state) ? null : this.#state.asOf;
  }

  /** The version that `patch` begins with; empty when there is none. */
  get versionBefore(): string {
    return this.#before?.version ?? '';
  }

  /** The data as JSON text; null without an answer. */
  get text(): string | null {
    if (!isApiError(this.#state)) this.#text ??= this.#state.dataText;
    return this.#text;
  }

  /** The merge patch from the version before, as JSON text; null where there is none. */
  get patch(): string | null {
    this.#patch ??= this.#makePatch();
    return this.#patch;
  }

  /** Reads the answer again. Whether it has changed. */
  refresh(): boolean {
    const next = read(this.#target);
    const known = this.#state;
    if (next === known || (isApiError(next) && isApiError(known) && next.error === known.error)) {
      return false;
    }
    if (!isApiError(next) && !isApiError(known) && next.version === known.version) return false;
    this.#before = isApiError(known) ? null : known;
    this.#state = next;
    this.#text = null;
    this.#patch = undefined;
    return true;
  }

  #makePatch(): string | null {
    if (this.#before === null || this.text === null) return null;
    const patch = mergePatch(JSON.parse(this.#before.dataText), JSON.parse(this.text));
    return patch === null ? null : JSON.stringify(patch);
  }
}

function read({ endpoint, values }: Target): Snapshot | ApiError {
  const { run } = endpoint;
  return 'now' in run ? run.now(values) : apiError('bad_parameter', notStreamed);
}

const notFresh = apiError('bad_parameter', 'max_age and wait are not for streams');

interface Pattern {
  endpoint: Endpoint;
  /** The segments of the path; null for a path parameter. */
  segments: readonly (string | null)[];
}

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

/**
 * All topics of one server. After a change of the data the followed answers are read again, at most once in `every` ms:
 * an unchanged answer costs one look-up in its view.
 */
export class Topics {
  #patterns: readonly Pattern[] = [];
  readonly #topics = new Map<string, Topic>();
  readonly #clock: Clock;
  readonly #every: number;
  #waiting: Cancel | null = null;

  constructor({ clock, every }: { clock: Clock; every: number }) {
    this.#clock = clock;
    this.#every = every;
  }

  /** The endpoints whose answers `resolve` finds. */
  serve(endpoints: readonly Endpoint[]): void {
    const followed = endpoints.filter(mayFollow).map(patternOf);
    const named = ({ endpoint }: Pattern) => pathNames(endpoint.row.path).length;
    this.#patterns = followed.sort((a, b) => named(a) - named(b));
  }

  /** The row at `path`, a path of the API with its query. */
  readonly find: Find = (path) => {
    const [place = '', query = ''] = path.split(/\?(.*)/s, 2);
    for (const pattern of this.#patterns) {
      const segments = segmentsOf(pattern, place);
      if (segments !== null) return checkedOf(pattern.endpoint, { query, segments });
    }
    return apiError(
      'not_found',
      `there is nothing at the path ${JSON.stringify(place.slice(0, 64))}`,
    );
  };

  /** The answer at `path` that can be followed. */
  resolve(path: string): Target | ApiError {
    const found = this.find(path);
    if (isApiError(found)) return found;
    const { endpoint, values, freshness } = found;
    if (!('now' in endpoint.run)) return apiError('bad_parameter', notStreamed);
    return freshness === undefined ? targetOf(endpoint, values) : notFresh;
  }

  /** The topic of an answer, as it is now. It is kept once `follow` has been called. */
  of(target: Target): Topic | ApiError {
    const known = this.#topics.get(target.key);
    if (known !== undefined) return known;
    return this.#topics.size < mostTopics ? new Topic(target) : apiError('overloaded');
  }

  follow(topic: Topic, follower: Follower): void {
    topic.followers.add(follower);
    this.#topics.set(topic.key, topic);
  }

  unfollow(topic: Topic, follower: Follower): void {
    topic.followers.delete(follower);
    if (topic.followers.size === 0) this.#topics.delete(topic.key);
  }

  /** Data has changed: looks soon which answers have. */
  readonly touch = (): void => {
    if (this.#topics.size === 0) return;
    this.#waiting ??= this.#clock.after(this.#every, () => {
      this.#waiting = null;
      this.#refresh();
    });
  };

  stop(): void {
    this.#waiting?.();
    this.#waiting = null;
  }

  #refresh(): void {
    for (const topic of this.#topics.values()) {
      if (!topic.refresh()) continue;
      for (const follower of topic.followers) follower.changed();
    }
  }
}

/** The answer of an endpoint to checked values. */
export function targetOf(endpoint: Endpoint, values: Values): Target {
  const sorted = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return { endpoint, values, key: endpoint.row.path + JSON.stringify(sorted) };
}

function checkedOf(
  endpoint: Endpoint,
  { query, segments }: { query: string; segments: readonly string[] },
): Found | ApiError {
  const checked = endpoint.check(query, segments);
  if (isApiError(checked)) return checked;
  const [unknown] = checked.unknown;
  if (unknown !== undefined) {
    return apiError(
      'bad_parameter',
      `there is no parameter ${JSON.stringify(unknown.slice(0, 64))}`,
    );
  }
  return { endpoint, values: checked.values, freshness: checked.freshness };
}
