import fc from 'fast-check';
import t from 'tap';
import {
  armed,
  dueOf,
  interrupted,
  quietOf,
  type RuleState,
  step,
  type Terms,
} from '../../../alerts/rules/condition.ts';
import { eventText } from '../../../alerts/rules/text.ts';

const usual = { for: 0, hysteresis: 0, cooldown: 0 };

/** What a rule does with values at seconds, as letters: `f` fires, `r` is resolved, `.` nothing. */
function run(
  terms: Partial<Terms> & Pick<Terms, 'condition'>,
  values: readonly [s: number, value: number | null][],
) {
  const all: Terms = { ...usual, ...terms };
  let state: RuleState = armed;
  let before: number | null = null;
  const previous: (number | null)[] = [];
  const letters = values.map(([seconds, value]) => {
    const now = seconds * 1_000;
    const input = { before, at: now, now };
    const taken = value === null ? interrupted(state) : step(all, state, { ...input, value });
    state = taken.state;
    before = value;
    if (taken.outcome === 'fired') previous.push(taken.previous);
    return { none: '.', fired: 'f', resolved: 'r' }[taken.outcome];
  });
  return { did: letters.join(''), previous, state };
}

const value = fc.integer({ min: 0, max: 40 });
const terms: fc.Arbitrary<Terms> = fc.record({
  condition: fc.oneof(
    value.map((level) => ({ type: 'above', value: level }) as const),
    value.map((level) => ({ type: 'below', value: level }) as const),
    fc
      .tuple(value, value)
      .map(([a, b]) => ({ type: 'outside', low: Math.min(a, b), high: Math.max(a, b) }) as const),
    fc
      .tuple(value, fc.constantFrom('up', 'down', 'any'))
      .map(([level, direction]) => ({ type: 'crosses', value: level, direction }) as const),
  ),
  for: fc.constantFrom(0, 0, 2),
  hysteresis: fc.constantFrom(0, 3),
  cooldown: fc.constantFrom(0, 4),
});

/** Values a second apart. */
const each = (...values: (number | null)[]) =>
  values.map((value, s) => [s, value] as [number, number | null]);

t.test(
  'above, below and outside fire once while they hold, and again after the value came back',
  async (t) => {
    const above = { condition: { type: 'above', value: 100 } } as const;
    t.equal(run(above, each(99, 100, 101, 150, 101, 100, 101)).did, '..f..rf');
    t.equal(
      run({ condition: { type: 'below', value: 100 } }, each(101, 100, 99, 50, 100, 99)).did,
      '..f.rf',
    );
    const band = { condition: { type: 'outside', low: 10, high: 20 } } as const;
    t.equal(
      run(band, each(10, 20, 21, 9, 15, 9)).did,
      '..f.rf',
      'from one side to the other is no return',
    );
  },
);

t.test('hysteresis: the value must come back by so much', async (t) => {
  const terms = { condition: { type: 'above', value: 100 }, hysteresis: 5 } as const;
  t.equal(run(terms, each(101, 99, 101, 96, 101, 95, 101)).did, 'f....rf');
  const band = { condition: { type: 'outside', low: 10, high: 20 }, hysteresis: 2 } as const;
  t.equal(run(band, each(21, 19, 21, 18, 9, 11, 12)).did, 'f..rf.r');
});

t.test('hysteresis of decimals ends where its digits say', async (t) => {
  const above = { condition: { type: 'above', value: 1.003 }, hysteresis: 0.001 } as const;
  t.equal(run(above, each(1.004, 1.002, 1.004)).did, 'frf');
  const crosses = {
    condition: { type: 'crosses', value: 1.003, direction: 'up' },
    hysteresis: 0.001,
  } as const;
  t.equal(run(crosses, each(1.002, 1.004, 1.0041)).did, '..f');
  const same = fc.property(
    terms,
    fc.array(value, { minLength: 1, maxLength: 30 }),
    fc.constantFrom(1, 3, 8),
    (of, values, places) => {
      const decimal = (whole: number) => Number(`${whole}e-${places}`);
      const { condition } = of;
      const levels = Object.entries(condition).map(([name, one]) => [
        name,
        typeof one === 'number' ? decimal(one) : one,
      ]);
      const small: Terms = {
        ...of,
        condition: Object.fromEntries(levels),
        hysteresis: decimal(of.hysteresis),
      };
      return run(of, each(...values)).did === run(small, each(...values.map(decimal))).did;
    },
  );
  fc.assert(same, { numRuns: 500 });
});

t.test(
  'for: the condition must hold all the time, which begins anew when it does not or nothing is known',
  async (t) => {
    const terms = { condition: { type: 'above', value: 100 }, for: 3 } as const;
    t.equal(run(terms, each(101, 102, 103, 104)).did, '...f');
    t.equal(run(terms, each(101, 102, 99, 101, 101, 101, 101)).did, '......f');
    t.equal(run(terms, each(101, 102, null, 101, 101, 101, 101)).did, '......f');
    const { state } = run(terms, each(99, 101));
    t.equal(
      dueOf({ ...usual, ...terms }, state),
      4_000,
      'three seconds after the value of the first second',
    );
  },
);

t.test(
  'cooldown: no second firing before its end, and then at once where the condition holds',
  async (t) => {
    const terms = { condition: { type: 'above', value: 100 }, cooldown: 10 } as const;
    t.equal(
      run(terms, [
        [0, 101],
        [1, 99],
        [2, 101],
        [9, 105],
        [10, 104],
      ]).did,
      'fr..f',
    );
  },
);

t.test(
  'crosses: the first value says on which side it begins; each side once; one direction where wanted',
  async (t) => {
    const any = { condition: { type: 'crosses', value: 100, direction: 'any' } } as const;
    t.equal(run(any, each(101, 102, 99, 98, 101)).did, '..f.f');
    t.equal(
      run(any, each(100, 101, 100, 101)).did,
      '....',
      'to touch the level is not to cross it',
    );
    const up = { condition: { type: 'crosses', value: 100, direction: 'up' } } as const;
    t.equal(run(up, each(101, 99, 101, 99, 101)).did, '..f.f');
    const calm = { ...any, hysteresis: 5 };
    t.equal(run(calm, each(99, 101, 99, 106, 99, 94)).did, '...f.f');
    t.equal(run({ ...any, for: 2 }, each(99, 101, 101, 99, 101, 101, 101)).did, '......f');
    t.equal(
      run({ ...any, cooldown: 10 }, [
        [0, 99],
        [1, 101],
        [5, 99],
        [12, 101],
      ]).did,
      '.f.f',
      'what is crossed in the cool-down is not made up for',
    );
  },
);

t.test(
  'change: from the lowest or highest value within the time, which begins anew after a firing',
  async (t) => {
    const up = { condition: { type: 'change', percent: 10, within: 60, direction: 'up' } } as const;
    const rising = run(up, [
      [0, 100],
      [30, 105],
      [50, 110],
      [55, 112],
      [80, 121],
    ]);
    t.strictSame([rising.did, rising.previous], ['..f.f', [100, 110]]);
    t.equal(
      run(up, [
        [0, 100],
        [61, 105],
        [122, 110],
      ]).did,
      '...',
      'older values do not count',
    );
    const still = run(up, [
      [0, 100],
      [600, 110],
      [630, 115],
    ]);
    t.strictSame(
      [still.did, still.previous],
      ['.f.', [100]],
      'what stood still for longer than the time was so until it moved',
    );
    t.equal(
      run(up, [
        [0, 100],
        [300, null],
        [600, 110],
      ]).did,
      '...',
      'unless it was not known meanwhile',
    );
    t.equal(
      run(up, [
        [0, 100],
        [600, 105],
        [630, 110],
        [661, 113],
      ]).did,
      '..f.',
      'and within the time after that',
    );
    const down = {
      condition: { type: 'change', percent: 10, within: 60, direction: 'down' },
    } as const;
    t.equal(
      run(down, [
        [0, 100],
        [10, 120],
        [20, 110],
        [30, 108],
      ]).did,
      '...f',
    );
    t.equal(
      run(up, [
        [0, -100],
        [1, 100],
      ]).did,
      '..',
      'there is no percentage of a negative value',
    );
  },
);

t.test('between the quiet values nothing follows from a value', async (t) => {
  const holds = fc.property(
    terms,
    fc.array(value, { minLength: 1, maxLength: 30 }),
    value,
    (of, values, next) => {
      let state: RuleState = armed;
      let last: number | null = null;
      for (const [s, one] of values.entries()) {
        const now = s * 1_000;
        state = step(of, state, { value: one, before: last, at: now, now }).state;
        last = one;
      }
      const { up, down } = quietOf(of, state, last);
      if (next >= up || next <= down || state.phase === 'pending') return true;
      const now = values.length * 1_000;
      return step(of, state, { value: next, before: last, at: now, now }).state === state;
    },
  );
  fc.assert(holds, { numRuns: 500 });
  t.pass('500 histories');
});

t.test(
  'a rule never fires twice within its cool-down, nor twice without coming back',
  async (t) => {
    const holds = fc.property(terms, fc.array(value, { maxLength: 60 }), (of, values) => {
      let state: RuleState = armed;
      const fired: number[] = [];
      for (const [s, one] of values.entries()) {
        const [before, now] = [values[s - 1] ?? null, s * 1_000];
        const taken = step(of, state, { value: one, before, at: now, now });
        if (taken.outcome === 'fired') fired.push(s);
        // The number of a state grows with each that is to be stored.
        if (taken.keep === 'now' && taken.state.seq !== state.seq + 1) return false;
        state = taken.state;
      }
      return fired.every((s, i) => i === 0 || s - (fired[i - 1] ?? 0) >= of.cooldown);
    });
    fc.assert(holds, { numRuns: 500 });
    t.pass('500 histories');
  },
);

t.test(
  'the text of a firing has the level as it was given, and the value that is above it',
  async (t) => {
    const textOf = (level: number, value: number) => {
      const rule = {
        name: 'A',
        path: '/v1/x',
        condition: { type: 'above', value: level } as const,
      };
      return eventText(rule, { kind: 'fired', subject: null, value });
    };
    t.match(textOf(1_234_567_890, 1_234_567_891.5), '1,234,567,891.5 (above 1,234,567,890;');
    t.match(textOf(1e-10, 1.00000001e-10), '0.000000000100000001 (above 0.0000000001;');
  },
);
