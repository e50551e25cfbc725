/** What a subscription may follow: one answer, or all answers that a pattern means. */
import { type ApiError, isApiError } from '../errors.ts';
import type { Target } from './paths.ts';
import type { Source } from './subscription.ts';
import type { Follower, Topic } from './topic.ts';

/** An answer, and the account that asks for it where an upstream must be asked. */
export interface Wanted {
  target: Target;
  account: string;
}

/** Follows and unfollows one topic. */
interface Keeper {
  follow(topic: Topic, follower: Follower, wanted: Wanted): void;
  unfollow(topic: Topic, follower: Follower): void;
}

/** One answer. */
export class Single implements Source {
  readonly weight = 1;
  readonly #topic: Topic;
  readonly #wanted: Wanted;
  readonly #keeper: Keeper;

  constructor(topic: Topic, wanted: Wanted, keeper: Keeper) {
    this.#topic = topic;
    this.#wanted = wanted;
    this.#keeper = keeper;
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

/** What a pattern needs of the topics. */
interface GlobKeeper extends Keeper {
  /** The paths that it means at present. */
  paths(): readonly string[];
  at(path: string): { topic: Topic; target: Target } | ApiError;
  /** It has its first follower, or has lost its last one. */
  begin(glob: Glob): void;
  end(glob: Glob): void;
}

/** All answers of a pattern, which its followers share. Paths without an answer are left out. */
export class Glob implements Source, Follower {
  /** The path with its asterisks. */
  readonly path: string;
  readonly weight: number;
  readonly #keeper: GlobKeeper;
  readonly #paths = new Map<Topic, string>();
  readonly #known = new Set<string>();
  readonly #followers = new Set<Follower>();

  /** `count`: how many answers it may have, for its weight. */
  constructor(path: string, count: number, keeper: GlobKeeper) {
    this.path = path;
    this.weight = weightOf(count);
    this.#keeper = keeper;
  }

  /** Answers in it. */
  get size(): number {
    return this.#paths.size;
  }

  /** Subscriptions that follow it. */
  get audience(): number {
    return this.#followers.size;
  }

  topics(): Iterable<Topic> {
    return this.#paths.keys();
  }

  pathOf(topic: Topic): string | null {
    return this.#paths.get(topic) ?? null;
  }

  /** Adds the answers that have come since the last time, and informs those who follow already. */
  fill(): void {
    for (const path of this.#keeper.paths()) {
      if (this.#known.has(path)) continue;
      const found = this.#keeper.at(path);
      if (isApiError(found) || found.topic.version === '') continue;
      this.#known.add(path);
      if (this.#paths.has(found.topic)) continue;
      this.#paths.set(found.topic, path);
      this.#keeper.follow(found.topic, this, { target: found.target, account: '' });
      this.changed(found.topic);
    }
  }

  changed(topic: Topic): void {
    for (const follower of this.#followers) follower.changed(topic);
  }

  follow(follower: Follower): void {
    if (this.#followers.size === 0) {
      this.#keeper.begin(this);
      this.fill();
    }
    this.#followers.add(follower);
  }

  unfollow(follower: Follower): void {
    if (!this.#followers.delete(follower) || this.#followers.size > 0) return;
    for (const topic of this.#paths.keys()) this.#keeper.unfollow(topic, this);
    this.#paths.clear();
    this.#known.clear();
    this.#keeper.end(this);
  }
}
