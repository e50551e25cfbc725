/** Options: Black-76 against the figures of Deribit, its limits and symmetries, and what is made of chains. */
import t from 'tap';
import { interestByAsset } from '../../../indicators/market/ratios.ts';
import {
  type Black76,
  gammaOf,
  greeksOf,
  type OptionType,
  yearsBetween,
} from '../../../indicators/options/black76.ts';
import {
  expiriesOf,
  greeksOfRow,
  type OptionRow,
  putCallRatio,
  sumsOf,
} from '../../../indicators/options/chain.ts';
import { gammaExposure, gammaFlip } from '../../../indicators/options/gamma-exposure.ts';
import { maxPain, painAt } from '../../../indicators/options/max-pain.ts';
import { cumulative, density } from '../../../indicators/options/normal.ts';
import {
  atTheMoney,
  forwardVolatility,
  middleOf,
  skewOf,
  smileOf,
  volatilityAtDelta,
} from '../../../indicators/options/surface.ts';
import { day, now, optionRow } from './rows.ts';

const near = (a: number | null | undefined, b: number, part = 1e-6): boolean =>
  typeof a === 'number' && Math.abs(a - b) <= part * Math.max(1e-12, Math.abs(b));

/** Deribit's sample of `public/ticker`. */
const sample: Black76 = {
  type: 'call',
  forward: 38_992.71,
  strike: 40_000,
  volatility: 0.6127,
  years: 0.882973489948,
};

/** Options of all kinds, drawn from a fixed sequence. */
const drawn: readonly Black76[] = Array.from({ length: 300 }, (_, i) => {
  const part = (k: number) => ((i + 1) * k) % 1;
  const forward = 10 ** (5 * part(0.6180339887));
  return {
    type: i % 2 === 0 ? ('call' as const) : ('put' as const),
    forward,
    strike: forward * (0.6 + 0.9 * part(0.7548776662)),
    volatility: 0.2 + 1.3 * part(0.5698402909),
    years: 0.02 + 2 * part(0.8191725134),
  };
});

/** The first of the drawn options of which something does not hold. */
const first = (holds: (option: Black76) => boolean) => drawn.find((option) => !holds(option));
const value = (option: Black76) => greeksOf(option)?.price ?? Number.NaN;
const delta = (option: Black76) => greeksOf(option)?.delta ?? Number.NaN;

/** Simpson's rule from far below. */
function integral(x: number): number {
  const steps = 4000;
  const [from, width] = [-12, (x + 12) / 4000];
  let sum = density(from) + density(x);
  for (let i = 1; i < steps; i++) sum += density(from + i * width) * (i % 2 === 0 ? 2 : 4);
  return (sum * width) / 3;
}

t.test('the normal distribution: as the integral of its density', async (t) => {
  for (const x of [-7.5, -5, -2.5, -1, -0.1, 0, 0.3, 1, 1.96, 4]) {
    t.ok(Math.abs(cumulative(x) - integral(x)) < 1e-12, `${x}: ${cumulative(x)}`);
  }
  t.strictSame([cumulative(40), cumulative(-40), cumulative(0)], [1, 0, 0.5]);
  t.ok(near(cumulative(-7.2), 3.0106e-13, 1e-4), 'the far tail');
});

t.test('Black-76: the reference vector, and what Deribit has published for it', async (t) => {
  const greeks = greeksOf(sample);
  const found = { ...greeks, price: value(sample) / sample.forward };
  const wanted = {
    delta: 0.596217,
    gamma: 0.0000172513,
    vega: 141.90087,
    theta: -13.48846,
    rho: 130.63832,
    price: 0.2167802,
  };
  for (const [name, number] of Object.entries(wanted)) {
    t.ok(near(found[name as keyof typeof found], number, 1e-5), `${name}: ${number}`);
  }
  const published = {
    delta: 0.59621,
    vega: 141.90146,
    theta: -13.48784,
    rho: 130.63998,
    price: 0.2168,
  };
  for (const [name, number] of Object.entries(published)) {
    t.ok(near(found[name as keyof typeof found], number, 1e-4), `published ${name}: ${number}`);
  }
});

t.test('Black-76: greeks are the derivatives of the price', async (t) => {
  const slope = (option: Black76, key: 'forward' | 'volatility' | 'years', part = 1e-5) => {
    const step = option[key] * part;
    const at = (sign: number) => value({ ...option, [key]: option[key] + sign * step });
    return (at(1) - at(-1)) / (2 * step);
  };
  const close = (a: number, b: number, size: number) => Math.abs(a - b) <= 1e-5 * size;
  const wrong = first((option) => {
    const greeks = greeksOf(option);
    const { forward, years } = option;
    return (
      greeks !== null &&
      close(greeks.delta, slope(option, 'forward'), 1) &&
      close(greeks.vega * 100, slope(option, 'volatility'), forward) &&
      close(greeks.theta * 365, -slope(option, 'years'), forward / years) &&
      near(gammaOf(option), greeks.gamma, 1e-12)
    );
  });
  t.equal(wrong, undefined);
  const gamma = (option: Black76) => {
    const step = option.forward * 1e-4;
    const at = (sign: number) => delta({ ...option, forward: option.forward + sign * step });
    return (at(1) - at(-1)) / (2 * step);
  };
  t.equal(
    first((option) =>
      close(gamma(option) * option.forward, (gammaOf(option) ?? 0) * option.forward, 10),
    ),
    undefined,
  );
});

t.test('Black-76: parity, bounds, monotonicity', async (t) => {
  const both = (option: Black76) => {
    const [call, put] = [value({ ...option, type: 'call' }), value({ ...option, type: 'put' })];
    return { call, put, parity: option.forward - option.strike };
  };
  t.equal(
    first((option) => {
      const { call, put, parity } = both(option);
      return Math.abs(call - put - parity) <= 1e-9 * option.forward;
    }),
    undefined,
    'call less put is forward less strike',
  );
  t.equal(
    first((option) => {
      const { call, put, parity } = both(option);
      const slack = 1e-9 * option.forward;
      const callFits = call >= parity - slack && call <= option.forward;
      return callFits && put >= -parity - slack && put <= option.strike;
    }),
    undefined,
    'between inner value and the whole',
  );
  t.equal(
    first((option) => {
      const more = { ...option, volatility: option.volatility * 1.1 };
      const later = { ...option, years: option.years * 1.1 };
      return value(more) > value(option) && value(later) > value(option);
    }),
    undefined,
    'more volatility and more time cost more',
  );
  t.equal(
    first((option) => {
      const call = delta({ ...option, type: 'call' });
      const put = delta({ ...option, type: 'put' });
      return call > 0 && call < 1 && Math.abs(call - put - 1) < 1e-12;
    }),
    undefined,
    'delta of a call less that of a put is 1',
  );
});

t.test('Black-76: limits, and where it is not defined', async (t) => {
  const deep = { ...sample, strike: 1e-3 };
  t.ok(near(value(deep), deep.forward - deep.strike, 1e-9), 'far in the money');
  t.ok(near(delta(deep), 1, 1e-9));
  t.ok(value({ ...sample, strike: 1e9 }) < 1e-6, 'far out of the money');
  t.ok(near(value({ ...sample, years: 1e-12, strike: 30_000 }), 8_992.71, 1e-9), 'at expiry');
  for (const key of ['forward', 'strike', 'volatility', 'years'] as const) {
    for (const bad of [0, -1, Number.NaN, Infinity]) {
      const option = { ...sample, [key]: bad };
      t.strictSame([greeksOf(option), gammaOf(option)], [null, null]);
    }
  }
});

/** An option that expires in 30 days. */
const row = (type: 'call' | 'put', strike: number, more: Partial<OptionRow> = {}) =>
  optionRow({ type, strike, ...more });

t.test('chains: sums and expiries', async (t) => {
  const rows = [
    row('call', 100, { open_interest: 4, volume: 2 }),
    row('put', 90, { open_interest: 1, underlying: 102 }),
    row('put', 80, { open_interest: 2, expiry: now + day, volume: 1 }),
    row('put', 80, { expiry: now }),
  ];
  t.match(sumsOf(rows.slice(0, 3)), {
    instruments: 3,
    calls: 4,
    puts: 3,
    open_interest: 7,
    volume: 3,
    volume_usd: 300,
    open_interest_usd: 4 * 100 + 102 + 200,
  });
  t.match(sumsOf([row('put', 90)]), { volume: null, volume_usd: null, calls: 0 });
  t.strictSame(
    [putCallRatio({ calls: 4, puts: 2 }), putCallRatio({ calls: 0, puts: 2 })],
    [0.5, null],
  );
  const expiries = expiriesOf(rows, now);
  t.strictSame(
    expiries.map(({ expiry, forward, rows: own }) => [expiry - now, forward, own.length]),
    [
      [day, 100, 1],
      [30 * day, 101, 2],
    ],
    'soonest first, without what has expired',
  );
  t.equal(expiries[0]?.years, 1 / 365);
});

t.test('greeks of a row: as published, else computed, else none', async (t) => {
  const published = { delta: 0.5, gamma: 0.01, theta: -1, vega: 0.1 };
  t.match(greeksOfRow(row('call', 100, published), now), { ...published, source: 'published' });
  const [computed, ...more] = Object.keys(published).map((name) =>
    greeksOfRow(row('call', 100, { ...published, [name]: null }), now),
  );
  t.match(computed, { source: 'computed' });
  for (const one of more) t.same(one, computed);
  t.ok(near(computed?.delta, 0.52855, 1e-3), 'N(0.5 x sqrt(30 / 365) / 2)');
  t.equal(greeksOfRow(row('call', 100, { iv: null }), now), null);
  t.equal(greeksOfRow(row('call', 100, { expiry: now - 1 }), now), null);
});

t.test('max pain: by hand', async (t) => {
  const rows = [
    row('call', 90, { open_interest: 10 }),
    row('call', 110, { open_interest: 5 }),
    row('put', 100, { open_interest: 20 }),
    row('put', 120, { open_interest: 0 }),
  ];
  // At 90: 20 x 10; at 100: 10 x 10; at 110: 10 x 20; at 120: 10 x 30 + 5 x 10.
  t.strictSame(
    [90, 100, 110, 120].map((price) => painAt(rows, price)),
    [200, 100, 200, 350],
  );
  t.strictSame(maxPain(rows), { price: 100, pain: 100 });
  t.strictSame(maxPain([row('call', 100), row('call', 110)]), { price: 100, pain: 0 });
  t.strictSame(
    maxPain([row('put', 100), row('call', 110)]),
    { price: 100, pain: 0 },
    'the lowest of several',
  );
  const parts = [100, 101, 102].map((strike, at) =>
    row(at < 2 ? 'call' : 'put', strike, { open_interest: [0.1, 0.7, 0.8][at] ?? 0 }),
  );
  const further = [
    row('put', 103, { open_interest: 0.1 }),
    row('call', 99, { open_interest: 0.1 }),
  ];
  t.equal(
    maxPain([...parts, ...further])?.price,
    101,
    'the lowest of equal ones, but for rounding',
  );
  t.equal(maxPain([row('call', 100, { open_interest: 0 })]), null);
  t.equal(maxPain([]), null);
});

t.test('max pain: no settlement costs less, on strikes or between them', async (t) => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const rows = Array.from({ length: 40 }, (_, i) =>
      row(i % 2 === 0 ? 'call' : 'put', 50 + 5 * Math.floor(i / 2), {
        open_interest: ((i + seed) * 37 * seed) % 23,
      }),
    );
    const least = maxPain(rows)?.pain ?? Number.NaN;
    const lower = Array.from({ length: 300 }, (_, i) => 20 + i * 0.7).find(
      (price) => painAt(rows, price) < least - 1e-9,
    );
    t.equal(lower, undefined);
  }
});

/** Where a function changes its sign, halving the range. */
function rootOf(of: (x: number) => number, [from, to]: [number, number]): number {
  const isLow = of(from) < 0;
  let [low, high] = [from, to];
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (of(middle) < 0 === isLow) low = middle;
    else high = middle;
  }
  return low;
}

const smile = smileOf({
  rows: [
    row('call', 100, { iv: 0.5 }),
    row('put', 100, { iv: 0.52 }),
    row('put', 90, { iv: 0.6 }),
    row('put', 90, { iv: 0.62 }),
    row('call', 110, { iv: 0.55 }),
    row('call', 120, { iv: null }),
  ],
});
const at = { forward: 101, years: 30 / 365 };

t.test('the smile: strikes with a volatility, and the one at the money', async (t) => {
  t.strictSame(smile, [
    { strike: 90, call: null, put: 0.61 },
    { strike: 100, call: 0.5, put: 0.52 },
    { strike: 110, call: 0.55, put: null },
  ]);
  t.equal(middleOf({ strike: 1, call: null, put: null }), null);
  t.ok(near(atTheMoney(smile, 101), 0.51));
  t.equal(atTheMoney(smile, 105), 0.51, 'the lower of two as near');
  t.same([atTheMoney(smile, 91), atTheMoney(smile, 109)], [0.61, 0.55]);
  t.equal(atTheMoney([], 101), null);
});

t.test('the smile at a delta: between the strikes, and nothing beyond them', async (t) => {
  const flat = Array.from({ length: 21 }, (_, i) => ({ strike: 80 + 2 * i, call: 0.5, put: 0.5 }));
  const skew = skewOf(flat, at);
  t.ok(near(skew.call, 0.5) && near(skew.put, 0.5), 'of a flat smile');
  t.ok(Math.abs(skew.skew ?? 1) < 1e-12 && Math.abs(skew.butterfly ?? 1) < 1e-12);
  const steep = flat.map(({ strike }) => {
    const volatility = 0.5 - (strike - 100) / 100;
    return { strike, call: volatility, put: volatility };
  });
  // The line of the smile names the strike of a volatility: where the delta on it is a quarter.
  const onLine = (type: OptionType) => (strike: number) => {
    const volatility = 0.5 - (strike - 100) / 100;
    return Math.abs(delta({ type, strike, volatility, ...at })) - 0.25;
  };
  const wanted = {
    call: 0.5 - (rootOf(onLine('call'), [100, 120]) - 100) / 100,
    put: 0.5 - (rootOf(onLine('put'), [80, 100]) - 100) / 100,
  };
  const found = skewOf(steep, at);
  const [call, put] = [found.call ?? 0, found.put ?? 0];
  t.ok(Math.abs(call - wanted.call) < 1e-3 && Math.abs(put - wanted.put) < 1e-3);
  // 100 is the strike nearest to 101.
  t.match(found, { skew: put - call, butterfly: (call + put) / 2 - 0.5 });
  const greeks = { type: 'call', strike: 100, volatility: 0.5, ...at } as const;
  const own = greeksOf(greeks)?.delta ?? 0;
  t.equal(volatilityAtDelta(flat.slice(10, 11), at, 'call', own), 0.5, 'at one strike exactly');
  t.ok(near(volatilityAtDelta(flat, at, 'call', 0.25), 0.5));
  // Deltas of 0.225 and 0.444, worked by hand: 0.25 is 0.11 of the way from 0.6 to 0.5.
  const two = [
    { strike: 90, call: null, put: 0.6 },
    { strike: 100, call: null, put: 0.5 },
  ];
  t.ok(Math.abs((volatilityAtDelta(two, at, 'put', 0.25) ?? 0) - 0.5886) < 0.001);
  t.match(skewOf(smile, at), { call: null, skew: null, butterfly: null }, 'too few strikes');
  t.equal(volatilityAtDelta(flat.slice(0, 2), at, 'call', 0.25), null, 'all deltas are higher');
});

t.test('forward volatility between two expiries', async (t) => {
  const near1 = { years: 0.25, volatility: 0.4 };
  t.ok(
    near(forwardVolatility(near1, { years: 1, volatility: 0.5 }), Math.sqrt((0.25 - 0.04) / 0.75)),
  );
  t.ok(near(forwardVolatility(near1, { years: 0.5, volatility: 0.4 }), 0.4), 'a flat one');
  t.equal(forwardVolatility(near1, { years: 0.3, volatility: 0.2 }), null, 'less variance later');
  t.equal(forwardVolatility(near1, near1), null);
  t.equal(forwardVolatility(near1, { years: 1, volatility: 0.2 }), 0, 'the same variance');
});

t.test('gamma exposure: dollars per 1 %, puts against calls', async (t) => {
  const call = row('call', 100, { open_interest: 3 });
  const gamma = greeksOfRow(call, now)?.gamma ?? 0;
  t.ok(near(gammaExposure([call], now).calls, gamma * 3 * 100 * 100 * 0.01));
  const both = gammaExposure([call, row('put', 100, { open_interest: 3 })], now);
  t.ok(near(both.puts, -both.calls) && both.net === 0, 'as many puts as calls');
  const none = [row('call', 100, { open_interest: 0 }), row('call', 100, { iv: null })];
  t.strictSame(gammaExposure([...none, row('put', 1, { expiry: now })], now).net, 0);
  const flip = gammaFlip([row('put', 90, { open_interest: 5 }), row('call', 110)], now) ?? 0;
  const rows = [row('put', 90, { open_interest: 5 }), row('call', 110)];
  const net = (factor: number) => gammaExposure(rows, now, (price) => price * factor).net;
  t.ok(flip > 1 && net(flip - 0.01) < 0 && net(flip + 0.01) > 0, `changes its sign at ${flip}`);
  t.ok(Math.abs(flip - rootOf(net, [1.16, 1.17])) < 1e-4, 'linear between two steps of 1 %');
  t.equal(gammaFlip([call], now), null, 'calls alone');
  const last = { expiry: now + 120_000 };
  t.equal(gammaFlip([row('call', 100, last), row('call', 105, last)], now), null, 'to the end');
  const sums = interestByAsset(rows, [row('put', 90, { symbol: 'ETH', underlying: 7 }), call]);
  t.same([...sums].flat(), ['BTC', { units: 9, value: 900 }, 'ETH', { units: 1, value: 7 }]);
  t.equal(gammaFlip([], now), null);
});

t.test('a year has 365 days', async (t) => t.equal(yearsBetween(now, now + 73 * day), 0.2));
