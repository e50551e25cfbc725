import t from 'tap';
import { VenueEvidence } from '../../../../actors/sources/quality/evidence.ts';
import { retainGood } from '../../../../actors/sources/quality/rows.ts';
import { Suspects } from '../../../../actors/sources/quality/suspects.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import { otherPrices } from '../../../../actors/state/other-prices.ts';
import {
  type OpenInterestRow,
  type PriceRow,
  type Reading,
  topics,
} from '../../../../actors/topics/index.ts';
import { FakeClock } from '../../../support/clock.ts';
import { derivativeRow, instrument, interestRow, priceRow } from '../../../support/makers.ts';

const row = (price: number, over: Partial<PriceRow> = {}) =>
  priceRow({ kind: 'perpetual', price, volume: 1, ...over });
const markRow = (mark: number) =>
  derivativeRow({
    mark,
    index: null,
    funding_rate: null,
    funding_hours: null,
    funding_rate_8h: null,
  });

/** Polls of one part of exchange `a`, one every 30 s, as an outlet makes readings of them. */
function stage(listed: ReadonlyMap<string, unknown> | null = null) {
  const clock = new FakeClock();
  const newest = new NewestRows();
  const evidence = new VenueEvidence('a', { clock, newest });
  const { maxAge } = topics.prices;
  let suspects = new Suspects(evidence.prices, maxAge);
  let previous: Reading<PriceRow> | undefined;
  const reading = (source: string, rows: PriceRow[]): Reading<PriceRow> => {
    const at = clock.now();
    return { source, part: 'linear', asked: at, received: at, rows };
  };
  const poll = async (...rows: PriceRow[]) => {
    await clock.advance(30_000);
    const received = clock.now();
    const checked = suspects.check({ rows, received, previous, listed });
    const kept = retainGood(checked, previous, { received, maxAge, listed });
    previous = { ...reading('a', kept), suspect: checked.suspect };
    const { dropped } = checked;
    return {
      prices: Object.fromEntries(kept.map(({ market, price }) => [market, price])),
      suspect: checked.suspect.map(({ market }) => market),
      dropped: dropped.map(({ code }) => code),
      ages: kept.map((one) => (one.received === undefined ? 0 : received - one.received)),
    };
  };
  return {
    clock,
    evidence,
    poll,
    elsewhere: (...rows: PriceRow[]) => newest.accept('prices', reading('b', rows)),
    restart: () => {
      suspects = new Suspects(evidence.prices, maxAge);
    },
  };
}

t.test('a jump waits for a second poll; the last price stands with its age', async (t) => {
  const { poll } = stage();
  await poll(row(100));
  t.same(await poll(row(50, { volume: 2 })), {
    prices: { BTCUSDT: 100 },
    suspect: ['BTCUSDT'],
    dropped: ['suspect'],
    ages: [30_000],
  });
  t.same(await poll(row(49, { volume: 3 })), {
    prices: { BTCUSDT: 49 },
    suspect: [],
    dropped: [],
    ages: [0],
  });
});

t.test('the same body again confirms nothing', async (t) => {
  const { poll } = stage();
  await poll(row(100));
  for (let i = 0; i < 3; i++) t.match(await poll(row(50)), { prices: { BTCUSDT: 100 } });
  const later = await poll(row(50, { stated: 1_700_000_000_000 }));
  t.match(later, { prices: { BTCUSDT: 50 } }, 'a new time is fresh data');
});

t.test('a quiet market is confirmed by a body in which others have moved', async (t) => {
  const { poll } = stage();
  const other = (price: number) => row(price, { market: 'ETHUSDT', symbol: 'ETH' });
  await poll(row(100), other(10));
  t.match(await poll(row(50), other(10)), { suspect: ['BTCUSDT'] });
  t.match(await poll(row(50), other(10.1)), { suspect: [], prices: { BTCUSDT: 50 } });
});

t.test('another jump starts a new confirmation; a return needs none', async (t) => {
  const { poll } = stage();
  await poll(row(100));
  await poll(row(50));
  t.match(await poll(row(100_000)), { suspect: ['BTCUSDT'], prices: { BTCUSDT: 100 } });
  t.match(await poll(row(101)), { suspect: [], prices: { BTCUSDT: 101 } });
  t.match(await poll(row(100_000, { volume: 9 })), { suspect: ['BTCUSDT'] }, 'the old one is gone');
});

t.test('a second source confirms at once', async (t) => {
  const { poll, elsewhere } = stage();
  await poll(row(100));
  elsewhere(row(51), row(2_000, { symbol: 'ETH' }));
  t.match(await poll(row(50)), { suspect: [], prices: { BTCUSDT: 50 } });
});

t.test('a first price is published, unless its row states another unit', async (t) => {
  const { poll, elsewhere } = stage();
  elsewhere(row(100));
  const other = row(3_000, { market: 'NEW', symbol: 'NEW', doubt: 'unit' });
  t.match(await poll(row(100_000), other), {
    prices: { BTCUSDT: 100_000, NEW: undefined },
    suspect: ['NEW'],
  });
  t.match(await poll(row(99), row(3, { market: 'NEW', symbol: 'NEW' })), {
    prices: { BTCUSDT: 99, NEW: 3 },
    suspect: [],
  });
});

t.test('repetition never confirms a price that its own mark price contradicts', async (t) => {
  const { poll, evidence } = stage();
  await poll(row(100));
  for (let i = 1; i < 4; i++) {
    evidence.observe([markRow(100)]);
    t.match(await poll(row(100_000, { volume: i })), { prices: { BTCUSDT: 100 } });
  }
  evidence.observe([markRow(100_000)]);
  t.match(await poll(row(100_000, { volume: 9 })), { suspect: [] }, 'it has jumped with it');
});

t.test('repetition never confirms a price that its own bid and ask contradict', async (t) => {
  const { poll } = stage();
  await poll(row(100));
  for (let i = 1; i < 4; i++) {
    const found = await poll(row(100_000, { volume: i, doubt: 'unit' }));
    t.match(found, { prices: { BTCUSDT: 100 }, suspect: ['BTCUSDT'] });
  }
});

t.test('a restart goes on from the last good price', async (t) => {
  const { poll, restart } = stage();
  await poll(row(100));
  restart();
  t.match(await poll(row(100_000)), { suspect: ['BTCUSDT'], prices: { BTCUSDT: 100 } });
});

t.test('a last good price that is too old says nothing', async (t) => {
  const { poll, clock } = stage();
  await poll(row(100));
  await clock.advance(topics.prices.maxAge);
  t.match(await poll(row(50)), { suspect: [], prices: { BTCUSDT: 50 } });
});

t.test('a market that left comes back as a new one', async (t) => {
  const { poll } = stage();
  const other = row(1, { market: 'ETHUSDT', symbol: 'ETH' });
  await poll(row(100), other);
  await poll(row(50), other);
  t.match(await poll(other), { suspect: [] }, 'delisted');
  t.match(await poll(row(7), other), { suspect: [], prices: { BTCUSDT: 7 } }, 'relisted');
});

t.test('of a part that rotates, markets that were not asked stay held', async (t) => {
  const listed = new Map(['BTCUSDT', 'ETHUSDT'].map((market) => [market, {}]));
  const { poll } = stage(listed);
  const other = row(1, { market: 'ETHUSDT', symbol: 'ETH' });
  await poll(row(100), other);
  await poll(row(50));
  t.match(await poll(other), { suspect: ['BTCUSDT'], prices: { BTCUSDT: 100 } });
  t.match(await poll(row(50)), { suspect: ['BTCUSDT'] }, 'its own body did not change');
  t.match(await poll(row(51)), { suspect: [], prices: { BTCUSDT: 51 } });
  await poll(row(20));
  const held = [];
  for (let i = 0; i < 11; i++) held.push((await poll(other)).suspect.length);
  t.strictSame(held, [...Array(10).fill(1), 0], 'as long as a good value lasts');
});

t.test('a frozen or old price of another exchange does not confirm a price', async (t) => {
  const clock = new FakeClock();
  const newest = new NewestRows();
  const at = clock.now();
  const base = { part: 'spot', asked: at, received: at };
  newest.accept('prices', { ...base, source: 'frozen', rows: [row(1)], frozen: true });
  newest.accept('prices', { ...base, source: 'old', rows: [row(2, { received: at - 300_001 })] });
  newest.accept('prices', { ...base, source: 'self', rows: [row(3)] });
  newest.accept('prices', {
    ...base,
    source: 'good',
    rows: [row(4, { received: at - 300_000 }), row(5, { symbol: 'ETH' })],
  });
  const found = otherPrices(newest, new Set(['BTC', 'XRP']), { source: 'self', now: at });
  t.same(
    [...found],
    [
      ['BTC', [4]],
      ['XRP', []],
    ],
  );
});

t.test('the value of an open interest is held against its units at the mark price', async (t) => {
  const { evidence } = stage();
  evidence.observe([markRow(100)]);
  const interest = { market: 'BTCUSDT', symbol: 'BTC', quote: 'USDT', mark: null, stated: null };
  t.same(evidence.openInterest.own({ ...interest, units: 3, value: 1 }), [300]);
  t.same(evidence.openInterest.own({ ...interest, units: null, value: 1 }), []);
});

t.test('a good price is published without what contradicts it or jumped beside it', async (t) => {
  const { evidence } = stage();
  const last = row(100, { volume: 1_000, base: 10, change: 2 });
  const whole = (over: Partial<PriceRow>, before: PriceRow | null = last) =>
    evidence.prices.whole(
      row(101, { volume: 1_100, base: 11, change: 3, ...over }),
      before ?? undefined,
    );
  const as = (over: Partial<PriceRow>) => row(101, { volume: 1_100, base: 11, change: 3, ...over });
  t.strictSame(whole({}), [as({}), null]);
  t.strictSame(whole({ bid: 40, ask: 41, doubt: 'value' }), [as({ doubt: 'value' }), 'bad_quotes']);
  t.strictSame(whole({ change: 34 }), [as({ change: null }), 'bad_change']);
  t.strictSame(whole({ change: 34 }, null), [as({ change: 34 }), null], 'the first row');
  t.strictSame(whole({ change: 34 }, row(50, { change: 2 })), [as({ change: 34 }), null], 'a rise');
  const noVolume = [as({ volume: null, base: null }), 'bad_turnover'];
  t.strictSame(whole({ volume: 5_001 }), noVolume);
  t.strictSame(whole({ base: 1.9 }), noVolume);
  t.strictSame(whole({ volume: 0 }), noVolume);
});

t.test('units and mark of an open interest that contradict its value are not used', async (t) => {
  const { evidence } = stage();
  const last = interestRow({ market: 'A', symbol: 'A', units: 2, value: 100, mark: 50 });
  const whole = (over: Partial<OpenInterestRow>, before: OpenInterestRow | undefined = last) =>
    evidence.openInterest.whole({ ...last, ...over }, before);
  t.strictSame(whole({ units: 2.1, value: 105 }), [{ ...last, units: 2.1, value: 105 }, null]);
  const wrongMark = { mark: 50_000, doubt: 'unit' } as const;
  t.strictSame(whole(wrongMark), [{ ...last, ...wrongMark, mark: null }, 'bad_units']);
  const noUnits = { units: null, mark: null };
  const wrongUnits = { units: 2_000, doubt: 'unit' } as const;
  t.strictSame(whole(wrongUnits), [{ ...last, ...wrongUnits, ...noUnits }, 'bad_units']);
  const derived = { units: 0.002, mark: 50_000 };
  t.strictSame(whole(derived), [{ ...last, ...noUnits }, 'bad_units'], 'units of a wrong mark');
  // What nothing is worth depends on no price.
  const none = { ...last, units: 0, value: 0 };
  const jumped = { ...none, mark: 500 };
  t.strictSame(whole(jumped, none), [{ ...none, mark: null }, 'bad_units']);
});

t.test('a contract size changes when a second list states it', async (t) => {
  const { clock, evidence } = stage();
  const suspects = new Suspects(evidence.instruments, 3 * 3_600_000);
  const market = instrument({ market: 'A', symbol: 'A', contract: 0.01 });
  const at = { source: 'a', part: 'linear', asked: 0, received: clock.now() };
  const list = async (contract: number) => {
    await clock.advance(3_600_000);
    const received = clock.now();
    const previous = { ...at, received: received - 3_600_000, rows: [market] };
    const poll = { rows: [{ ...market, contract }], received, previous, listed: null };
    const { rows, dropped } = suspects.check(poll);
    return [rows.map((one) => one.contract), dropped.map(({ code }) => code)];
  };
  t.strictSame(await list(0.01), [[0.01], []]);
  t.strictSame(await list(10), [[], ['suspect']]);
  t.strictSame(await list(0.01), [[0.01], []]);
  t.strictSame(await list(0.1), [[], ['suspect']]);
  t.strictSame(await list(0.1), [[0.1], []], 'confirmed');
});
