import t from 'tap';
import { PriceWatch } from '../../../../actors/sources/quality/watch.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import type { PriceRow } from '../../../../actors/topics/index.ts';
import { now, priceRow } from '../../../support/makers.ts';

const every = 30_000;

const guardOf = (elsewhere: (symbol: string) => number[] = () => []) =>
  new PriceWatch('x', { newest: new NewestRows(), elsewhere, onStray() {} });

const row = (price: number, volume: number | null, stated: number | null = null) =>
  priceRow({ market: 'A', symbol: 'A', price, volume, stated });

/** Ten traded markets, which is a busy part; the first has `price`. */
const busy = (price = 1, stated: number | null = null): PriceRow[] =>
  Array.from({ length: 10 }, (_, i) => row(i === 0 ? price : i, 5, stated));

/** Polls of the same rows, one every 30 s between two times, ms after `now`. */
const polls = (guard: PriceWatch, part: string, rows: PriceRow[], [from, to]: number[]) => {
  for (let at = from ?? 0; at <= (to ?? 0); at += every) guard.observe(part, rows, now + at);
};

t.test(
  'a venue whose answer stays the same for five minutes is frozen until a change',
  async (t) => {
    const guard = guardOf();
    t.equal(guard.frozen('spot'), false, 'nothing seen yet');
    polls(guard, 'spot', busy(), [0, 299_000]);
    t.equal(guard.frozen('spot'), false);
    guard.observe('spot', busy(), now + 299_999);
    t.equal(guard.frozen('spot'), false, 'however often it is read');
    guard.observe('spot', busy(), now + 300_000);
    t.equal(guard.frozen('spot'), true);
    guard.observe('spot', busy(1.0000001), now + 300_001);
    t.equal(guard.frozen('spot'), false);
  },
);

t.test('few markets may be without a trade for five minutes, not for an hour', async (t) => {
  const guard = guardOf();
  const few = [row(1, 5), row(2, 5), ...busy().map(({ price }) => row(price, 0))];
  polls(guard, 'spot', few, [0, 3_590_000]);
  t.equal(guard.frozen('spot'), false, 'two traded markets');
  guard.observe('spot', few, now + 3_600_000);
  t.equal(guard.frozen('spot'), true);
});

t.test('any sign of life in any part will do', async (t) => {
  const guard = guardOf();
  polls(guard, 'inverse', [row(1, 5)], [0, 3_600_000]);
  for (let i = 0; i < 20; i++) guard.observe('linear', busy(1 + i), now + i * every);
  t.equal(guard.frozen('inverse'), false, 'a part that hardly trades is not a closed exchange');
  polls(guard, 'linear', busy(), [600_000, 900_000]);
  t.equal(guard.frozen('linear'), true);
  t.equal(guard.frozen('inverse'), true);
  guard.observe('empty', [], now);
  t.equal(guard.frozen('linear'), true, 'a part without rows says nothing');
});

t.test('a part that stands still while the prices elsewhere move is frozen', async (t) => {
  const prices = new Map<string, number>();
  const asked: string[] = [];
  const guard = guardOf((symbol) => {
    asked.push(symbol);
    const price = prices.get(symbol);
    return price === undefined ? [] : [price];
  });
  let at = now;
  /** A poll every 15 s, with its price and that of the others. */
  const poll = (price: number, elsewhere: number) => {
    prices.set('A', elsewhere);
    guard.observe('spot', busy(price), at);
    guard.observe('linear', busy(at - now), at);
    at += 15_000;
    return guard.frozen('spot');
  };
  t.strictSame(
    [poll(1, 100), poll(1, 100.2), poll(1, 100.2), poll(1, 100.2), poll(1, 100.2)],
    [false, false, false, true, true],
    'after 45 s',
  );
  t.equal(guard.frozen('linear'), false, 'the other part moves');
  t.equal(poll(1, 100), true, 'the others have come back');
  t.equal(poll(2, 100), false, 'it moves');
  const calm = Array.from({ length: 9 }, () => poll(2, 100.1));
  t.strictSame(new Set(calm), new Set([false]), 'the others moved by 0.1 % only');
  t.equal(poll(2, 99.8), true);
  t.equal(poll(2.5, 99.8), false);
  prices.clear();
  guard.observe('spot', busy(3), at);
  guard.observe('spot', busy(3), at + 60_000);
  t.equal(guard.frozen('spot'), false, 'no other exchange has its assets');
  prices.set('A', 5);
  guard.observe('spot', busy(3), at + 75_000);
  prices.set('A', 6);
  guard.observe('spot', busy(3), at + 90_000);
  t.equal(guard.frozen('spot'), false, 'known for 15 s only');
  guard.observe('spot', busy(3), at + 120_000);
  t.equal(guard.frozen('spot'), true);
  guard.observe(
    'wide',
    [
      { ...row(1, 9), symbol: 'X' },
      { ...row(1, 1), symbol: 'Y' },
    ],
    at,
  );
  t.strictSame(asked.slice(-2), ['X', 'Y'], 'by turnover');
});

t.test('swapped values are a change', async (t) => {
  const guard = guardOf();
  for (let i = 0; i < 30; i++)
    guard.observe('spot', i % 2 ? busy() : busy().reverse(), now + i * every);
  t.equal(guard.frozen('spot'), false);
});

t.test('no turnover anywhere is a closed exchange at once', async (t) => {
  const guard = guardOf();
  guard.observe('spot', [row(1, 0), row(2, 0)], now);
  t.equal(guard.frozen('spot'), true);
  guard.observe('linear', [row(1, 0), row(2, 3)], now);
  t.equal(guard.frozen('spot'), false);
  const unknown = guardOf();
  unknown.observe('spot', [row(1, null)], now);
  t.equal(unknown.frozen('spot'), false, 'not stated is not zero');
});

t.test('a part whose newest stated time is over a minute old is frozen at once', async (t) => {
  const guard = guardOf();
  for (let i = 0; i < 10; i++) {
    guard.observe('spot', busy(1 + i, now + i * every - 2_000), now + i * every);
    guard.observe('linear', busy(1 + i, now + i * every - 2_000), now + i * every);
  }
  const last = now + 9 * every;
  guard.observe('spot', busy(20, last - 2_000), last + 60_000);
  t.equal(guard.frozen('spot'), false, 'sixty seconds beyond its usual two');
  guard.observe('spot', busy(21, last - 2_000), last + 60_001);
  t.equal(guard.frozen('spot'), true, 'although prices change');
  t.equal(guard.frozen('linear'), false, 'the other part is alive');
  guard.observe('spot', busy(22, last + 90_000), last + 91_000);
  t.equal(guard.frozen('spot'), false, 'its time goes on');
});

t.test('a venue that stands still when first seen is frozen with its first poll', async (t) => {
  const guard = guardOf();
  for (let i = 0; i < 3; i++) {
    guard.observe('spot', busy(1, now - 316_000), now + i * every);
    t.equal(guard.frozen('spot'), true);
  }
});

t.test('a clock that is wrong by a steady amount is not a sign of a frozen venue', async (t) => {
  for (const wrong of [-3_600_000, -90_000, 400_000, 3_600_000]) {
    const guard = guardOf();
    const poll = (i: number, stated = i) =>
      guard.observe('spot', busy(1 + i, now + stated * every + wrong), now + i * every);
    for (const i of [0, 1, 2, 3, 4]) poll(i);
    t.equal(guard.frozen('spot'), false, `${wrong} ms`);
    for (const i of [5, 6]) poll(i, 4);
    t.equal(guard.frozen('spot'), false, `${wrong} ms, one minute behind`);
    poll(7, 4);
    t.equal(guard.frozen('spot'), true, `${wrong} ms, standing still`);
  }
});

t.test('a clock that was set is accepted after fifteen minutes of steady times', async (t) => {
  const guard = guardOf();
  const poll = (i: number, behind: number) =>
    guard.observe('spot', busy(1 + i, now + i * every - behind), now + i * every);
  for (let i = 0; i < 5; i++) poll(i, 1_000);
  for (let i = 10; i < 30; i++) poll(i, 200_000);
  t.equal(guard.frozen('spot'), true);
  for (let i = 30; i < 41; i++) poll(i, 200_000);
  t.equal(guard.frozen('spot'), false);
});

t.test('one market dated in the future does not hide that the others stand still', async (t) => {
  const guard = guardOf();
  const ahead = row(7, 5, now + 36_000_000);
  for (let i = 0; i < 5; i++)
    guard.observe('spot', [...busy(1 + i, now + i * every), ahead], now + i * every);
  t.equal(guard.frozen('spot'), false);
  guard.observe('spot', [...busy(9, now + 4 * every), ahead], now + 4 * every + 61_000);
  t.equal(guard.frozen('spot'), true);
});

t.test('a time that is more than a minute ahead does not count', async (t) => {
  for (const [ahead, frozen] of [
    [60_000, false],
    [60_001, true],
  ] as const) {
    const guard = guardOf();
    guard.observe('spot', [...busy(1, now - 61_000), row(7, 5, now + ahead)], now);
    t.equal(guard.frozen('spot'), frozen);
  }
});

t.test('a part of few markets with an old time waits for the other parts', async (t) => {
  const guard = guardOf();
  guard.observe('inverse', [row(1, 5, now - 90_000)], now);
  guard.observe('linear', busy(1, now), now);
  t.equal(guard.frozen('inverse'), false, 'no trade for a while');
  guard.observe('linear', busy(2, now), now + 90_000);
  t.equal(guard.frozen('inverse'), true, 'the venue stands still');
});

t.test('a time that is days off says nothing', async (t) => {
  const guard = guardOf();
  guard.observe('spot', busy(1, now - 90_000_000), now);
  guard.observe('spot', busy(2, now - 90_000_000), now + every);
  t.equal(guard.frozen('spot'), false);
});
