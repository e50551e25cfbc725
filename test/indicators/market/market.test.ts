/** Fear and greed, altcoin season, dominance, stablecoins on series of our own. */
import t from 'tap';
import { coingecko } from '../../../actors/providers/coingecko.ts';
import { defillama } from '../../../actors/providers/defillama/index.ts';
import {
  changeOver,
  season,
  seasonBackfill,
  seasonClassOf,
  seasonUniverse,
} from '../../../indicators/market/altcoin-season.ts';
import { dayLength, dayOf } from '../../../indicators/market/days.ts';
import { dominance, impliedSupplyDoubt } from '../../../indicators/market/dominance.ts';
import { classOf, fearGreed, houseIndex } from '../../../indicators/market/fear-greed.ts';
import type { CoinRow } from '../../../indicators/market/rows.ts';
import {
  largeStablecoins,
  stablecoinMarket,
  stablecoinSignalOf,
} from '../../../indicators/market/stablecoins.ts';
import { body, closesOf, context, near } from '../../actors/market/fixtures.ts';
import { tableRow } from '../../support/table.ts';

const first = dayOf('2020-01-01');
const day = (at: number) => first + at * dayLength;

t.test("fear and greed: the vendor's label counts, the edges only without one", async (t) => {
  t.equal(classOf(46, 'Fear'), 'fear');
  t.equal(classOf(46), 'neutral');
  t.equal(classOf(46, 'Somewhat Afraid'), 'neutral');
  const classes = ['extreme_fear', 'fear', 'neutral', 'greed', 'extreme_greed'];
  t.same(
    [0, 24, 25, 44, 45, 55, 56, 74, 75, 101].map((value) => classOf(value)),
    classes.flatMap((name) => [name, name]),
  );
  const history = Array.from({ length: 31 }, (_, at) => ({
    timestamp: day(at),
    value: at + 20,
    classification: classOf(at + 20),
  }));
  t.same(
    fearGreed(history),
    tableRow`
    timestamp  value classification classification_label previous_close week_ago month_ago
    ${day(30)} 50    neutral        Neutral              49             43       20
  `,
  );
  t.match(fearGreed(history.slice(-2)), { previous_close: 49, week_ago: null, month_ago: null });
  t.equal(fearGreed([]), null);
});

t.test('the index of our own: ranks among a year, what is missing does not weigh', async (t) => {
  const waves = Array.from({ length: 600 }, (_, at) => 100 + 10 * Math.sin(at / 9) + at / 50);
  const inputs = { closes: closesOf(waves), volumes: [], dominance: [] };
  t.equal(houseIndex({ ...inputs, closes: inputs.closes.slice(-454) }), null);
  const found = houseIndex(inputs);
  t.equal(found?.weight, 0.6, 'momentum and unrest alone');
  t.ok(found !== null && found.value >= 0 && found.value <= 100);
  // 540 calm days, then 60 wild ones that fall: no momentum, and unrest counts turned over.
  const wild = waves.map((price, at) => (at < 540 ? price : 100 - (at % 2) * (at - 530) * 0.5));
  t.ok((houseIndex({ ...inputs, closes: closesOf(wild) })?.value ?? 100) < 30);
  // The share of a day that lost most in 30 days ranks last, which is greed: 0.2 x 100.
  const falling = Array.from({ length: 395 }, (_, at) => 60 - at ** 2 / 10_000);
  const rising = Array.from({ length: 395 }, (_, at) => 40 + at ** 2 / 10_000);
  const [greedy, fearful] = [falling, rising].map((dominance) =>
    houseIndex({ ...inputs, dominance }),
  );
  t.ok(near(greedy?.weight, 0.8));
  const apart = (greedy?.value ?? 0) - (fearful?.value ?? 0);
  t.equal(apart, 25, '0.2 of 0.8, from rank 0 to rank 100');
  const volumes = [...Array(454).fill(10), 1000];
  const all = houseIndex({ ...inputs, volumes, dominance: falling });
  t.ok(near(all?.weight, 1));
});

const coin = (symbol: string, rank: number, id = symbol.toLowerCase()): CoinRow => ({
  id,
  symbol,
  name: symbol,
  rank,
  price_usd: 1,
  market_cap_usd: 1000 / rank,
});

t.test('altcoin season: the coins that are compared', async (t) => {
  const { rows } = coingecko.polls.coins.parse([body('coingecko/coins')], context());
  const universe = seasonUniverse(rows, [{ symbol: 'USDT', price_usd: 1 }]);
  t.same(
    universe.map(({ symbol }) => symbol),
    ['ETH', 'XRP'],
    'by rank, without Bitcoin, stablecoins, wrapped and bridged',
  );
  const named = ['wrapped-a', 'staked-b', 'bridged-c', 'liquid-restaked-d', 'e'];
  const others = named.map((id, at) => coin(id.slice(-1).toUpperCase(), at + 2, id));
  t.same(
    seasonUniverse(others, []).map(({ symbol }) => symbol),
    ['E'],
  );
  const stable = (price_usd: number | null) =>
    seasonUniverse([{ ...coin('M', 30), price_usd: 1.8 }], [{ symbol: 'M', price_usd }]).length;
  t.same([1, 1.79, null].map(stable), [1, 0, 0], 'another coin of the ticker of a stablecoin');
});

/** Coin n gained n percent over 90 days, Bitcoin 20.5. */
const inputs = (count: number) => {
  const universe = Array.from({ length: count }, (_, at) => coin(`C${at}`, at + 2));
  const closes = new Map(
    universe.map(({ symbol }, at) => [
      symbol,
      [
        { day: day(0), close: 100 },
        { day: day(90), close: 100 + at },
      ],
    ]),
  );
  const bitcoin = [
    { day: day(0), close: 100 },
    { day: day(90), close: 120.5 },
  ];
  return { universe, closes, bitcoin };
};

t.test('altcoin season: the share that did better', async (t) => {
  const found = season(inputs(60), day(90), 90);
  // The first fifty: C21 to C49 of C0 to C49 gained more than 20.5 %.
  t.same([found?.coins_evaluated, found?.coins_outperforming, found?.index], [50, 29, 58]);
  t.ok(near(found?.bitcoin_change_pct, 20.5));
  t.equal(found?.classification, 'neutral');
  const tied = { ...inputs(60), bitcoin: closesOf([100]).concat({ day: day(90), close: 120 }) };
  t.equal(season(tied, day(90), 90)?.coins_outperforming, 29, 'C20 did as well, not better');
  const holed = inputs(60);
  for (let at = 0; at < 10; at += 1) holed.closes.delete(`C${at}`);
  // C10 to C59 instead: C21 to C59 are 39.
  t.equal(season(holed, day(90), 90)?.index, 78, 'the next by rank is taken');
  t.equal(season(inputs(39), day(90), 90), null, 'too few coins');
  t.equal(season(inputs(40), day(90), 90)?.coins_evaluated, 40);
  t.equal(season({ ...inputs(60), bitcoin: [] }, day(90), 90), null);
  t.same([25, 26, 74, 75].map(seasonClassOf), [
    'bitcoin_season',
    'neutral',
    'neutral',
    'altcoin_season',
  ]);
  t.equal(changeOver(closesOf([1, 2]), day(1), 90), null);
  t.same(seasonBackfill(inputs(60), { from: day(88), to: day(90) }), [
    { timestamp: day(90), index: 58, backfilled: true },
  ]);
});

t.test('dominance: shares, changes and trend of one source', async (t) => {
  const [row] = coingecko.polls.global.parse([body('coingecko/global')], context()).rows;
  t.ok(row);
  if (!row) return;
  const now = day(10);
  const history = [60, 60.2, 61, 61.5].map((share, at) => ({
    timestamp: now - ([7, 3, 1, 0.1][at] ?? 0) * dayLength,
    dominance_pct: share,
  }));
  const found = dominance(row, history, now);
  t.match(found, { dominance_pct: 61.25, others_pct: 30, trend: 'rising' });
  t.ok(near(found.btc_market_cap_usd, 3.4e12 * 0.6125));
  t.ok(near(found.change_24h_pct_points, 0.25));
  t.match(dominance(row, [], now), { change_24h_pct_points: null, trend: null });
  const trend = (share: number) =>
    dominance(row, [{ timestamp: day(3), dominance_pct: share }], now).trend;
  t.same([61.16, 61.34, 61.14, 61.36].map(trend), ['flat', 'flat', 'rising', 'falling']);
  t.same([61.15, 61.35].map(trend), ['flat', 'flat'], 'by 0.1 points, but for rounding');
  t.same(dominance({ ...row, eth_dominance_pct: null }, [], now).others_pct, null);
  const since = (timestamp: number) =>
    dominance({ ...row, dominance_pct: 0.1 }, [{ timestamp, dominance_pct: 0 }], now);
  const oldest = day(9) - dayLength / 8;
  t.same(
    [day(9) + 1, day(9), oldest + 1, oldest].map((time) => since(time).change_24h_pct_points),
    [null, 0.1, 0.1, null],
  );
  t.equal(since(day(3)).trend, 'flat', 'by 0.1 points');
  const isDoubted = (coins: number) => {
    const market = { ...row, dominance_pct: 50, total_market_cap_usd: 4 * coins };
    return impliedSupplyDoubt(market, 2) !== null;
  };
  t.same([30e6, 31e6, 13.4e6, 13.3e6].map(isDoubted), [false, true, false, true]);
  t.equal(impliedSupplyDoubt(row, null), null);
});

t.test('stablecoins: totals, changes, shares', async (t) => {
  const { rows } = defillama.polls.stablecoins.parse([body('defillama/stablecoins')], context());
  const total = 1000 + 400 + 100 + 100;
  const history = [
    { day: day(0), total_market_cap_usd: total / 1.02, usd_pegged_usd: 1 },
    { day: day(29), total_market_cap_usd: total / 0.99, usd_pegged_usd: 1 },
  ];
  const found = stablecoinMarket(rows, history, 32_000, day(30));
  t.ok(near(found.total_market_cap_usd, total));
  t.ok(near(found.usd_pegged_usd, 1400));
  t.ok(near(found.change_30d_pct, 2) && near(found.change_24h_pct, -1));
  t.equal(found.change_7d_pct, null);
  t.ok(near(found.stablecoin_supply_ratio, 20));
  t.same(
    found.top.map(({ symbol }) => symbol),
    ['USDT', 'USDC', 'EURC', 'EURX'],
  );
  t.ok(near(found.top[0]?.share_pct, (1000 / total) * 100));
  t.ok(near(found.top[0]?.change_30d_pct, 100 / 9));
  t.equal(found.signal, 'expanding');
  const unknown = { stablecoin_supply_ratio: null, change_30d_pct: null, signal: null };
  t.match(
    [stablecoinMarket(rows, [], null, 0), stablecoinMarket([], [], 1, 0)],
    [unknown, unknown],
  );
  const many = Array.from({ length: 11 }, () => rows.slice(0, 1)).flat();
  t.equal(stablecoinMarket(many, [], null, 0).top.length, 10);
  t.equal(stablecoinSignalOf((1.01 / 1 - 1) * 100), 'stable', 'by 1 %');
  t.same([1.1, 1, -1, -1.1].map(stablecoinSignalOf), [
    'expanding',
    'stable',
    'stable',
    'contracting',
  ]);
  const coins = coingecko.polls.coins.parse([body('coingecko/coins')], context()).rows;
  t.match(largeStablecoins(coins), [{ symbol: 'USDT', peg: 'peggedUSD' }]);
  t.equal(largeStablecoins(coins).length, 1);
});
