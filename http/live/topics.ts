/** The answers that clients follow, and when they are read again. */
import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import { type Interval, Pace } from '../../config/pace.ts';
import type { Cause, Deliveries } from '../answers/deliveries.ts';
import type { Snapshot } from '../answers/snapshots.ts';
import type { Find } from '../endpoints/batch.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { type ApiError, apiError, isApiError } from '../wire/errors.ts';
import { Paths, type SymbolList, type Target } from './paths.ts';
import { keepAsking } from './query-poller.ts';
import { type AccountTarget, Glob, Single, weightOf } from './sources.ts';
import type { Source } from './subscription.ts';
import { type Follower, type Mode, type Publish, Topic } from './topic.ts';
import { Turns } from './turns.ts';

/** Most answers that are followed at once: all, those that are asked for, those of one pattern, and of all patterns. */
export const mostFollowed = {
  topics: 40_000,
  asked: 1_000,
  ofGlob: 5_000,
  ofGlobs: 20_000,
} as const;
const full = apiError('overloaded', 'too many answers are followed at once, try again shortly');
/** Followers of an answer that are looked at for the account which waits least. */
const mostPayers = 16;
/** Units of an answer that nobody follows any more. */
const ofLeft = 0.05;

/** How a followed topic is kept up to date. */
interface Kept {
  /** Reads it again where its source announces changes, and tells the followers. */
  read?: () => Iterable<number>;
  stop: Cancel;
  /** What has announced changes since it was read last, by its name. */
  causes: Map<string, Cause>;
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
  #asked = 0;
  #waiting: Cancel | null = null;
  /** There are new symbols: patterns mean more answers. */
  #hasGrown = false;
  /** Answers that are still to be read again, by the account for which they are. */
  readonly #due = new Map<string, Set<Topic>>();
  readonly #isDue = new Set<Topic>();
  /** Answers whose followers are being told. Until that is done they are not read again. */
  readonly #telling = new Set<Topic>();
  #last = Number.NEGATIVE_INFINITY;
  readonly #pace: Pace;
  /** The work of all streams. */
  readonly turns: Turns;

  constructor(options: TopicsOptions) {
    this.#options = options;
    const { clock, every } = options;
    this.#pace = new Pace(every, () => clock.monotonic());
    this.turns = new Turns(clock, this.#pace, (error) => this.#failed(error));
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
    const glob = this.#globs.get(path);
    if (glob !== undefined) return glob;
    const count = this.#paths.count(path, mostFollowed.ofGlob);
    if (count !== null) return this.#glob(path, count);
    const target = this.#paths.resolve(path);
    if (isApiError(target)) return target;
    const topic = this.of(target);
    if (isApiError(topic)) return topic;
    return new Single(topic, { target, account }, this);
  }

  /** The topic of an answer, as it is now. It is kept once it is followed. */
  of(target: Target): Topic | ApiError {
    const { key, values, endpoint } = target;
    const known = this.#topics.get(key);
    if (known !== undefined) return known;
    if (this.#topics.size >= mostFollowed.topics) return full;
    const { run } = endpoint;
    if (!('now' in run)) return this.#asked < mostFollowed.asked ? new Topic(key, null) : full;
    if (!this.#options.dataAlone) return new Topic(key, run.now(values));
    return new Topic(key, null, () => run.data(values));
  }

  follow(topic: Topic, follower: Follower, wanted: AccountTarget): void {
    topic.followers.add(follower);
    if (this.#kept.has(topic)) return;
    this.#topics.set(topic.key, topic);
    const { target } = wanted;
    const { run } = target.endpoint;
    if ('now' in run) {
      const { dataAlone } = this.#options;
      const read = () => (dataAlone ? topic.notify() : this.#tell(topic, run.now(target.values)));
      const stop = run.listen(target.values, (key) => this.#announce(topic, key));
      this.#kept.set(topic, { read, stop, causes: new Map() });
      return;
    }
    const stop = keepAsking(wanted, this.#options.clock, (answer) =>
      this.turns.add(wanted.account, this.#tell(topic, answer)),
    );
    this.#asked += 1;
    const end = () => {
      this.#asked -= 1;
      stop();
    };
    this.#kept.set(topic, { stop: end, causes: new Map() });
  }

  unfollow(topic: Topic, follower: Follower): void {
    if (!topic.followers.delete(follower) || topic.followers.size > 0) return;
    this.#kept.get(topic)?.stop();
    this.#kept.delete(topic);
    this.#announced.delete(topic);
    if (this.#topics.get(topic.key) === topic) this.#topics.delete(topic.key);
  }

  stop(): void {
    this.#waiting?.();
    this.#waiting = null;
    this.turns.stop();
    for (const { stop } of this.#kept.values()) stop();
  }

  /** The answer of a topic has changed: it is read again. */
  #announce(topic: Topic, key?: string): void {
    const cause = this.#options.deliveries?.cause(key);
    if (cause) this.#kept.get(topic)?.causes.set(cause.name, cause);
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
      if (this.#telling.has(topic)) continue;
      this.#announced.delete(topic);
      if (!this.#isDue.has(topic)) this.#assign(topic);
    }
  }

  /** Has an answer read again for one of the accounts that follow it: of some, the one with the least to be read. */
  #assign(topic: Topic): void {
    this.#isDue.add(topic);
    let [payer, least, looked] = ['', Number.POSITIVE_INFINITY, 0];
    for (const { account } of topic.followers) {
      const waiting = this.#due.get(account)?.size ?? 0;
      if (waiting < least) [payer, least] = [account, waiting];
      looked += 1;
      if (looked === mostPayers || least === 0) break;
    }
    const due = this.#due.get(payer);
    if (due !== undefined) {
      due.add(topic);
      return;
    }
    const mine = new Set([topic]);
    this.#due.set(payer, mine);
    this.turns.add(payer, this.#readAll(payer, mine));
  }

  *#readAll(account: string, due: Set<Topic>): Generator<number, void> {
    for (const topic of due) {
      due.delete(topic);
      this.#isDue.delete(topic);
      const read = this.#kept.get(topic)?.read;
      if (read === undefined) {
        yield ofLeft;
        continue;
      }
      try {
        yield* read();
      } catch (error) {
        this.#failed(error);
      }
    }
    this.#due.delete(account);
  }

  #failed(error: unknown): void {
    this.#options.log.error({ err: error }, 'work of streams threw');
  }

  /** Takes an answer, and tells the followers when it differs. One that comes meanwhile is not taken. */
  *#tell(topic: Topic, answer: Snapshot | ApiError): Generator<number, void> {
    if (this.#telling.has(topic)) return;
    this.#telling.add(topic);
    try {
      const isNew = topic.take(answer);
      const causes = this.#kept.get(topic)?.causes;
      const caused = isNew ? [...(causes?.values() ?? [])] : [];
      causes?.clear();
      yield 1;
      const { clock, publish, deliveries, dataAlone } = this.#options;
      if (isNew || dataAlone) yield* topic.notify(publish);
      for (const cause of caused) deliveries?.delivered(cause, clock.now());
    } finally {
      this.#telling.delete(topic);
      if (this.#announced.has(topic)) this.#plan();
    }
  }

  #glob(path: string, count: number): Glob | ApiError {
    let held = count;
    for (const { size } of this.#globs.values()) held += size;
    if (held > mostFollowed.ofGlobs) return full;
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
      at: (one) => {
        const target = this.#paths.resolve(one);
        const topic = isApiError(target) ? target : this.of(target);
        return isApiError(topic) || isApiError(target) ? full : { topic, target };
      },
      follow: (...given) => this.follow(...given),
      unfollow: (...given) => this.unfollow(...given),
    });
  }

  readonly #expand = (): void => {
    if (this.#globs.size === 0) return;
    this.#hasGrown = true;
    this.#plan();
  };
}
