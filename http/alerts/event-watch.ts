/** Rules that watch the events of a log. */
import type { AlertRule } from '../../actors/topics/index.ts';
import { readPointer, valuesAt } from '../../alerts/rules/pointer.ts';
import { type StoredState, unstored } from '../../alerts/store/state-store.ts';
import { follows, type LogQuery, placeOf, positionOf } from '../answers/numbered-log.ts';
import { Cell, type CellContext, type Look } from './cell.ts';

/** Entries that are looked at before other work has its turn. */
const perTurn = 1_000;

interface Follows {
  cell: Cell;
  /** Of the pointer to the value of an event. */
  parts: readonly string[];
  /** Number of the next entry of the log. */
  next: number;
  /** Events that are stored one after the other. */
  working: boolean;
}

/** The place of an event: that of its entry, and its number there. */
const eventPlace = (position: string, nth: number): string => `${position}#${nth}`;

/** Whether an event comes after the last one that has fired. */
function isNew(position: string, nth: number, last: string | null): boolean {
  if (last === null) return true;
  const [entry = '', known = '0'] = last.split('#');
  return follows(position, entry) || (position === entry && nth > Number(known));
}

const matches = ({ condition }: AlertRule, value: number | null): boolean => {
  if (condition.type !== 'event') return false;
  const { above, below } = condition;
  if (above === null && below === null) return true;
  if (value === null) return false;
  return (above === null || value > above) && (below === null || value < below);
};

export class EventWatch {
  readonly #query: LogQuery;
  readonly #context: CellContext;
  readonly #rules = new Map<string, Follows>();
  /** Events as a client sees them, which all rules look at; null for those that the path leaves out. */
  readonly #items = new WeakMap<object, object | null>();
  readonly #stop: () => void;

  /** `query` is of a log that has been read. */
  constructor(query: LogQuery, context: CellContext) {
    this.#query = query;
    this.#context = context;
    this.#stop = query.log.listen(() => this.#wake());
  }

  get isEmpty(): boolean {
    return this.#rules.size === 0;
  }

  /** The place of the newest entry. */
  get place(): string {
    return this.#query.log.end().position;
  }

  /** `place`: up to where the events have been looked at before; null where that is not known. */
  add(rule: AlertRule, states: ReadonlyMap<string, StoredState>, place: string | null): void {
    const known = states.get('') ?? unstored;
    const cell = new Cell({ rule, key: '', known }, this.#context, () => {});
    const { log } = this.#query;
    const made = { seq: 0, ms: rule.updated_at, nth: 0 };
    const looked = place === null ? null : placeOf(place);
    // What came before the rule is none of its business.
    const from = looked !== null && looked.ms > made.ms ? looked : made;
    const start = log.after(positionOf(from));
    const parts = ['*', ...(readPointer(rule.pointer) ?? [])];
    this.#rules.set(rule.id, { cell, parts, next: start?.next ?? log.end().next, working: false });
    this.#wake();
  }

  delete({ id }: AlertRule): void {
    this.#rules.get(id)?.cell.end();
    this.#rules.delete(id);
  }

  end(): void {
    this.#stop();
    for (const { cell } of this.#rules.values()) cell.end();
    this.#rules.clear();
  }

  #wake(): void {
    for (const one of this.#rules.values()) {
      if (one.working) continue;
      one.working = true;
      void this.#work(one).finally(() => {
        one.working = false;
      });
    }
  }

  async #work(one: Follows): Promise<void> {
    const { log } = this.#query;
    for (let looked = 1; this.#rules.get(one.cell.rule.id) === one; looked++) {
      const entry = log.read(one.next);
      if (entry === undefined) return;
      if (entry === null) one.next = log.base;
      else {
        const position = positionOf(entry.place);
        for (const [nth, event] of entry.events.entries())
          await this.#show(one, { position, nth, event });
        one.next += 1;
      }
      if (looked % perTurn === 0) await new Promise((next) => setImmediate(next));
    }
  }

  #itemOf(event: object): object | null {
    const known = this.#items.get(event);
    if (known !== undefined) return known;
    const item = this.#query.item(event);
    this.#items.set(event, item);
    return item;
  }

  async #show(
    { cell, parts }: Follows,
    { position, nth, event }: { position: string; nth: number; event: object },
  ): Promise<void> {
    const { rule } = cell;
    if (!isNew(position, nth, cell.position)) return;
    const item = this.#itemOf(event);
    if (item === null) return;
    const { clock } = this.#context;
    const [found] = valuesAt([item], parts, null);
    if (found === undefined || !matches(rule, found.value)) return;
    const time = 'timestamp' in item && typeof item.timestamp === 'number' ? item.timestamp : null;
    const now = clock.now();
    const look: Look = {
      value: found.value ?? 0,
      at: time ?? now,
      ...{ now, before: null, subject: found.subject },
    };
    await cell.fire(look, eventPlace(position, nth));
  }
}
