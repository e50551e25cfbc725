/** Evaluates rules: each path that they watch is followed once. */
import { type Cancel, type Clock, every } from '../../actors/kernel/clock.ts';
import type { AlertEvent, AlertRule } from '../../actors/topics/index.ts';
import { shardOf } from '../../alerts/rules/shards.ts';
import type { StateStore, StoredState } from '../../alerts/store/state-store.ts';
import { accountIdOf } from '../auth/caller.ts';
import { logOf } from '../live/followed.ts';
import type { Topics } from '../live/topics.ts';
import { type ApiError, isApiError } from '../wire/errors.ts';
import type { CellContext } from './cell.ts';
import { EventWatch } from './event-watch.ts';
import { Watch } from './watch.ts';

/** Between two writings of what only accuracy depends on, and before a path is tried again that could not be followed, ms. */
const pauses = { flush: 5_000, retry: 5_000 } as const;
/** By how much the place that a log is looked at from after a kill lies behind: rules may be taken up late. */
const placesBehind = 3;

type Topical = Pick<Topics, 'resolve' | 'source'>;
type States = Pick<StateStore, 'states' | 'store' | 'place' | 'setPlace'>;

export interface EngineOptions {
  clock: Clock;
  topics: Topical;
  store: States;
  /** Called after each event that was stored. */
  onEvent(event: AlertEvent): void;
}

/** A rule that is evaluated here. */
interface Taken {
  rule: AlertRule;
  /** It has been given to the watch of its path. */
  watch: Watch | EventWatch | null;
  /** Why not: the code of an error of the API. */
  fault: ApiError['error'];
  expiry: Cancel;
}

export class Engine {
  readonly #options: EngineOptions;
  readonly #context: CellContext;
  readonly #rules = new Map<string, Taken>();
  readonly #watches = new Map<string, Watch>();
  readonly #logs = new Map<string, EventWatch>();
  /** The last places of each log, the oldest first. */
  readonly #places = new Map<string, string[]>();
  readonly #stops: Cancel[];

  constructor(options: EngineOptions) {
    const { clock, store } = options;
    this.#options = options;
    this.#context = {
      ...{ clock, store, onEvent: options.onEvent },
      onGone: ({ id, revision }) => {
        if (this.#rules.get(id)?.rule.revision === revision) this.drop(id);
      },
    };
    this.#stops = [every(clock, pauses.flush, () => this.#flush())];
  }

  /** Rules that are evaluated here. */
  get size(): number {
    return this.#rules.size;
  }

  /** Evaluates a rule in place of its revision before. */
  take(rule: AlertRule): void {
    const known = this.#rules.get(rule.id);
    if (known !== undefined && known.rule.revision >= rule.revision) return;
    this.drop(rule.id);
    if (rule.paused) return;
    const taken: Taken = { rule, watch: null, fault: 'warming_up', expiry: () => {} };
    this.#rules.set(rule.id, taken);
    this.#planExpiry(taken);
    void this.#begin(taken);
  }

  drop(id: string): void {
    const taken = this.#rules.get(id);
    if (taken === undefined) return;
    this.#rules.delete(id);
    taken.expiry();
    taken.watch?.delete(taken.rule);
    this.#tidy(taken.rule.path);
  }

  /** Gives up the rules of a shard. */
  dropShard(shard: number): void {
    for (const id of [...this.#rules.keys()]) if (shardOf(id) === shard) this.drop(id);
  }

  /** The rules that cannot be evaluated at present, by id, and why. */
  faults(): Map<string, string> {
    const found = new Map<string, string>();
    for (const [id, { watch, fault }] of this.#rules) if (watch === null) found.set(id, fault);
    for (const watch of this.#watches.values())
      for (const [id, why] of watch.faults()) found.set(id, why);
    return found;
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    for (const id of [...this.#rules.keys()]) this.drop(id);
  }

  #isCurrent(taken: Taken): boolean {
    return this.#rules.get(taken.rule.id) === taken;
  }

  #planExpiry(taken: Taken): void {
    const { expires_at: end, id } = taken.rule;
    if (end === null) return;
    const { clock } = this.#options;
    const left = end - clock.now();
    if (left <= 0) {
      this.drop(id);
      return;
    }
    taken.expiry = clock.after(Math.min(left, 86_400_000), () => this.#planExpiry(taken));
  }

  /** Follows the path of a rule, trying again while that is not possible. */
  async #begin(taken: Taken): Promise<void> {
    const { clock, store } = this.#options;
    if (!this.#isCurrent(taken)) return;
    const again = () => void clock.after(pauses.retry, () => void this.#begin(taken));
    let states: ReadonlyMap<string, StoredState>;
    try {
      states = await store.states(taken.rule.id);
    } catch {
      taken.fault = 'store_unavailable';
      return again();
    }
    if (!this.#isCurrent(taken)) return;
    const { rule } = taken;
    const fault =
      rule.condition.type === 'event'
        ? await this.#beginEvents(taken, states)
        : this.#follow(taken, states);
    if (fault === null || !this.#isCurrent(taken)) return;
    taken.fault = fault;
    again();
  }

  /** The error where a rule cannot be followed; null where it is. */
  #follow(taken: Taken, states: ReadonlyMap<string, StoredState>): ApiError['error'] | null {
    const { rule } = taken;
    const watch = this.#watches.get(rule.path) ?? this.#watch(rule);
    if (isApiError(watch)) return watch.error;
    taken.watch = watch;
    watch.add(rule, states);
    return null;
  }

  #watch({ path, ...owner }: AlertRule): Watch | ApiError {
    const { topics, clock } = this.#options;
    const account = accountIdOf(owner, '');
    const source = topics.source(path, account);
    if (isApiError(source)) return source;
    const watch = new Watch({ source, account, clock, context: this.#context });
    this.#watches.set(path, watch);
    return watch;
  }

  async #beginEvents(
    taken: Taken,
    states: ReadonlyMap<string, StoredState>,
  ): Promise<ApiError['error'] | null> {
    const { rule } = taken;
    const { topics, store } = this.#options;
    const target = topics.resolve(rule.path);
    if (isApiError(target)) return target.error;
    const query = logOf(target, '');
    if (isApiError(query)) return query.error;
    const fault = await query.log.ready();
    if (fault !== undefined) return fault.error;
    const place = await store.place(shardOf(rule.id), rule.path).catch(() => undefined);
    if (place === undefined || !this.#isCurrent(taken)) return 'store_unavailable';
    const watch = this.#logs.get(rule.path) ?? new EventWatch(query, this.#context);
    this.#logs.set(rule.path, watch);
    taken.watch = watch;
    watch.add(rule, states, place);
    return null;
  }

  #tidy(path: string): void {
    const watch = this.#watches.get(path);
    if (watch?.isEmpty) {
      watch.end();
      this.#watches.delete(path);
    }
    const log = this.#logs.get(path);
    if (log?.isEmpty) {
      log.end();
      this.#logs.delete(path);
      this.#places.delete(path);
    }
  }

  #flush(): void {
    for (const watch of this.#watches.values()) watch.flush();
    for (const [path, log] of this.#logs) {
      const places = [...(this.#places.get(path) ?? []), log.place].slice(-placesBehind);
      this.#places.set(path, places);
      const [oldest] = places;
      if (places.length < placesBehind || oldest === undefined) continue;
      const shards = new Set(
        [...this.#rules.values()].flatMap(({ rule }) =>
          rule.path === path ? [shardOf(rule.id)] : [],
        ),
      );
      for (const shard of shards) this.#options.store.setPlace(shard, path, oldest).catch(() => {});
    }
  }
}
