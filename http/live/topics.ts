/** The answers that clients follow, and when they are read again. */
import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import { Slots } from '../../actors/kernel/slots.ts';
import { type Interval, Pace } from '../../config/pace.ts';
import { type Cause, type Deliveries, noteCause } from '../answers/deliveries.ts';
import type { Snapshot } from '../answers/snapshots.ts';
import type { Find } from '../endpoints/batch.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { type ApiError, apiError, isApiError } from '../wire/errors.ts';
import type { Publish } from './audience.ts';
import { DueReads } from './due-reads.ts';
import { Paths, type SymbolList, type Target } from './paths.ts';
import { keepAsking } from './query-poller.ts';
import { type AccountTarget, Glob, Single, weightOf } from './sources.ts';
import type { Source } from './subscription.ts';
import { type Follower, type Mode, Topic } from './topic.ts';
import { Turns } from './turns.ts';

/**
 * Most answers that are followed at once: all, those that are asked for, those of one pattern, and of all patterns. Of all of them
 * no account has more than it leaves free.
 */
export const mostFollowed = {
  topics: 40_000,
  asked: 1_000,
  ofGlob: 5_000,
  ofGlobs: 20_000,
} as const;
const full = apiError(
  'overloaded',
  'too many answers are followed at once, of which no account has more than it leaves free: try again shortly',
);

/** How a followed topic is kept up to date. */
interface Kept {
  /** Reads it again where its source announces changes, and tells the followers. */
  read?: () => Iterable<number>;
  stop: Cancel;
  /** The account whose share it is of: that of the first follower. */
  holder: string;
  /** Its share of the answers that are asked for; null where it is none. */
  asked: Slots | null;
  /** What has announced changes since it was read last, each name once. */
  causes: Cause[];
}

interface TopicsOptions {
  clock: Clock;
  /** When what has changed is sent: ms between two looks at it, or as the process has time. */
  every: Interval;
  symbols?: SymbolList | undefined;
  /** Followers read the data themselves (`Topic.data`), and are told of each announcement: no bytes are made. */
  dataAlone?: true;
  /** Sends to many clients at once; each is told by itself when absent. */
  publish?: Publish;
  /** Measures how long values take to the clients; nothing does when absent. */
  deliveries?: Deliveries | undefined;
  log: { error(fields: object, message: string): void };
}

/**
 * All topics of one server. A followed answer is read again in the turn of the event loop in which its source has announced a change,
 * unless the pace joins changes. Answers of queries are asked for periodically.
 */
export class Topics {
  readonly #options: TopicsOptions;
  #paths = new Paths([], () => []);
  readonly #topics = new Map<string, Topic>();
  readonly #kept = new Map<Topic, Kept>();
  /** Topics whose source has announced a change. */
  readonly #announced = new Set<Topic>();
  readonly #globs = new Map<string, Glob>();
  readonly #places = new Slots(mostFollowed.topics);
  readonly #asked = new Slots(mostFollowed.asked);
  #waiting: Cancel | null = null;
  /** There are new symbols: patterns mean more answers. */
  #hasGrown = false;
  readonly #due: DueReads;
  /** Answers whose followers are being told. Until that is done they are not read again. */
  readonly #notifying = new Set<Topic>();
  #last = Number.NEGATIVE_INFINITY;
  readonly #pace: Pace;
  /** The work of all streams. */
  readonly turns: Turns;

  constructor(options: TopicsOptions) {
    this.#options = options;
    const { clock, every } = options;
    this.#pace = new Pace(every, () => clock.monotonic());
    const failed = (error: unknown) => this.#failed(error);
    this.turns = new Turns(clock, this.#pace, failed);
    const read = (topic: Topic) => this.#kept.get(topic)?.read;
    this.#due = new DueReads({ turns: this.turns, read, failed });
  }

  /** The endpoints whose answers can be followed. */
  serve(endpoints: readonly Endpoint[]): void {
    const { symbols } = this.#options;
    this.#paths = new Paths(endpoints, () => symbols?.all() ?? []);
    symbols?.listen(this.#expand);
  }

  /** The row at `path`, a path of the API with its query. */
  readonly find: Find = (path) => this.#paths.find(path);

  /** The answer at `path` that can be followed; of a pattern any one of them. */
  resolve(path: string, mode: Mode = 'full'): Target | ApiError {
    const paths = this.#paths.expand(path, 1);
    if (paths === null) return this.#paths.resolve(path, mode);
    if (isApiError(paths)) return paths;
    const [first] = paths;
    return first === undefined
      ? apiError('warming_up', 'no symbol is known yet')
      : this.#paths.resolve(first);
  }

  /** The paths of the answers that a path means: of a pattern `most` at most, made as they are read. */
  paths(path: string, most: number): Iterable<string> | ApiError {
    return this.#paths.expand(path, most) ?? [path];
  }

  /** The weight of a subscription to a path, in subscriptions, before anything is made for it. */
  weightOf(path: string): number {
    return weightOf(this.#paths.count(path, mostFollowed.ofGlob) ?? 1);
  }

  /** The topic of a subscription to a path. Queries are sent for `account`. */
  source(path: string, account: string): Source | ApiError {
    const pattern = this.#paths.patternAt(path);
    if (pattern !== null) return this.#globs.get(pattern) ?? this.#glob(pattern, account);
    const target = this.#paths.resolve(path);
    if (isApiError(target)) return target;
    const topic = this.of(target, account);
    if (isApiError(topic)) return topic;
    return new Single(topic, { target, account }, this);
  }

  /** The topic of an answer, as it is now. It is kept once it is followed, in the share of `account`. */
  of(target: Target, account: string): Topic | ApiError {
    const { key, values, endpoint } = target;
    const known = this.#topics.get(key);
    if (known !== undefined) return known;
    if (!this.#places.mayEnter(account)) return full;
    const { run } = endpoint;
    if (!('now' in run)) return this.#asked.mayEnter(account) ? new Topic(key, null) : full;
    if (!this.#options.dataAlone) return new Topic(key, run.now(values));
    return new Topic(key, null, () => run.data(values));
  }

  follow(topic: Topic, follower: Follower, wanted: AccountTarget): void {
    topic.add(follower);
    if (this.#kept.has(topic)) return;
    this.#topics.set(topic.key, topic);
    const { target } = wanted;
    const { run } = target.endpoint;
    const holder = follower.account;
    this.#places.take(holder);
    if ('now' in run) {
      const { dataAlone } = this.#options;
      const read = () =>
        dataAlone ? topic.notify() : this.#notifyAll(topic, run.now(target.values));
      const causes: Cause[] = [];
      const stop = run.listen(target.values, (key) => this.#announce(topic, causes, key));
      this.#kept.set(topic, { read, stop, holder, asked: null, causes });
      return;
    }
    const stop = keepAsking(wanted, this.#options.clock, (answer) =>
      this.turns.add(wanted.account, this.#notifyAll(topic, answer)),
    );
    this.#asked.take(holder);
    this.#kept.set(topic, { stop, holder, asked: this.#asked, causes: [] });
  }

  unfollow(topic: Topic, follower: Follower): void {
    if (!topic.delete(follower)) return;
    if (topic.followers.size > 0) {
      this.handOver(topic);
      return;
    }
    const kept = this.#kept.get(topic);
    kept?.stop();
    if (kept) this.#leave(kept);
    this.#kept.delete(topic);
    this.#announced.delete(topic);
    if (this.#topics.get(topic.key) === topic) this.#topics.delete(topic.key);
  }

  /** An answer that another account follows first now is of the share of that. */
  handOver(topic: Topic): void {
    const kept = this.#kept.get(topic);
    const [first] = topic.followers;
    if (kept === undefined || first === undefined || first.account === kept.holder) return;
    this.#leave(kept);
    kept.holder = first.account;
    this.#places.take(kept.holder);
    kept.asked?.take(kept.holder);
  }

  #leave({ holder, asked }: Kept): void {
    this.#places.leave(holder);
    asked?.leave(holder);
  }

  stop(): void {
    this.#waiting?.();
    this.#waiting = null;
    this.turns.stop();
    for (const { stop } of this.#kept.values()) stop();
  }

  /** The answer of a topic has changed: it is read again. */
  #announce(topic: Topic, causes: Cause[], key?: string): void {
    const cause = this.#options.deliveries?.cause(key);
    if (cause) noteCause(causes, cause);
    this.#announced.add(topic);
    this.#plan();
  }

  #plan(): void {
    if (this.#waiting !== null) return;
    const { clock } = this.#options;
    const wait = this.#pace.wait(clock.monotonic() - this.#last);
    this.#waiting = clock.after(wait, () => {
      this.#waiting = null;
      this.#last = clock.monotonic();
      this.#refresh();
    });
  }

  #refresh(): void {
    if (this.#hasGrown) for (const glob of this.#globs.values()) glob.fill();
    this.#hasGrown = false;
    for (const topic of this.#announced) {
      // While its followers are being told it stays announced.
      if (this.#notifying.has(topic)) continue;
      this.#announced.delete(topic);
      this.#due.add(topic);
    }
  }

  #failed(error: unknown): void {
    this.#options.log.error({ err: error }, 'work of streams threw');
  }

  /** Takes an answer, and tells the followers when it differs. One that comes meanwhile is not taken. */
  *#notifyAll(topic: Topic, answer: Snapshot | ApiError): Generator<number, void> {
    if (this.#notifying.has(topic)) return;
    this.#notifying.add(topic);
    try {
      const isNew = topic.take(answer);
      const causes = this.#kept.get(topic)?.causes.splice(0) ?? [];
      const caused = isNew ? causes : [];
      const { clock, publish, deliveries, dataAlone } = this.#options;
      if (isNew || dataAlone) yield* topic.notify(publish);
      else yield 1;
      for (const cause of caused) deliveries?.delivered(cause, clock.now());
    } finally {
      this.#notifying.delete(topic);
      if (this.#announced.has(topic)) this.#plan();
    }
  }

  #glob(path: string, account: string): Glob | ApiError {
    const count = this.#paths.count(path, mostFollowed.ofGlob) ?? 0;
    let [held, own] = [0, count];
    for (const glob of this.#globs.values()) {
      held += glob.size;
      if (glob.account === account) own += glob.size;
    }
    if (own > mostFollowed.ofGlobs - held) return full;
    return new Glob(path, count, {
      begin: (glob) => void this.#globs.set(path, glob),
      end: (glob) => {
        if (this.#globs.get(path) === glob) this.#globs.delete(path);
      },
      paths: () => {
        const paths = this.#paths.expand(path, mostFollowed.ofGlob);
        return paths === null || isApiError(paths) ? [] : paths;
      },
      work: (...given) => this.turns.add(...given),
      at: (one, holder) => {
        const target = this.#paths.resolve(one);
        const topic = isApiError(target) ? target : this.of(target, holder);
        return isApiError(topic) || isApiError(target) ? full : { topic, target };
      },
      follow: (...given) => this.follow(...given),
      unfollow: (...given) => this.unfollow(...given),
      handOver: (topic) => this.handOver(topic),
    });
  }

  readonly #expand = (): void => {
    if (this.#globs.size === 0) return;
    this.#hasGrown = true;
    this.#plan();
  };
}
