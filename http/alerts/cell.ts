/** One rule and one of the values that it watches. */
import { hash } from 'node:crypto';
import { type Cancel, type Clock, sleep } from '../../actors/kernel/clock.ts';
import type { AlertEvent, AlertRule } from '../../actors/topics/index.ts';
import {
  always,
  dueOf,
  type Input,
  interrupted,
  type Quiet,
  quietOf,
  type Step,
  step,
} from '../../alerts/rules/condition.ts';
import { eventText } from '../../alerts/rules/text.ts';
import type { Stored, StoredState, Transition } from '../../alerts/store/state-store.ts';

/**
 * Before an attempt to store after one that failed, and until a rule is looked at again whose account has no key, or, at least, has
 * fired too often, ms.
 */
const pauses = { failed: 500, revoked: 60_000, later: 5_000 } as const;
/** Longest time of a timer, ms. */
const longest = 86_400_000;

/** The id of a firing: the same in every process that comes to it, and for every attempt to deliver it. */
const eventIdOf = (rule: { id: string; revision: number }, subject: string, seq: number) =>
  `evt_${hash('sha256', JSON.stringify([rule.id, rule.revision, subject, seq]), 'base64url').slice(0, 24)}`;

/** What the cells of a process share. */
export interface CellContext {
  clock: Clock;
  store: { store(transition: Transition): Promise<Stored> };
  /** Called after each event that was stored. */
  onEvent(event: AlertEvent): void;
  /** The rule has changed: this revision of it is over. */
  onGone(rule: AlertRule): void;
}

/** What a cell is asked about. */
export interface Look extends Input {
  /** What the event is about; null where the rule watches one value. */
  subject: string | null;
}

export class Cell {
  readonly rule: AlertRule;
  /** The name of its state. */
  readonly key: string;
  readonly #context: CellContext;
  /** Called when the quiet values have changed. */
  readonly #onQuiet: (cell: Cell) => void;
  #known: StoredState;
  #last: Look | null = null;
  /** It is being stored. */
  #isBusy = false;
  /** A value has come meanwhile, and before it, or last of all, one was lost. */
  #isNew = false;
  #isLost = false;
  #isOver = false;
  #isDirty = false;
  #calmUntil = 0;
  #timer: Cancel = () => {};

  constructor(
    { rule, key, known }: { rule: AlertRule; key: string; known: StoredState },
    context: CellContext,
    onQuiet: (cell: Cell) => void,
  ) {
    this.rule = rule;
    this.key = key;
    this.#known = known;
    this.#context = context;
    this.#onQuiet = onQuiet;
  }

  /** Whether it is in the state that a rule begins in: then nothing need be kept of it. */
  get isFresh(): boolean {
    return this.#known.text === '' && this.#known.state.seq === 0 && !this.#isBusy;
  }

  get quiet(): Quiet {
    // What comes while a state is being stored, or may not fire yet, is looked at after it.
    if (this.#isBusy || this.#isCalm) return always;
    return quietOf(this.rule, this.#known.state, this.#last?.value ?? null);
  }

  /** For how long it may still not fire, ms. */
  get #calmLeft(): number {
    return this.#calmUntil - this.#context.clock.monotonic();
  }

  /** It may not fire at present. */
  get #isCalm(): boolean {
    return this.#calmLeft > 0;
  }

  get phase() {
    return this.#known.state.phase;
  }

  /** The place of the last event of a log that has fired; null before the first. */
  get position(): string | null {
    return this.#known.state.position;
  }

  look(look: Look): void {
    this.#last = look;
    if (this.#isBusy) {
      this.#isNew = true;
      return;
    }
    this.#take(step(this.rule, this.#known.state, look));
  }

  /** Fires an event of a log, after those before it. Resolves when that is stored, or the cell is over. */
  async fire(look: Look, position: string): Promise<void> {
    const { state } = this.#known;
    const coolUntil = (state.fired_at ?? Number.NEGATIVE_INFINITY) + this.rule.cooldown * 1_000;
    if (this.#isOver || this.#isCalm || look.now < coolUntil) return;
    this.#last = look;
    const { value, now } = look;
    const next = { ...state, seq: state.seq + 1, fired_at: now, value, position };
    await this.#store({ state: next, outcome: 'fired', keep: 'now', previous: null }, look);
  }

  /** There is no value at present, or one in doubt. */
  interrupt(): void {
    this.#last = null;
    this.#isNew = false;
    this.#isLost = this.#isBusy;
    if (!this.#isBusy) this.#take(interrupted(this.#known.state));
  }

  /** The state that only accuracy depends on, for storing it with others; null where nothing is to be stored. */
  flush(): void {
    if (!this.#isDirty || this.#isBusy || this.#isOver) return;
    this.#isDirty = false;
    const { state } = this.#known;
    void this.#store({ state, outcome: 'none', keep: 'soon', previous: null }, this.#last);
  }

  /** Nothing more is stored. */
  end(): void {
    this.#isOver = true;
    this.#timer();
  }

  #take(taken: Step): void {
    if (taken.keep === 'now') {
      if (taken.outcome === 'none' || !this.#isCalm) void this.#store(taken, this.#last);
      return;
    }
    if (taken.keep === 'soon') this.#isDirty = true;
    this.#known = { ...this.#known, state: taken.state };
    this.#settle();
  }

  #settle(): void {
    this.#onQuiet(this);
    this.#timer();
    const { clock } = this.#context;
    const due = dueOf(this.rule, this.#known.state);
    const left = this.#isCalm ? this.#calmLeft : due === null ? null : due - clock.now();
    if (left === null || this.#isOver) return;
    const wait = Math.min(longest, Math.max(0, left));
    this.#timer = clock.after(wait, () => {
      if (this.#last !== null) this.look({ ...this.#last, now: clock.now() });
    });
  }

  async #store({ state, outcome, previous }: Step, look: Look | null): Promise<void> {
    this.#isBusy = true;
    this.#timer();
    this.#onQuiet(this);
    const before = this.#known;
    const isSilent = outcome === 'none' || look === null;
    const event = isSilent
      ? null
      : this.#eventOf({ kind: outcome, seq: state.seq, previous }, look);
    const isDelivered = outcome === 'fired' || this.rule.resolved;
    const found = await this.#untilStored({
      ...{ rule: this.rule, subject: this.key, before, after: state, event, isDelivered },
    });
    this.#isBusy = false;
    if (found === null || this.#isOver) return;
    if (found.outcome === 'gone') {
      this.#context.onGone(this.rule);
      return;
    }
    if ('now' in found) this.#known = found.now;
    else
      this.#wait(found.outcome === 'later' ? Math.max(found.wait, pauses.later) : pauses.revoked);
    if (found.outcome === 'stored' && event !== null) this.#context.onEvent(event);
    this.#settle();
    this.#catchUp(found.outcome === 'other');
  }

  /** What came meanwhile, or was lost: where another process came first, also what this one had seen before. Events of a log come one after the other. */
  #catchUp(isOther: boolean): void {
    const isLost = this.#isLost || (isOther && this.#last === null);
    const isAgain = this.#isNew || isOther;
    this.#isLost = false;
    this.#isNew = false;
    if (this.rule.condition.type === 'event') return;
    if (isLost) this.#take(interrupted(this.#known.state));
    if (isAgain && this.#last !== null) this.look(this.#last);
  }

  /** The account has no key, or has fired too often: what holds in so many ms fires then. */
  #wait(pause: number): void {
    this.#calmUntil = this.#context.clock.monotonic() + pause;
  }

  /** The outcome; null where the cell was over before. Redis may be away for long, and the condition over by then: what has fired, has fired. */
  async #untilStored(transition: Transition): Promise<Stored | null> {
    const { clock, store } = this.#context;
    while (!this.#isOver) {
      try {
        return await store.store(transition);
      } catch {
        await sleep(clock, pauses.failed);
      }
    }
    return null;
  }

  #eventOf(
    { kind, seq, previous }: { kind: 'fired' | 'resolved'; seq: number; previous: number | null },
    look: Look,
  ): AlertEvent {
    const { rule } = this;
    const about = { kind, subject: look.subject, value: look.value };
    return {
      id: eventIdOf(rule, this.key, seq),
      ...{ alert_id: rule.id, account: rule.account, name: rule.name, ...about },
      ...{ fired_at: look.now, data_time: look.at, path: rule.path, pointer: rule.pointer },
      previous: previous ?? look.before,
      condition: rule.condition,
      text: eventText(rule, about),
    };
  }
}
