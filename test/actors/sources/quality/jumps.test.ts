/** Numbers that jump: polls of one part, one after the other. */
import t from 'tap';
import type { Parsed } from '../../../../actors/sources/define.ts';
import { VenueRows } from '../../../../actors/sources/market-rows.ts';
import { NewestRows, otherPrices } from '../../../../actors/state/newest-rows.ts';
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

/** Polls of one part of exchange `a`, one every 30 s. */
function stage(listed: ReadonlyMap<string, unknown> | null = null) {
  const clock = new FakeClock();
  const newest = new NewestRows();
  let all = new VenueRows('a', { clock, newest });
  let previous: Reading<PriceRow> | undefined;
  const at = () => ({ asked: clock.now(), received: clock.now() });
  const reading = (source: string, rows: PriceRow[]): Reading<PriceRow> => ({
    source,
    part: 'linear',
    ...at(),
    rows,
  });
  const poll = async (...rows: PriceRow[]) => {
    await clock.advance(30_000);
    const { received } = at();
    const prices = all.of('prices', 'linear', 30_000);
    const found = prices.polled({ rows, dropped: [], ...at(), listed });
    previous = { ...reading('a', found.rows) };
    return {
      prices: Object.fromEntries(found.rows.map(({ market, price }) => [market, price])),
      suspect: found.suspect?.map(({ market }) => market) ?? [],
      dropped: found.dropped.map(({ code }) => code),
      ages: found.rows.map((one) => received - (one.received ?? received)),
    };
  };
  return {
    clock,
    poll,
    rows: () => all,
    /** A poll of the mark prices. */
    mark: (mark: number) =>
      all
        .of('derivatives', 'linear', 30_000)
        .polled({ rows: [markRow(mark)], dropped: [], ...at(), listed: null }),
    /** A message of a stream. */
    hear: (price: number, over: Partial<PriceRow> = {}) => {
      const dropped: Parsed<PriceRow>['dropped'] = [];
      const prices = all.of('prices', 'linear', 30_000);
      prices.streamed(row(price, over), clock.now(), dropped);
      return [prices.at('BTCUSDT', clock.now())?.price, ...dropped.map(({ code }) => code)];
    },
    elsewhere: (...rows: PriceRow[]) => newest.accept('prices', reading('b', rows)),
    restart: () => {
      all = new VenueRows('a', { clock, newest });
      all.of('prices', 'linear', 30_000).load(previous);
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
  const { poll, mark } = stage();
  await poll(row(100));
  for (let i = 1; i < 4; i++) {
    mark(100);
    t.match(await poll(row(100_000, { volume: i })), { prices: { BTCUSDT: 100 } });
  }
  mark(100_000);
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
  const asker = { source: 'self', now: at };
  t.same(otherPrices(newest, 'BTC', asker), [4]);
  t.same(otherPrices(newest, 'XRP', asker), []);
});

t.test('the value of an open interest is held against its units at the mark price', async (t) => {
  const { clock, mark, rows } = stage();
  const poll = async (value: number, units: number) => {
    await clock.advance(30_000);
    mark(100);
    const about = { market: 'BTCUSDT', symbol: 'BTC', quote: 'USDT', mark: null, stated: null };
    const at = { dropped: [], asked: clock.now(), received: clock.now(), listed: null };
    const all = rows().of('openInterest', 'linear', 30_000);
    return all.polled({ rows: [{ ...about, value, units }], ...at }).suspect?.length ?? 0;
  };
  t.equal(await poll(300, 3), 0);
  t.strictSame([await poll(600, 3.1), await poll(600, 3)], [1, 1], 'repetition confirms nothing');
  t.equal(await poll(600, 6), 0, 'the units have grown with it');
});

t.test('a good price is published without what contradicts it or jumped beside it', async (t) => {
  const last = row(100, { volume: 1_000, base: 10, change: 2 });
  const as = (over: Partial<PriceRow>) => row(101, { volume: 1_100, base: 11, change: 3, ...over });
  const second = async (over: Partial<PriceRow>, before: PriceRow | null = last) => {
    const { rows, clock } = stage();
    const all = rows().of('prices', 'linear', 30_000);
    const take = (one: PriceRow) => {
      const at = { dropped: [], asked: clock.now(), received: clock.now(), listed: null };
      return all.polled({ rows: [one], ...at });
    };
    if (before) take(before);
    await clock.advance(30_000);
    const found = take(as(over));
    return [...found.rows, ...found.dropped.map(({ code }) => code)];
  };
  t.strictSame(await second({}), [as({})]);
  t.match(await second({ bid: 40, ask: 41, doubt: 'value' }), [
    { price: 101, bid: null, ask: null },
    'bad_quotes',
  ]);
  t.strictSame(await second({ change: 34 }), [as({ change: null }), 'bad_change']);
  t.strictSame(await second({ change: 34 }, null), [as({ change: 34 })], 'the first row');
  const noVolume = [as({ volume: null, base: null }), 'bad_turnover'];
  t.strictSame(await second({ volume: 5_001 }), noVolume);
  t.strictSame(await second({ volume: 0 }), noVolume);
});

t.test('units and mark of an open interest that contradict its value are not used', async (t) => {
  const last = interestRow({ market: 'A', symbol: 'A', units: 2, value: 100, mark: 50 });
  const second = async (over: Partial<OpenInterestRow>, before: OpenInterestRow = last) => {
    const { rows, clock } = stage();
    const all = rows().of('openInterest', 'linear', 30_000);
    const take = (one: OpenInterestRow) => {
      const at = { dropped: [], asked: clock.now(), received: clock.now(), listed: null };
      return all.polled({ rows: [one], ...at });
    };
    take(before);
    await clock.advance(30_000);
    const found = take({ ...last, ...over });
    const [{ units, value, mark } = last] = found.rows;
    return [units, value, mark, ...found.dropped.map(({ code }) => code)];
  };
  t.strictSame(await second({ units: 2.1, value: 105 }), [2.1, 105, 50]);
  t.strictSame(await second({ mark: 50_000, doubt: 'unit' }), [2, 100, null, 'bad_units']);
  t.strictSame(await second({ units: 2_000, doubt: 'unit' }), [null, 100, null, 'bad_units']);
  const derived = { units: 0.002, mark: 50_000 };
  t.strictSame(await second(derived), [null, 100, null, 'bad_units'], 'units of a wrong mark');
  // What nothing is worth depends on no price.
  const none = { ...last, units: 0, value: 0 };
  t.strictSame(await second({ ...none, mark: 500 }, none), [0, 0, null, 'bad_units']);
});

t.test('a contract size changes when a second list states it', async (t) => {
  const { clock, rows } = stage();
  const market = instrument({ market: 'A', symbol: 'A', contract: 0.01 });
  const all = rows().of('instruments', 'linear', 3_600_000);
  const list = async (contract: number) => {
    await clock.advance(3_600_000);
    const at = { dropped: [], asked: clock.now(), received: clock.now(), listed: null };
    const found = all.polled({ rows: [{ ...market, contract }], ...at });
    return [found.rows.map((one) => one.contract), found.dropped.map(({ code }) => code)];
  };
  t.strictSame(await list(0.01), [[0.01], []]);
  t.strictSame(await list(10), [[0.01], ['suspect']]);
  t.strictSame(await list(0.01), [[0.01], []]);
  t.strictSame(await list(0.1), [[0.01], ['suspect']]);
  t.strictSame(await list(0.1), [[0.1], []], 'confirmed');
});

t.test('a message of the stream confirms what a poll brought, and the other way', async (t) => {
  const { poll, hear, clock } = stage();
  await poll(row(100));
  t.match(await poll(row(50, { volume: 2 })), { suspect: ['BTCUSDT'], prices: { BTCUSDT: 100 } });
  await clock.advance(1);
  t.strictSame(hear(51), [51], 'a second reading');
  t.strictSame(hear(90), [51, 'suspect']);
  t.match(await poll(row(89, { volume: 3 })), { suspect: [], prices: { BTCUSDT: 89 } });
  t.strictSame(hear(40), [89, 'suspect']);
  t.strictSame(hear(89.5), [89.5], 'it was none');
  t.strictSame([hear(40), hear(41)], [[89.5, 'suspect'], [41]], 'two messages');
});

t.test('a message that its own mark price or quotes contradict is not confirmed', async (t) => {
  const { poll, hear, mark } = stage();
  await poll(row(100));
  mark(100);
  for (let i = 0; i < 3; i++) t.strictSame(hear(100_000), [100, 'suspect']);
  for (let i = 0; i < 3; i++) t.strictSame(hear(10, { doubt: 'unit' }), [100, 'suspect']);
  mark(100_000);
  t.strictSame(hear(100_000), [100, 'suspect']);
  t.strictSame(hear(100_000), [100_000], 'a mark that waits contradicts nothing any more');
});
