/** Option chains of the exchanges: their common fields, bodies of our own, broken ones, and recordings. */
import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import { isRecord } from '../../../actors/read.ts';
import { deribit } from '../../../actors/venues/deribit/index.ts';
import { okx } from '../../../actors/venues/okx/index.ts';
import {
  countOf,
  expiryReader,
  optionOf,
  priceIn,
  typeOf,
  volatilityOf,
} from '../../../actors/venues/option-rows.ts';
import { interestByAsset } from '../../../indicators/market/ratios.ts';
import { greeksOf, yearsBetween } from '../../../indicators/options/black76.ts';
import { greeksOfRow } from '../../../indicators/options/chain.ts';
import { optionRow } from '../../indicators/options/rows.ts';
import { absent, recording } from '../../support/recordings.ts';
import { likeRows, sameRows } from '../../support/table.ts';
import { bodiesOf, fixture, ownPoll, received } from './fixtures.ts';

const context = { received, instruments: new Map() };
const coins = ownPoll(deribit, 'options', 'BTC');
const family = ownPoll(okx, 'options', 'BTC');
const bodies = { deribit: [fixture(deribit, 'options')], okx: bodiesOf(okx, 'options') };
const near = (a: number | null | undefined, b: number, part: number): boolean =>
  typeof a === 'number' && Math.abs(a - b) <= part * Math.abs(b);

t.test('days of expiry are read once and end at 08:00 UTC', async (t) => {
  const asked: string[] = [];
  const read = expiryReader((word) => {
    asked.push(word);
    return word;
  });
  const words = ['2025-06-27', '2025-06-27', '2025-02-31'];
  t.same(words.map(read), [Date.UTC(2025, 5, 27, 8), Date.UTC(2025, 5, 27, 8), Number.NaN]);
  t.strictSame(asked, ['2025-06-27', '2025-02-31']);
});

t.test('fields of an option: an empty or invalid value is null', async (t) => {
  t.strictSame(['C', 'P'].map(typeOf), ['call', 'put']);
  t.strictSame(
    ['0.005', 0, '', -1, '1e308'].map((value) => priceIn(value, 100)),
    [0.5, null, null, null, null],
  );
  t.strictSame(['2', 0, '', -1].map(countOf), [2, 0, null, null]);
  t.strictSame(
    [volatilityOf('45.5', 0.01), volatilityOf(0), volatilityOf(0.5)],
    [0.455, null, 0.5],
  );
  t.equal(volatilityOf('1e308', 100), null);
});

t.test('an option needs its terms, what is open, and a forward', async (t) => {
  const whole = optionRow({ open_interest: 0, underlying: 100 });
  t.equal(optionOf(whole), whole, 'nothing may be open');
  const small = { ...whole, expiry: 1, strike: 0.5, underlying: 0.5, open_interest: 0.5 };
  t.equal(optionOf(small), small);
  const bad = [
    ...[{ symbol: '' }, { expiry: 0 }, { expiry: Number.NaN }, { strike: 0 }, { underlying: 0 }],
    ...[{ open_interest: -1 }, { open_interest: Number.NaN }, { open_interest: 1e307 }],
  ];
  for (const one of bad) t.equal(optionOf({ ...whole, ...one }), null, JSON.stringify(one));
});

t.test('Deribit: coin-settled options in coins, USDC-settled ones in dollars', async (t) => {
  const { rows, dropped } = coins.parse(bodies.deribit, context);
  const nothing = { bid_iv: null, ask_iv: null, delta: null, gamma: null, theta: null, vega: null };
  t.strictSame(rows, [
    {
      ...{ market: 'BTC-27JUN25-100000-C', symbol: 'BTC', settle: 'BTC', type: 'call' },
      ...{ expiry: Date.UTC(2025, 5, 27, 8), strike: 100_000, open_interest: 364.5 },
      ...{ volume: 12.5, premium: 98_000.5, mark: 0.08 * 105_000, bid: 0.079 * 105_000 },
      ...{ ask: 0.0815 * 105_000, iv: 0.4525, underlying: 105_000, ...nothing },
      stated: 1_750_000_000_500,
    },
    {
      ...{ market: 'BTC-4JUL25-90000-P', symbol: 'BTC', settle: 'BTC', type: 'put' },
      ...{ expiry: Date.UTC(2025, 6, 4, 8), strike: 90_000, open_interest: 0 },
      ...{ volume: 0, premium: 0, mark: 0.001 * 105_100, bid: null, ask: null, iv: null },
      ...{ underlying: 105_100, ...nothing, stated: 1_750_000_000_500 },
    },
    {
      ...{ market: 'XRP_USDC-4JUL25-2d25-P', symbol: 'XRP', settle: 'USDC', type: 'put' },
      ...{ expiry: Date.UTC(2025, 6, 4, 8), strike: 2.25, open_interest: 2_000 },
      ...{ volume: 100, premium: null, mark: 0.11, bid: 0.1, ask: 0.12, iv: 0.8 },
      ...{ underlying: 2.2, ...nothing, stated: 1_750_000_000_500 },
    },
  ]);
  t.strictSame(
    dropped.map(({ key }) => key),
    [
      ...['ETH-27JUN25-2500-C', 'ETH-31FEB25-2500-C', 'ETH-27JUN25-2500-X'],
      ...['ETH-27JUN25-2600-P', 'ETH-27JUN25-0-P'],
    ],
    'no forward, no day, no type, less than nothing, no strike',
  );
  const sums = interestByAsset(rows, [optionRow({ open_interest: 2, underlying: 3 })]);
  t.strictSame(sums.get('BTC'), { units: 366.5, value: 364.5 * 105_000 + 6 });
});

t.test('OKX: base units, and the greeks in dollars', async (t) => {
  const { rows, dropped } = family.parse(bodies.okx, context);
  sameRows(t, rows)`
    market                  symbol settle type expiry                      strike  open_interest volume premium
    BTC-USD-250627-100000-C BTC    BTC    call ${Date.UTC(2025, 5, 27, 8)} 100_000 3             1.5    -
    BTC-USD-250627-110000-P BTC    BTC    put  ${Date.UTC(2025, 5, 27, 8)} 110_000 0             -      -
    BTC-USD-250627-120000-P BTC    BTC    put  ${Date.UTC(2025, 5, 27, 8)} 120_000 0.01          -      -

    mark          bid          ask          iv   bid_iv ask_iv underlying delta gamma   theta  vega  stated
    0.085*105_000 0.08*105_000 0.09*105_000 0.45 0.44   -      105_000    0.68  0.00003 -105.5 84.25 1_750_000_000_100
    -             -            -            0.5  -      -      105_000    -     -       -      -     1_750_000_000_100
    // Its own summary states no forward: that of the nearest expiry stands in.
    -             -            -            -    -      -      105_000    -     -       -      -     -
  `;
  t.strictSame(
    dropped.map(({ key }) => key),
    ['BTC-USD-250627-130000-P'],
    'nothing stated to be open',
  );
  const [interests, summaries] = bodies.okx;
  const listed = { data: [{ instId: 'BTC-USD-250627-100000-C' }] };
  const unpriced = family.parse([interests, listed, undefined, undefined], context);
  t.strictSame(unpriced.rows, [], 'no forward is known');
  const less = family.parse([interests, summaries, undefined, undefined], context).rows;
  t.match(less[0], { open_interest: 3, delta: 0.68, mark: null, bid: null, volume: null });
  const optionals = family.requests({ markets: [] }).map(({ optional }) => optional === true);
  t.strictSame(optionals, [false, false, true, true]);
});

t.test('no list is no chain', async (t) => {
  for (const wrong of [undefined, {}, { code: '0', data: [] }, { result: [] }]) {
    t.throws(() => coins.parse([wrong], context), ShapeError);
    t.throws(() => family.parse(Array(4).fill(wrong), context), ShapeError);
  }
});

t.test('as recorded', { skip: absent }, async (t) => {
  const of = (venue: string, name: string) => recording(venue, name)?.response;
  for (const name of ['analytics-option-book-summary', 'book-summary-options']) {
    const { rows, dropped } = coins.parse([of('deribit', name)], context);
    t.strictSame(dropped, []);
    likeRows(t, rows)`
      market              open_interest volume premium strike expiry                      mark
      BTC-28JUN24-42000-C 364.1         0.1    2836.83 42_000 ${Date.UTC(2024, 5, 28, 8)} 0.40752052*68_827.27
    `;
    t.strictSame(interestByAsset(rows).get('BTC')?.value, 364.1 * 68_827.27);
  }
  const summary = of('okx', 'analytics-opt-summary');
  const interest = of('okx', 'analytics-option-open-interest');
  const [open] = isRecord(interest) && Array.isArray(interest.data) ? interest.data : [];
  // The two samples are of different years: the first option gets what is open in the second.
  const instId = 'BTC-USD-240329-32000-C';
  const { rows } = family.parse(
    [{ data: [{ ...open, instId }] }, summary, undefined, undefined],
    context,
  );
  const [row] = rows;
  t.match(row, {
    ...{ open_interest: 3, delta: 0.7325502184143025, theta: -18.52354631567909 },
    ...{ iv: 0.5916253554539876, bid_iv: null, ask_iv: null },
  });
  if (!row) return;
  const at = 1_699_586_421_976;
  t.match(greeksOfRow(row, at), { source: 'published', vega: 74.44022302387287 });
  const computed = greeksOfRow({ ...row, delta: null }, at);
  t.ok(near(computed?.delta, 0.7326, 0.004), `delta ${computed?.delta}`);
  t.ok(near(computed?.theta, -16.1, 0.005), `theta ${computed?.theta}: not that of the exchange`);
});

t.test('the recorded greeks of Deribit', { skip: absent }, async (t) => {
  const { response } = recording('deribit', 'analytics-option-ticker') ?? {};
  const ticker = isRecord(response) && isRecord(response.result) ? response.result : {};
  const published = isRecord(ticker.greeks) ? ticker.greeks : {};
  const years = yearsBetween(Number(ticker.timestamp), Date.UTC(2024, 8, 27, 8));
  const computed = greeksOf({
    ...{ type: 'call', forward: Number(ticker.underlying_price), strike: 40_000 },
    ...{ volatility: Number(ticker.mark_iv) / 100, years },
  });
  const { delta = 0, gamma = 0, theta = 0, vega = 0, rho = 0 } = computed ?? {};
  for (const [name, value] of Object.entries({ delta, theta, vega, rho })) {
    t.ok(near(value, Number(published[name]), 5e-5), `${name} ${value}`);
  }
  t.equal(Number(gamma.toFixed(5)), published.gamma, 'published to five decimals');
});
