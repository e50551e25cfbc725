/** The rules that watch the same pointer of the same answer. */
import type { AlertRule } from '../../actors/topics/index.ts';
import { armed, quietOf } from '../../alerts/rules/condition.ts';
import { type Found, readPointer, subjectOf, valuesAt } from '../../alerts/rules/pointer.ts';
import { type StoredState, unstored } from '../../alerts/store/state-store.ts';
import { Cell, type CellContext, type Look } from './cell.ts';
import { ThresholdIndex } from './threshold-index.ts';

/** A value that rules watch, and the rules that are in another state for it than they begin in. */
interface Subject {
  value: number | null;
  at: number | null;
  cells: Map<string, Cell>;
  reached: ThresholdIndex<Cell>;
}

type StaleRule = AlertRule & { condition: Extract<AlertRule['condition'], { type: 'stale' }> };

const isStale = (rule: AlertRule): rule is StaleRule => rule.condition.type === 'stale';

/** The answer that a group looks into, as it was found just now. */
export interface Answer {
  data: unknown;
  /** When its newest reading was received, Unix ms. */
  asOf: number | null;
  /** What a path with an asterisk means here; null for another. */
  name: string | null;
}

export class Group {
  readonly #parts: readonly string[];
  readonly #context: CellContext;
  readonly #rules = new Map<string, AlertRule>();
  /** Rules in the state that they begin in. */
  readonly #fresh = new ThresholdIndex<AlertRule>();
  readonly #subjects = new Map<string, Subject>();
  /** What the rows and names of each answer were called when it was last shown; without an asterisk there is one value. */
  readonly #shown = new Map<string | null, Set<string>>();
  readonly #hasRows: boolean;
  /** Rules that watch for news to stay away: each value counts, whether it has changed or not. */
  readonly #stale = new Set<StaleRule>();

  constructor(pointer: string, context: CellContext) {
    this.#parts = readPointer(pointer) ?? [];
    this.#hasRows = this.#parts.includes('*');
    this.#context = context;
  }

  get isEmpty(): boolean {
    return this.#rules.size === 0;
  }

  /** Values that are watched: of rows, those of the newest answer and those that a rule knows more of. */
  get size(): number {
    return this.#subjects.size;
  }

  add(rule: AlertRule, states: ReadonlyMap<string, StoredState>): void {
    this.#rules.set(rule.id, rule);
    if (isStale(rule)) this.#stale.add(rule);
    else this.#fresh.set(rule, quietOf(rule, armed, null));
    for (const [key, known] of states) this.#cell(rule, { key, known });
  }

  delete(id: string): void {
    const rule = this.#rules.get(id);
    if (rule === undefined) return;
    this.#rules.delete(id);
    this.#fresh.delete(rule);
    if (isStale(rule)) this.#stale.delete(rule);
    for (const subject of this.#subjects.values()) {
      const cell = subject.cells.get(id);
      if (cell === undefined) continue;
      cell.end();
      subject.cells.delete(id);
      subject.reached.delete(cell);
    }
  }

  /** Shows the values of an answer to the rules that they concern, or to `only`, which are new. */
  show({ data, asOf, name }: Answer, only?: readonly AlertRule[]): void {
    const shown = new Set<string>();
    for (const found of valuesAt(data, this.#parts, asOf)) {
      const subject = subjectOf(name, found.subject);
      if (this.#hasRows) shown.add(subject ?? '');
      if (only === undefined) this.#showAll({ ...found, subject });
      else for (const rule of only) this.#showTo(rule, { ...found, subject });
    }
    if (this.#hasRows && only === undefined) this.#loseRows(name, shown);
  }

  /** Rows and names that an answer does not have any more. */
  #loseRows(name: string | null, shown: Set<string>): void {
    for (const key of this.#shown.get(name) ?? []) {
      const subject = shown.has(key) ? undefined : this.#subjects.get(key);
      if (subject === undefined) continue;
      this.#lose(subject);
      // Rows come and go, such as options and pools: of those that have gone only what rules know of them is kept.
      if (subject.cells.size === 0 && this.#stale.size === 0) this.#subjects.delete(key);
    }
    this.#shown.set(name, shown);
  }

  #lose(subject: Subject): void {
    subject.value = null;
    for (const cell of subject.cells.values()) cell.interrupt();
  }

  /** There is no answer at present: what waited for its condition to hold begins anew. */
  lose(name: string | null): void {
    for (const [key, subject] of this.#subjects) {
      if (name !== null && key !== name && !key.startsWith(`${name} `)) continue;
      this.#lose(subject);
    }
  }

  /** The ids of the rules that are not evaluated, as there is no value: not of those that watch for news to stay away. */
  blind(): Iterable<string> {
    for (const { value } of this.#subjects.values()) if (value !== null) return [];
    return [...this.#rules.values()].flatMap((rule) => (isStale(rule) ? [] : rule.id));
  }

  flush(): void {
    for (const { cells } of this.#subjects.values())
      for (const cell of cells.values()) cell.flush();
  }

  end(): void {
    for (const id of [...this.#rules.keys()]) this.delete(id);
  }

  #subject(key: string): Subject {
    const known = this.#subjects.get(key);
    if (known !== undefined) return known;
    const made = { value: null, at: null, cells: new Map(), reached: new ThresholdIndex<Cell>() };
    this.#subjects.set(key, made);
    return made;
  }

  #cell(rule: AlertRule, { key, known }: { key: string; known: StoredState }): Cell {
    const subject = this.#subject(key);
    const there = subject.cells.get(rule.id);
    if (there !== undefined) return there;
    const made = new Cell({ rule, key, known }, this.#context, (cell) => {
      if (subject.cells.get(rule.id) === cell) subject.reached.set(cell, cell.quiet);
    });
    subject.cells.set(rule.id, made);
    subject.reached.set(made, made.quiet);
    return made;
  }

  #showAll(found: Found): void {
    const subject = this.#subject(found.subject ?? '');
    const before = subject.value;
    const { value, isDoubtful } = found;
    subject.at = found.at ?? this.#context.clock.now();
    this.#news(found, subject);
    if (isDoubtful || value === null) {
      this.#lose(subject);
      return;
    }
    subject.value = value;
    // The same value again: nothing follows from it that does not follow from time alone.
    if (subject.value === before) return;
    this.#reach(subject, this.#look(found, before));
  }

  /** Shows a value to the rules for which something follows from it. */
  #reach(subject: Subject, look: Look): void {
    for (const rule of this.#fresh.reached(look.value))
      if (!subject.cells.has(rule.id)) this.#begin(rule, look);
    for (const cell of subject.reached.reached(look.value))
      if (!isStale(cell.rule)) cell.look(look);
  }

  #showTo(rule: AlertRule, found: Found): void {
    const subject = this.#subject(found.subject ?? '');
    if (isStale(rule) || found.value === null || found.isDoubtful) return;
    const look = this.#look(found, null);
    const cell = subject.cells.get(rule.id);
    if (cell === undefined) this.#begin(rule, look);
    else cell.look(look);
  }

  #look({ subject, value, at }: Found, before: number | null): Look {
    const now = this.#context.clock.now();
    return { value: value ?? 0, at: Math.min(at ?? now, now), now, before, subject };
  }

  /** Shows a value to a rule of which nothing is kept for it, and keeps what follows. */
  #begin(rule: AlertRule, look: Look): void {
    const key = look.subject ?? '';
    const cell = this.#cell(rule, { key, known: unstored });
    cell.look(look);
    this.#forget(cell);
  }

  #forget(cell: Cell): void {
    if (!cell.isFresh) return;
    const subject = this.#subject(cell.key);
    subject.cells.delete(cell.rule.id);
    subject.reached.delete(cell);
  }

  /** News have come: rules that had missed them are told. */
  #news({ subject: name, at, isDoubtful }: Found, subject: Subject): void {
    const now = this.#context.clock.now();
    for (const rule of this.#stale)
      if (isDoubtful || subject.cells.has(rule.id))
        this.#age(rule, { at: at ?? now, now, subject: name, isDoubtful });
  }

  #age(
    rule: StaleRule,
    {
      at,
      now,
      subject,
      isDoubtful,
    }: { at: number; now: number; subject: string | null; isDoubtful: boolean },
  ): void {
    const age = Math.max(0, now - at) / 1_000;
    const value = isDoubtful ? Math.max(age, rule.condition.after) : age;
    const look = { value, at, now, before: null, subject };
    const known = this.#subject(subject ?? '').cells.get(rule.id);
    if (known === undefined) this.#begin(rule, look);
    else known.look(look);
  }

  /**
   * Looks whether news have stayed away for too long. `begun` is since when the answer has been watched, Unix ms. When to look
   * again, Unix ms; null without such rules.
   */
  lookForNews(begun: number): number | null {
    if (this.#stale.size === 0) return null;
    const now = this.#context.clock.now();
    const last = [...this.#subjects].map(([name, { at }]) => ({ name, since: at ?? begun }));
    const all = last.length === 0 ? [{ name: '', since: begun }] : last;
    let next = now + 60_000;
    for (const rule of this.#stale) {
      for (const { name, since } of all) {
        const due = since + rule.condition.after * 1_000;
        if (due > now) next = Math.min(next, due);
        else this.#age(rule, { at: since, now, subject: name || null, isDoubtful: false });
      }
    }
    return next;
  }
}
