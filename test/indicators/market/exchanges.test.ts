/** Ratios, transparency, loans and margin on rows of our own. */
import t from 'tap';
import { defillama } from '../../../actors/providers/defillama/index.ts';
import { averageRate, type ExchangeRate, ratesOf } from '../../../indicators/market/borrow.ts';
import { funding, margin } from '../../../indicators/market/margin.ts';
import {
  optionsRatio,
  optionsSignalOf,
  type Turnover,
  volumeRatios,
  volumeSignalOf,
} from '../../../indicators/market/ratios.ts';
import { gradeOf, transparency, trustScore } from '../../../indicators/market/transparency.ts';
import { body, context, near, now } from '../../actors/market/fixtures.ts';
import { absent, recording } from '../../support/recordings.ts';

t.test('options to futures', async (t) => {
  const options = new Map([
    ['okx', 10],
    ['deribit', 30],
  ]);
  const futures = new Map([
    ['binance', 50],
    ['okx', 30],
  ]);
  t.same(optionsRatio({ symbol: 'BTC', options, futures }), {
    symbol: 'BTC',
    ratio: 0.5,
    options_oi_usd: 40,
    futures_oi_usd: 80,
    options_exchanges: ['deribit', 'okx'],
    futures_exchange_count: 2,
  });
  t.match(optionsRatio({ symbol: 'SOL', options: new Map(), futures }), {
    ratio: null,
    options_oi_usd: null,
  });
  t.same([0.49, 0.5, 1, 1.01].map(optionsSignalOf), [
    'futures_dominant',
    'balanced',
    'balanced',
    'options_dominant',
  ]);
});

t.test('futures to spot', async (t) => {
  const row = (
    exchange: string,
    symbol: string,
    kind: Turnover['kind'],
    volume: number,
  ): Turnover => ({ exchange, symbol, kind, volume_24h_usd: volume });
  const found = volumeRatios([
    row('a', 'BTC', 'futures', 60),
    row('a', 'BTC', 'spot', 10),
    row('b', 'BTC', 'spot', 10),
    row('b', 'PEPE', 'futures', 20),
  ]);
  t.match(found, { ratio: 4, futures_volume_24h_usd: 80, spot_volume_24h_usd: 20 });
  t.equal(found.signal, 'balanced');
  t.match(found.by_asset[0], { symbol: 'BTC', ratio: 3 });
  t.match(found.by_asset[1], { symbol: 'ETH', ratio: null });
  t.same(
    found.by_exchange.map(({ exchange, ratio }) => [exchange, ratio]),
    [
      ['a', 6],
      ['b', 2],
    ],
  );
  t.same([1.99, 2, 5, 5.01].map(volumeSignalOf), [
    'spot_driven',
    'balanced',
    'balanced',
    'leverage_driven',
  ]);
  t.match(volumeRatios([]), { ratio: null, signal: null });
});

t.test('transparency by the points of the document', async (t) => {
  const { rows } = defillama.polls.exchanges.parse([body('defillama/cexs')], context());
  const found = rows.map((row) => transparency(row, now));
  // Wallets 40; audited 58 days ago 25; (0.75 - 0.5) / 0.5 x 20 = 10; 800 / 1000 of leverage 10.
  t.match(found[0], { score: 85, grade: 'A', clean_ratio: 0.75, leverage_ratio: 0.8 });
  // A link 15; spot only 10.
  t.match(found[1], { score: 25, grade: 'D', wallets_published: false, leverage_ratio: null });
  t.match(found[2], { score: 0, grade: 'E' });
  const [open] = rows;
  t.ok(open);
  if (!open) return;
  const scoreAt = (time: number) => transparency(open, time).score;
  const audited = open.last_audit_at ?? 0;
  const ages = [180, 180.1, 365, 365.1].map((days) => scoreAt(audited + days * 86_400_000));
  t.same(ages, [85, 75, 75, 65], 'older audits');
  t.equal(scoreAt(audited - 1), 60, 'an audit that is yet to come');
  const levered = (interest: number) => transparency({ ...open, open_interest_usd: interest }, now);
  t.same(
    [500, 501, 1001, 2001].map((each) => levered(each).score),
    [90, 85, 80, 75],
  );
  const bare = { reserves_usd: null, clean_reserves_usd: null, wallets_url: null };
  const shown = (interest: number | null, derivatives: number | null, spot: number | null) => ({
    ...open,
    ...bare,
    last_audit_at: null,
    open_interest_usd: interest,
    derivatives_volume_24h_usd: derivatives,
    spot_volume_24h_usd: spot,
  });
  const spotOnly = [
    shown(null, null, 1),
    shown(1, null, 1),
    shown(null, 1, 1),
    shown(null, null, null),
  ];
  t.same(
    spotOnly.map((row) => transparency(row, now).score),
    [10, 0, 0, 0],
  );
  t.same([80, 79.9, 60, 40, 20, 19].map(gradeOf), ['A', 'B', 'B', 'C', 'D', 'E']);
  const trust = { exchange: 'x', name: 'X', trust_score: 7, volume_24h_btc: null };
  t.same(trustScore(trust), { score: 70, grade: 'B' });
  t.equal(trustScore({ ...trust, trust_score: null }), null);
});

t.test('transparency of recorded exchanges', { skip: absent }, async (t) => {
  const bodies = [recording('defillama', 'cexs-two-rows')?.response];
  const { rows } = defillama.polls.exchanges.parse(bodies, context());
  // 40 + 20 x (118.7247/139.6844 - 0.5)/0.5 = 13.998 + 15 (0.185 of leverage);
  // 40 + 20 x (11.9090/13.0735 - 0.5)/0.5 = 16.437 + 10 (0.511).
  t.same(
    rows.map((row) => transparency(row, now)).map(({ score, grade }) => [score, grade]),
    [
      [69, 'B'],
      [66.4, 'B'],
    ],
  );
});

const rate = (exchange: string, hourly: number, age = 0): ExchangeRate => ({
  exchange,
  asset: 'USDT',
  hourly_rate: hourly,
  borrow_limit: null,
  stated: null,
  received: now - age,
});

t.test('loans: units and means', async (t) => {
  const { hourly_rate_pct: hourly, daily_rate_pct: daily, annual_rate_pct: annual } = ratesOf(1e-5);
  t.ok(near(hourly, 0.001) && near(daily, 0.024) && near(annual, 8.76));
  const rows = [rate('a', 2e-5), rate('b', 1e-5, 7_200_000), rate('old', 9e-5, 7_200_001)];
  const found = averageRate('USDT', rows, now);
  t.ok(near(found?.average_annual_rate_pct, 13.14));
  t.ok(near(found?.average_daily_rate_pct, 0.036));
  t.same([found?.min.exchange, found?.max.exchange, found?.exchange_count], ['b', 'a', 2]);
  t.ok(near(found?.max.annual_rate_pct, 17.52));
  t.equal(averageRate('USDC', rows, now), null);
  t.equal(averageRate('USDT', rows, now + 7_200_001), null, 'no answer within two hours');
});

t.test('margin: sides, change and crowding', async (t) => {
  const hour = 3_600_000;
  const history = Array.from({ length: 100 }, (_, at) => ({
    timestamp: now - (100 - at) * hour,
    long_size: 200 + (at % 2),
    short_size: 100,
  }));
  const at = (long: number, short = 100) =>
    margin({ timestamp: now, long_size: long, short_size: short }, 50_000, history);
  const found = at(240);
  t.match(found, { long_usd: 12_000_000, long_short_ratio: 2.4, signal: 'crowded_long' });
  t.ok(near(found.long_pct, (240 / 340) * 100));
  t.ok(near(found.change_24h.long_pct, 20) && found.change_24h.short_pct === 0);
  // The ratios are 2 and 2.01 in turn: mean 2.005, deviation 0.00503.
  t.same(
    [201.5, 201.6, 199.5, 199.4].map((long) => at(long).signal),
    ['normal', 'crowded_long', 'normal', 'normal'],
    'fewer longs than usual, and still 67 % of all: shorts do not crowd',
  );
  const swapped = history.map(({ timestamp, long_size, short_size }) => {
    return { timestamp, long_size: short_size, short_size: long_size };
  });
  t.same(
    [199.5, 199.4, 201.5, 201.6].map((short) => {
      const point = { timestamp: now, long_size: 100, short_size: short };
      return margin(point, 50_000, swapped).signal;
    }),
    ['normal', 'normal', 'normal', 'crowded_short'],
    'the other way round',
  );
  t.match(at(100, 0), { long_short_ratio: null, long_pct: 100, signal: null });
  const fresh = margin({ timestamp: now, long_size: 1, short_size: 1 }, 1, history.slice(-47));
  t.equal(fresh.signal, null, 'too few hours');
  const enough = margin({ timestamp: now, long_size: 1, short_size: 1 }, null, history.slice(-48));
  t.match(enough, { signal: 'normal', long_usd: null });
  t.equal(margin({ timestamp: now, long_size: 0, short_size: 0 }, 1, []).long_pct, null);
  const old = { timestamp: now - 720 * hour, long_size: 1e9, short_size: 1 };
  const point = { timestamp: now, long_size: 240, short_size: 100 };
  t.equal(margin(point, 1, [old, ...history]).signal, 'crowded_long', '30 days of hours');
  const newer = { ...old, timestamp: old.timestamp + 1 };
  t.equal(margin(point, 1, [newer, ...history]).signal, 'normal');
  // The mean of so many equal ratios is not always that ratio to the last bit.
  const steady = [...Array(60).keys()].map((tenths) => {
    const sides = { long_size: 11 + tenths, short_size: 10 };
    const same = history.map(({ timestamp }) => ({ timestamp, ...sides }));
    return margin({ timestamp: now, ...sides }, 1, same).signal;
  });
  t.same(new Set(steady), new Set(['normal']), 'a ratio that never changed is as usual');
  const before = [22, 24, 25.9, 26].map((hours) => {
    const then = { timestamp: now - hours * hour, long_size: 120, short_size: 50 };
    return margin(point, 1, [then]).change_24h.long_pct;
  });
  t.same(before, [null, 100, 100, null], 'a point of 24 to 26 hours ago');
  const cost = funding('USD', {
    time: now,
    frr_daily: 5.8e-7 * 365,
    average_period_days: 68.5,
    provided: 2000,
    used: 1500,
    below_threshold: null,
  });
  // 0.0212 % a day, 7.7 % a year, as documented.
  t.ok(near(cost.frr_daily_pct, 0.02117) && near(cost.frr_annual_pct, 7.72705));
  t.equal(cost.utilization_ratio, 0.75);
});
