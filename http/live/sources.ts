/** What a subscription may follow: one answer, or all answers that a pattern means. */
import { type ApiError, isApiError } from '../wire/errors.ts';
import { Audience } from './audience.ts';
import type { Target } from './paths.ts';
import type { Source } from './subscription.ts';
import type { Follower, Topic } from './topic.ts';
import type { Steps } from './turns.ts';

/** An answer, and the account that asks for it where an upstream must be asked. */
export interface AccountTarget {
  target: Target;
  account: string;
}

/** Follows and unfollows one topic. */
interface Keeper {
  follow(topic: Topic, follower: Follower, wanted: AccountTarget): void;
  unfollow(topic: Topic, follower: Follower): void;
}

/** One answer. */
export class Single implements Source {
  readonly weight = 1;
  readonly #topic: Topic;
  readonly #wanted: AccountTarget;
  readonly #keeper: Keeper;

  constructor(topic: Topic, wanted: AccountTarget, keeper: Keeper) {
    this.#topic = topic;
    this.#wanted = wanted;
    this.#keeper = keeper;
  }

  get name(): string {
    return this.#topic.key;
  }

  get audience(): Audience<Topic> {
    return this.#topic.audience;
  }

  topics(): Iterable<Topic> {
    return [this.#topic];
  }

  pathOf(): null {
    return null;
  }

  follow(follower: Follower): void {
    this.#keeper.follow(this.#topic, follower, this.#wanted);
  }

  unfollow(follower: Follower): void {
    this.#keeper.unfollow(this.#topic, follower);
  }
}

/** Answers of a pattern that count as one subscription. */
const perWeight = 100;

/** The weight of following so many answers, in subscriptions. */
export const weightOf = (answers: number): number => Math.max(1, Math.ceil(answers / perWeight));

/** Units of looking at a path that is known, or of noting a new answer for one subscription. */
const ofKnown = 0.05;

/** What a pattern needs of the topics. */
interface GlobKeeper extends Keeper {
  /** The paths that it means at present, made as they are read. */
  paths(): Iterable<string>;
  /** Does work for an account, in the next turns. */
  work(account: string, steps: Steps): void;
  /** The answer at a path, in the share of `account` where nobody follows it yet. */
  at(path: string, account: string): { topic: Topic; target: Target } | ApiError;
  /** It has another first follower. */
  handOver(topic: Topic): void;
  /** It has its first follower, or has lost its last one. */
  begin(glob: Glob): void;
  end(glob: Glob): void;
}

/** All answers of a pattern, which its followers share. Those that are errors are followed, and told once they are none. */
export class Glob implements Source, Follower {
  /** The path with its asterisks. */
  readonly path: string;
  readonly weight: number;
  readonly audience = new Audience<Topic>();
  readonly #keeper: GlobKeeper;
  readonly #paths = new Map<Topic, string>();
  readonly #known = new Set<string>();
  readonly #followers = new Set<Follower>();
  readonly #count: number;
  /** The number of the latest expansion, which ends those before it. */
  #filling = 0;
  #isFilled = false;

  /** `count`: how many answers it may have, for its weight. */
  constructor(path: string, count: number, keeper: GlobKeeper) {
    this.path = path;
    this.#count = count;
    this.weight = weightOf(count);
    this.#keeper = keeper;
  }

  /** Answers in it, or those that it may have until it has been expanded. */
  get size(): number {
    return this.#isFilled ? this.#paths.size : this.#count;
  }

  get name(): string {
    return this.path;
  }

  /** That of its first subscription. */
  get account(): string {
    const [first] = this.#followers;
    return first?.account ?? '';
  }

  topics(): Iterable<Topic> {
    return this.#paths.keys();
  }

  pathOf(topic: Topic): string | null {
    return this.#paths.get(topic) ?? null;
  }

  /** Adds the answers that have come since the last time, in the next turns, and informs those who follow already. */
  fill(): void {
    this.#keeper.work(this.account, this.#steps(++this.#filling));
  }

  changed(topic: Topic): void {
    for (const follower of this.#followers) follower.changed(topic);
  }

  follow(follower: Follower): void {
    this.#followers.add(follower);
    this.audience.add(follower);
    if (this.#followers.size > 1) return;
    this.#keeper.begin(this);
    this.fill();
  }

  unfollow(follower: Follower): void {
    const { account } = this;
    if (!this.#followers.delete(follower)) return;
    this.audience.delete(follower);
    if (this.#followers.size > 0) {
      if (this.account !== account)
        for (const topic of this.#paths.keys()) this.#keeper.handOver(topic);
      return;
    }
    for (const topic of this.#paths.keys()) this.#keeper.unfollow(topic, this);
    this.#paths.clear();
    this.#known.clear();
    this.#filling += 1;
    this.#isFilled = false;
    this.#keeper.end(this);
  }

  *#steps(mine: number): Generator<number, void> {
    for (const path of this.#keeper.paths()) {
      if (this.#filling !== mine) return;
      yield this.#known.has(path) ? ofKnown : this.#add(path);
    }
    if (this.#filling === mine) this.#isFilled = true;
  }

  /** Adds the answer at a path. The units of that. */
  #add(path: string): number {
    const found = this.#keeper.at(path, this.account);
    if (isApiError(found)) return 1;
    this.#known.add(path);
    if (this.#paths.has(found.topic)) return 1;
    this.#paths.set(found.topic, path);
    this.#keeper.follow(found.topic, this, { target: found.target, account: '' });
    if (!found.topic.isThere) return 1;
    for (const follower of this.#followers) follower.added?.(found.topic);
    return 1 + this.#followers.size * ofKnown;
  }
}
