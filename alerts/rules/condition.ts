/**
 * When a rule fires: a state machine for each value that a rule watches. Pure. Times are Unix ms, but the lengths of time of a rule
 * are seconds.
 */
import type { AlertDirection, AlertRule } from '../../actors/topics/index.ts';
import { rounded } from '../../indicators/digits.ts';

/** What decides when a rule fires. */
export type Terms = Pick<AlertRule, 'condition' | 'for' | 'hysteresis' | 'cooldown'>;

/** Lowest and highest value of a part of the time that a change is measured over. */
export type Sample = readonly [since: number, low: number, high: number];

/** The state of a rule for one value. */
export interface RuleState {
  /** One more with each state that is stored. */
  seq: number;
  phase: 'armed' | 'pending' | 'fired';
  /** Since when the condition holds; null while it does not. */
  since: number | null;
  /** On which side of the level of `crosses` the value was last. */
  side: 'above' | 'below' | null;
  /** Of the last firing; null before the first. */
  fired_at: number | null;
  /** The value of the last firing; null before the first. */
  value: number | null;
  /** Of `change`: what the value was within its time, oldest first. */
  samples: readonly Sample[];
  /** Of `event`: the place in the log after the last event that fired. */
  position: string | null;
}

export const armed: RuleState = {
  ...{ seq: 0, phase: 'armed', since: null, side: null, fired_at: null, value: null },
  ...{ samples: [], position: null },
};

/** A value that a rule looks at. `at` is when it was received, `now` is now. */
export interface Input {
  value: number;
  /** The value until now; null where none is known. */
  before: number | null;
  at: number;
  now: number;
}

/** What follows from a value. */
export interface Step {
  /** The same object where nothing has changed. */
  state: RuleState;
  outcome: 'none' | 'fired' | 'resolved';
  /** Whether the state is to be stored: at once, or with others since only accuracy depends on it. */
  keep: 'no' | 'soon' | 'now';
  /** What the value of a change is compared with; null of other conditions. */
  previous: number | null;
}

/** Parts into which the time of a change is divided. */
const parts = 20;

const stay = (state: RuleState): Step => ({ state, outcome: 'none', keep: 'no', previous: null });

type Verdict = 'in' | 'out' | 'between';

const verdict = (isIn: boolean, isOut: boolean): Verdict => {
  if (isIn) return 'in';
  return isOut ? 'out' : 'between';
};

/** The level so far above another one, or below it: 1.002 and not 1.0019999999999998, which a value of 1.002 is above. */
const beside = (level: number, distance: number): number => rounded(level + distance);

/** Whether a value fulfils a condition, is back by the hysteresis, or neither. */
function verdictOf({ condition, hysteresis }: Terms, value: number): Verdict {
  switch (condition.type) {
    case 'above':
      return verdict(value > condition.value, value <= beside(condition.value, -hysteresis));
    case 'below':
      return verdict(value < condition.value, value >= beside(condition.value, hysteresis));
    case 'stale':
      return verdict(value >= condition.after, true);
    case 'outside': {
      const { low, high } = condition;
      const isBack = value >= beside(low, hysteresis) && value <= beside(high, -hysteresis);
      return verdict(value < low || value > high, isBack);
    }
    default:
      return 'between';
  }
}

/** When a rule may fire whose condition holds since then. */
const dueAt = ({ for: holds, cooldown }: Terms, since: number, firedAt: number | null): number =>
  Math.max(since + holds * 1_000, firedAt === null ? 0 : firedAt + cooldown * 1_000);

/** When a rule that waits may fire without another value; null where it does not wait. */
export function dueOf(terms: Terms, { phase, since, fired_at }: RuleState): number | null {
  if (phase !== 'pending' || since === null) return null;
  // What is crossed in the cool-down does not fire after it.
  return dueAt(terms, since, terms.condition.type === 'crosses' ? null : fired_at);
}

const stored = (state: RuleState, changes: Partial<RuleState>): RuleState => ({
  ...state,
  ...changes,
  seq: state.seq + 1,
});

/** A condition that holds or does not. */
function stepLevel(terms: Terms, state: RuleState, { value, at, now }: Input): Step {
  const found = verdictOf(terms, value);
  if (state.phase === 'fired') {
    if (found !== 'out') return stay(state);
    const back = stored(state, { phase: 'armed', since: null });
    return { state: back, outcome: 'resolved', keep: 'now', previous: null };
  }
  if (found !== 'in') {
    if (state.phase === 'armed') return stay(state);
    return { ...stay(stored(state, { phase: 'armed', since: null })), keep: 'now' };
  }
  const since = state.since ?? at;
  if (now >= dueAt(terms, since, state.fired_at)) {
    const fired = stored(state, { phase: 'fired', since, fired_at: now, value });
    return { state: fired, outcome: 'fired', keep: 'now', previous: null };
  }
  if (state.phase === 'pending') return stay(state);
  return { ...stay(stored(state, { phase: 'pending', since })), keep: 'now' };
}

const isWanted = (direction: AlertDirection, goes: 'up' | 'down'): boolean =>
  direction === 'any' || direction === goes;

/** The side of a level on which a value is, by more than the hysteresis; null between. */
function sideOf(level: number, hysteresis: number, value: number): RuleState['side'] {
  if (value > beside(level, hysteresis)) return 'above';
  return value < beside(level, -hysteresis) ? 'below' : null;
}

/** A level that a value crosses: the first value only says on which side it begins. */
function stepCrossing(terms: Terms, state: RuleState, { value, at, now }: Input): Step {
  const { condition, hysteresis } = terms;
  if (condition.type !== 'crosses') return stay(state);
  const side = sideOf(condition.value, state.side === null ? 0 : hysteresis, value);
  if (side === null || side === state.side) {
    if (state.phase === 'armed') return stay(state);
    return { ...stay(stored(state, { phase: 'armed', since: null })), keep: 'now' };
  }
  if (state.side === null) return { ...stay(stored(state, { ...calm, side })), keep: 'now' };
  const since = state.since ?? at;
  if (now < since + terms.for * 1_000) {
    if (state.phase === 'pending') return stay(state);
    return { ...stay(stored(state, { phase: 'pending', since })), keep: 'now' };
  }
  return cross(terms, state, { side, value, now });
}

const calm = { phase: 'armed', since: null } as const;

/** The value is on another side for good: the rule fires, unless it cools down or waits for the other direction. */
function cross(
  terms: Terms,
  state: RuleState,
  { side, value, now }: { side: 'above' | 'below'; value: number; now: number },
): Step {
  const { condition } = terms;
  const isCool = now >= dueAt({ ...terms, for: 0 }, 0, state.fired_at);
  const goes = side === 'above' ? 'up' : 'down';
  if (condition.type !== 'crosses' || !isCool || !isWanted(condition.direction, goes))
    return { ...stay(stored(state, { ...calm, side })), keep: 'now' };
  const fired = stored(state, { ...calm, side, fired_at: now, value });
  return { state: fired, outcome: 'fired', keep: 'now', previous: null };
}

/** The samples with one more value, those that are too old left out. `isNew` where a part of the time has begun. */
function sampled(samples: readonly Sample[], { value, before, at }: Input, within: number) {
  const length = Math.max(1, (within * 1_000) / parts);
  const kept = samples.filter(([since]) => since + length > at - within * 1_000);
  const [since, low, high] = kept.at(-1) ?? [Number.NEGATIVE_INFINITY, value, value];
  if (at - since < length) {
    const last = [since, Math.min(low, value), Math.max(high, value)] as const;
    return { samples: [...kept.slice(0, -1), last], isNew: false };
  }
  // What stood still, however long ago it came, was so until now.
  const isStill = before !== null && at - since >= 2 * length;
  const still = isStill ? [[at - length, before, before] as const] : [];
  return { samples: [...kept, ...still, [at, value, value] as const], isNew: true };
}

/** What is lost in calculating a change, percent. */
const rounding = 1e-9;

/** The extreme from which a value has gone far enough in a wanted direction; null where it has not. */
function changedFrom(
  { percent, direction }: { percent: number; direction: AlertDirection },
  samples: readonly Sample[],
  value: number,
): number | null {
  const low = Math.min(...samples.map(([, lowest]) => lowest));
  const high = Math.max(...samples.map(([, , highest]) => highest));
  if (!(low > 0)) return null;
  if (isWanted(direction, 'up') && (value / low - 1) * 100 >= percent - rounding) return low;
  if (isWanted(direction, 'down') && (1 - value / high) * 100 >= percent - rounding) return high;
  return null;
}

/** A change within a time; after a firing the time begins anew. */
function stepChange(terms: Terms, state: RuleState, input: Input): Step {
  const { condition } = terms;
  if (condition.type !== 'change') return stay(state);
  const { samples, isNew } = sampled(state.samples, input, condition.within);
  const from = changedFrom(condition, samples, input.value);
  const isCool = input.now >= dueAt({ ...terms, for: 0 }, 0, state.fired_at);
  if (from === null || !isCool) {
    const next = isNew ? stored(state, { samples }) : { ...state, samples };
    return { ...stay(next), keep: isNew ? 'soon' : 'no' };
  }
  const { value, at, now } = input;
  const anew: readonly Sample[] = [[at, value, value]];
  const fired = stored(state, { samples: anew, fired_at: now, value });
  return { state: fired, outcome: 'fired', keep: 'now', previous: from };
}

/** What follows from a value. */
export function step(terms: Terms, state: RuleState, input: Input): Step {
  if (terms.condition.type === 'crosses') return stepCrossing(terms, state, input);
  if (terms.condition.type === 'change') return stepChange(terms, state, input);
  return stepLevel(terms, state, input);
}

/** There is no value, or one that is in doubt: whatever waited for the condition to hold begins anew. */
export function interrupted(state: RuleState): Step {
  if (state.phase !== 'pending') return stay(state);
  return { ...stay(stored(state, { phase: 'armed', since: null })), keep: 'now' };
}

/** Values at and beyond which a rule must be looked at again: at `up` or more, at `down` or less. */
export interface Quiet {
  up: number;
  down: number;
}

const never: Quiet = { up: Number.POSITIVE_INFINITY, down: Number.NEGATIVE_INFINITY };
/** Of a rule that every value is shown to. */
export const always: Quiet = { up: Number.NEGATIVE_INFINITY, down: Number.POSITIVE_INFINITY };

/** Of a rule that waits for a value to pass a level, or to come back over it. */
function quietLevel({ condition, hysteresis }: Terms, { phase }: RuleState): Quiet {
  const isOut = phase === 'armed';
  if (condition.type === 'above') {
    const { value } = condition;
    return isOut ? { ...never, up: value } : { ...never, down: beside(value, -hysteresis) };
  }
  if (condition.type !== 'below') return always;
  const { value } = condition;
  return isOut ? { ...never, down: value } : { ...never, up: beside(value, hysteresis) };
}

function quietBand({ condition, hysteresis }: Terms, { phase }: RuleState, value: number | null) {
  if (condition.type !== 'outside') return always;
  const { low, high } = condition;
  if (phase === 'armed') return { up: high, down: low };
  if (value === null) return always;
  return value < low
    ? { ...never, up: beside(low, hysteresis) }
    : { ...never, down: beside(high, -hysteresis) };
}

function quietCrossing({ condition, hysteresis }: Terms, { side }: RuleState): Quiet {
  if (condition.type !== 'crosses' || side === null) return always;
  return side === 'below'
    ? { ...never, up: beside(condition.value, hysteresis) }
    : { ...never, down: beside(condition.value, -hysteresis) };
}

/** Between which values nothing follows from one; `value` is the last one, null before the first. */
export function quietOf(terms: Terms, state: RuleState, value: number | null): Quiet {
  const { type } = terms.condition;
  // A rule that waits fires with the newest value.
  if (state.phase === 'pending') return always;
  if (type === 'outside') return quietBand(terms, state, value);
  return type === 'crosses' ? quietCrossing(terms, state) : quietLevel(terms, state);
}
