/** Settled fundings: which rate counts, when, and what a restart keeps of it. */
import t from 'tap';
import {
  funding,
  missedSettlements,
  settlements,
} from '../../../../actors/history/series/funding.ts';
import { MarketState } from '../../../../actors/state/market-state.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import { type DerivativeRow, topics } from '../../../../actors/topics/index.ts';
import {
  derivativeRow,
  instrument,
  priceRow,
  reading as readingOf,
} from '../../../support/makers.ts';

const minute = 60_000;
const hour = 60 * minute;
/** A full hour. */
const now = 1_800_000_000_000;

const reading = <Row>(source: string, part: string, rows: Row[], received = now) =>
  readingOf(rows, { source, part, received });

/** Binance with two linear perpetuals of BTC, of which that of USDC is traded more, and an inverse one. */
function marketOf(newest: NewestRows) {
  const price = (market: string, quote: string, volume: number) =>
    priceRow({ market, kind: 'perpetual', quote, volume });
  const inverse = { market: 'BTCUSD_PERP', quote: 'USD', inverse: true, funding_hours: 8 };
  newest.accept('instruments', reading('binance', 'inverse', [instrument(inverse)]));
  newest.accept(
    'prices',
    reading('binance', 'all', [
      price('BTCUSDT', 'USDT', 1_000),
      price('BTCUSDC', 'USDC', 3_000),
      price('BTCUSD_PERP', 'USD', 1),
    ]),
  );
  return new MarketState(newest);
}

t.test('fundings: of the most traded market of each settlement, when they are due', async (t) => {
  const newest = new NewestRows();
  const market = marketOf(newest);
  const collect = settlements();
  const row = (name: string, more: Partial<DerivativeRow>) =>
    derivativeRow({
      market: name,
      index: 100,
      funding_rate: 0.1,
      funding_hours: 8,
      funding_rate_8h: 0.1,
      ...more,
    });
  const tell = (rows: DerivativeRow[], at = now) =>
    newest.acceptWhole('derivatives', reading('binance', 'all', rows, at));
  tell([
    row('BTCUSDC', { funding_rate: 0.3, quote: 'USDC' }),
    row('BTCUSDT', { funding_rate: 0.1 }),
    row('BTCEUR', { funding_rate: 0.9, quote: 'EUR' }),
    row('NONE', { symbol: 'A', funding_rate: null }),
    row('NEVER', { symbol: 'B', funding_hours: 0 }),
    row('UNKNOWN', { symbol: 'C', funding_hours: null }),
    row('PAST', { symbol: 'D', next_funding: now }),
  ]);
  t.strictSame(collect(market, now), []);
  const inverse = { funding_rate: 0.2, quote: 'USD', next_funding: now + hour + 7 };
  tell([row('BTCUSD_PERP', inverse)], now + hour);
  t.strictSame(collect(market, now + hour + 6), []);
  t.strictSame(collect(market, now + hour + 7), [
    { key: 'binance/coin/BTC', time: now + hour, values: { rate: 0.2, hours: 8 } },
  ]);
  // Hours of eight since the epoch: `now` is at the start of one.
  const due = Math.floor(now / (8 * hour)) * 8 * hour + 8 * hour;
  t.strictSame(collect(market, due - 1), []);
  tell([row('BTCUSDC', { funding_rate: 0.3, quote: 'USDC' })], due - minute);
  t.strictSame(collect(market, due), [
    { key: 'binance/stable/BTC', time: due, values: { rate: 0.3, hours: 8 } },
  ]);
  const spacing = funding.spacing ?? (() => 0);
  t.strictSame([spacing(null), spacing({ rate: 0, hours: 4 })], [8 * hour, 4 * hour]);
  const old = settlements();
  const { maxAge } = topics.derivatives;
  tell([row('BTCUSDT', { next_funding: now + 2 * hour })]);
  old(market, now + maxAge + 1);
  t.strictSame(old(market, now + 2 * hour), [], 'a row that is too old is not taken');
  const lost = settlements();
  t.strictSame(lost(market, due), []);
  const next = { quote: 'USDC', next_funding: due + hour };
  tell([row('BTCUSDC', { ...next, funding_rate: 0.4 })], due + hour - maxAge - 1);
  t.strictSame(lost(market, due + hour), [], 'nor one that has become too old by its time');
  tell(
    [row('BTCUSDC', { ...next, funding_rate: 0.5, next_funding: due + 2 * hour })],
    due + hour + minute,
  );
  tell([row('BTCUSDC', { ...next, next_funding: due + 3 * hour })], due + 2 * hour + minute);
  t.strictSame(lost(market, due + 2 * hour + minute), [], 'where the next one is stated');
});

t.test('a row that stands in later readings for its age alone is settled once', async (t) => {
  const newest = new NewestRows();
  const market = marketOf(newest);
  const collect = settlements();
  const about = { funding_rate: 0.1, funding_hours: 8, next_funding: now + minute };
  const row = derivativeRow({ market: 'BTCUSDC', quote: 'USDC', ...about });
  newest.acceptWhole('derivatives', reading('binance', 'all', [row]));
  t.strictSame(collect(market, now), []);
  t.equal(collect(market, now + minute).length, 1);
  const later = reading('binance', 'all', [{ ...row, received: now }], now + hour);
  newest.acceptWhole('derivatives', later);
  t.strictSame(collect(market, now + hour), []);
});

t.test('a settled funding is the last rate stated before its time, to the row', async (t) => {
  const newest = new NewestRows();
  const market = marketOf(newest);
  const collect = settlements();
  const due = now + hour;
  const row = (funding_rate: number, next_funding: number, name = 'BTCUSDC') =>
    derivativeRow({ market: name, quote: 'USDC', funding_rate, funding_hours: 1, next_funding });
  newest.acceptWhole('derivatives', reading('binance', 'all', [row(0.1, due)]));
  t.strictSame(collect(market, now), []);
  const change = (at: number, ...rows: DerivativeRow[]) =>
    newest.change('derivatives', reading('binance', 'all', rows, at));
  change(due - 20, row(0.2, due));
  change(due - 10, row(0.3, due), row(0.9, due, 'BTCUSDT'));
  // After its time an exchange repeats the old time, then states the next one.
  change(due + 5, row(0.8, due));
  change(due + 10, row(0.7, due + hour));
  const rowOf = (time: number, rate: number) => ({
    ...{ key: 'binance/stable/BTC', time, values: { rate, hours: 1 } },
  });
  t.strictSame(collect(market, due + 20_000), [rowOf(due, 0.3)]);
  change(due + hour - minute, row(0.7, due + hour));
  change(due + hour - 5_000, row(0.6, due + 2 * hour));
  t.strictSame(collect(market, due + hour), [rowOf(due + hour, 0.7)], 'stated a moment early');
});

t.test('a restart over a settlement takes the rate that was recorded just before it', async (t) => {
  const step = 5 * minute;
  const at = now + 8 * hour;
  const stored = (minutes: number, rate: number | null, hours = 8) => ({
    ...{ times: [at - (minutes + 10) * minute, at - minutes * minute - step] },
    ...{
      columns: [
        [0.9, rate],
        [8, hours],
      ],
      backfilled: [false, false],
    },
  });
  const samples = new Map([
    ['okx/stable/BTC', stored(3, 0.1)],
    ['okx/stable/ETH', stored(11, 0.2)],
    ['okx/stable/SOL', stored(0, 0.3)],
    ['okx/stable/XRP', stored(3, null)],
    ['okx/stable/ADA', stored(3, 0.4, 24)],
  ]);
  const missed = (later: number) => missedSettlements(samples, { step, now: at + later });
  const eight = Math.floor(at / (8 * hour)) * 8 * hour;
  t.equal(eight, at, 'a time of settlement');
  t.strictSame(missed(minute), [
    { key: 'okx/stable/BTC', time: at, values: { rate: 0.1, hours: 8 } },
  ]);
  t.strictSame(missed(-minute), [], 'it has not come yet');
});
