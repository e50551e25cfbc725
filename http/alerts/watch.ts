/** A path that rules watch: it is read when its answer has changed, whatever the number of its rules. */
import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import type { AlertRule } from '../../actors/topics/index.ts';
import { answerName } from '../../alerts/rules/pointer.ts';
import type { StoredState } from '../../alerts/store/state-store.ts';
import type { Source } from '../live/subscription.ts';
import type { Follower, Topic } from '../live/topic.ts';
import type { CellContext } from './cell.ts';
import { type Answer, Group } from './group.ts';

/** Why a rule is not evaluated whose answer has no value at its pointer. */
const noValue = 'no_value';

/** What a watch reads. */
export interface WatchOptions {
  source: Source;
  /** That of the first rule, for which the answer is followed. */
  account: string;
  clock: Clock;
  context: CellContext;
}

export class Watch implements Follower {
  readonly #options: WatchOptions;
  readonly #groups = new Map<string, Group>();
  readonly #names = new WeakMap<Topic, string | null>();
  readonly #begun: number;
  /** Rules of this turn: the answers are read once for all of them, of which a path with an asterisk has thousands. */
  #added: { rule: AlertRule; states: ReadonlyMap<string, StoredState> }[] = [];
  #timer: Cancel = () => {};

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#begun = options.clock.now();
    options.source.follow(this);
  }

  get account(): string {
    return this.#options.account;
  }

  get isEmpty(): boolean {
    return this.#groups.size === 0 && this.#added.length === 0;
  }

  /** Adds a rule, at the end of this turn. */
  add(rule: AlertRule, states: ReadonlyMap<string, StoredState>): void {
    this.#added.push({ rule, states });
    if (this.#added.length === 1) this.#options.clock.after(0, () => this.#addAll());
  }

  #addAll(): void {
    const { context, source } = this.#options;
    const added = Map.groupBy(this.#added, ({ rule }) => rule.pointer);
    this.#added = [];
    const answers = [...source.topics()].flatMap((topic) => this.#answerOf(topic) ?? []);
    for (const [pointer, some] of added) {
      const group = this.#groups.get(pointer) ?? new Group(pointer, context);
      this.#groups.set(pointer, group);
      // The rules that are there see first what has come since they were told.
      for (const answer of answers) group.show(answer);
      for (const { rule, states } of some) group.add(rule, states);
      const rules = some.map(({ rule }) => rule);
      for (const answer of answers) group.show(answer, rules);
    }
    this.#plan();
  }

  delete({ id, pointer }: AlertRule): void {
    this.#added = this.#added.filter(({ rule }) => rule.id !== id);
    const group = this.#groups.get(pointer);
    group?.delete(id);
    if (group?.isEmpty) this.#groups.delete(pointer);
  }

  changed(topic: Topic): void {
    const answer = this.#answerOf(topic);
    for (const group of this.#groups.values()) {
      if (answer === null) group.lose(this.#nameOf(topic));
      else group.show(answer);
    }
  }

  added(topic: Topic): void {
    this.changed(topic);
  }

  /** The rules that cannot be evaluated, by id, and why. */
  *faults(): Generator<readonly [id: string, why: string]> {
    let why: string | null = null;
    for (const group of this.#groups.values())
      for (const id of group.blind()) {
        why ??= this.#fault();
        yield [id, why];
      }
  }

  /** The error of an answer where there is none at all. */
  #fault(): string {
    const topics = [...this.#options.source.topics()];
    const isThere = topics.some((topic) => topic.data() !== null);
    return isThere ? noValue : (topics[0]?.fault() ?? noValue);
  }

  flush(): void {
    for (const group of this.#groups.values()) group.flush();
  }

  end(): void {
    this.#timer();
    this.#options.source.unfollow(this);
    for (const group of this.#groups.values()) group.end();
    this.#groups.clear();
    this.#added = [];
  }

  #nameOf(topic: Topic): string | null {
    const known = this.#names.get(topic);
    if (known !== undefined) return known;
    const path = this.#options.source.pathOf(topic);
    const name = path === null ? null : answerName(path);
    this.#names.set(topic, name);
    return name;
  }

  #answerOf(topic: Topic): Answer | null {
    const found = topic.data();
    return found && { data: found.data, asOf: found.asOf, name: this.#nameOf(topic) };
  }

  /** Looks for news that stay away, when they may have. */
  #plan(): void {
    this.#timer();
    const { clock } = this.#options;
    const looks = [...this.#groups.values()].flatMap(
      (group) => group.lookForNews(this.#begun) ?? [],
    );
    if (looks.length === 0) return;
    const wait = Math.max(10, Math.min(...looks) - clock.now());
    this.#timer = clock.after(Math.min(wait, 86_400_000), () => this.#lookAgain());
  }

  /** An answer may be younger than the one that was told. */
  #lookAgain(): void {
    const { source } = this.#options;
    const [only] = source.topics();
    const isSingle = only !== undefined && source.pathOf(only) === null;
    const answer = isSingle ? this.#answerOf(only) : null;
    if (answer !== null) for (const group of this.#groups.values()) group.show(answer);
    this.#plan();
  }
}
