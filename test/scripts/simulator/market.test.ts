/** The simulated upstreams of the market indicators, read over HTTP by the polls that read the real ones. */
import t, { type Test } from 'tap';
import { venueDays } from '../../../actors/market/venue-days.ts';
import { alternativeMe } from '../../../actors/providers/alternative-me.ts';
import { type AssetDay, type AssetId, assetIds, assets } from '../../../actors/providers/assets.ts';
import { blockchainInfo } from '../../../actors/providers/blockchain-info.ts';
import { coingecko } from '../../../actors/providers/coingecko.ts';
import { coinlore } from '../../../actors/providers/coinlore.ts';
import { coinmetrics } from '../../../actors/providers/coinmetrics.ts';
import { coinpaprika } from '../../../actors/providers/coinpaprika.ts';
import { defillama } from '../../../actors/providers/defillama/index.ts';
import { frankfurter } from '../../../actors/providers/frankfurter.ts';
import { fred } from '../../../actors/providers/fred.ts';
import { mempool } from '../../../actors/providers/mempool.ts';
import { yahoo } from '../../../actors/providers/yahoo.ts';
import type { Poll, PollPlan } from '../../../actors/sources/define.ts';
import type { MarketPoll } from '../../../actors/sources/venue.ts';
import type { OptionRow } from '../../../actors/topics/index.ts';
import type { Api } from '../../../actors/upstream/request.ts';
import { lenders, venues } from '../../../actors/venues/registry.ts';
import { seasonUniverse } from '../../../indicators/market/altcoin-season.ts';
import { gaps, merge } from '../../../indicators/market/daily-closes.ts';
import { dayAt, dayLength, dayOf } from '../../../indicators/market/days.ts';
import { classOf } from '../../../indicators/market/fear-greed.ts';
import { supplyAfter } from '../../../indicators/market/issuance.ts';
import { firstRefusal, rules } from '../../../indicators/market/plausible.ts';
import { borrowAssets } from '../../../indicators/market/rows.ts';
import { transparency } from '../../../indicators/market/transparency.ts';
import { greeksOf, yearsBetween } from '../../../indicators/options/black76.ts';
import { heightAt } from '../../../scripts/simulator/chains/ledger.ts';
import { startSimulator } from '../../../scripts/simulator/main.ts';
import { annualRate } from '../../../scripts/simulator/market/borrowing.ts';
import { bitcoinPrice } from '../../../scripts/simulator/market/days.ts';
import { bitcoinClose } from '../../../scripts/simulator/market/network.ts';
import { assetClose } from '../../../scripts/simulator/market/traditional.ts';
import { near } from '../../actors/market/fixtures.ts';
import { FakeClock } from '../../support/clock.ts';

/** A Friday. */
const now = Date.UTC(2026, 7, 14, 13, 37, 21);
const today = dayAt(now);
const simulator = await startSimulator({ clock: new FakeClock(now) });
t.teardown(() => simulator.close());
const { model } = simulator;

type Upstream = { apis: Readonly<Record<string, Api>> };

/** The rows of a poll, asked for over HTTP; none may be dropped. */
async function rowsOf<Row>(
  t: Test,
  [upstream, poll]: readonly [Upstream, Poll<Row>],
  more: Partial<PollPlan> = {},
): Promise<Row[]> {
  const plan = { now, ...more };
  const bodies: unknown[] = [];
  for (const { api, path, query = {}, text } of poll.requests(plan)) {
    const { host } = new URL(upstream.apis[api]?.hosts[0] ?? '');
    const url = new URL(`${simulator.url}/${host}${path}`);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, String(value));
    const response = await fetch(url);
    t.equal(response.status, 200, `${host}${path}`);
    t.match(response.headers.get('content-type'), text ? /^text\/csv/ : /^application\/json/);
    bodies.push(await (text ? response.text() : response.json()));
  }
  const { rows, dropped } = poll.parse(bodies, { received: now, plan });
  t.strictSame(dropped, [], 'nothing is dropped');
  return rows;
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
const within = (part: number) => (found: number | null | undefined, wanted: number) =>
  near(found, wanted, part);

t.test('the fear and greed index since its first day', async (t) => {
  const rows = await rowsOf(t, [alternativeMe, alternativeMe.polls.fearGreed]);
  t.strictSame([rows[0]?.day, rows.at(-1)?.day], [today, dayOf('2018-02-01')], 'newest first');
  t.equal(rows.length, (today - dayOf('2018-02-01')) / dayLength + 1);
  t.equal(rows[0]?.next_update_in_s, (today + dayLength - now) / 1000);
  const wrong = rows.filter(({ value, label }) => classOf(value, label) !== classOf(value));
  t.strictSame(wrong, []);
});

t.test('metrics of networks, up to the day before yesterday', async (t) => {
  for (const symbol of ['BTC', 'ETH']) {
    const plan = { items: [symbol], from: today - 400 * dayLength };
    const rows = await rowsOf(t, [coinmetrics, coinmetrics.polls.days], plan);
    t.strictSame(
      [rows[0]?.day, rows.at(-1)?.day],
      [today - 400 * dayLength, today - 2 * dayLength],
    );
    const lacking = rows.filter((row) => Object.values(row).some((value) => value === null));
    t.strictSame(lacking, [], 'every metric of every day');
    const [first] = rows;
    t.ok(within(1e-9)(first?.marketCap, (first?.price ?? 0) * (first?.supply ?? 0)));
    t.equal(
      firstRefusal(
        rows.flatMap(({ mvrv }) => mvrv ?? []),
        null,
        rules.mvrv,
      ),
      null,
    );
  }
});

t.test('the market as a whole, and its coins', async (t) => {
  const gecko = await rowsOf(t, [coingecko, coingecko.polls.global]);
  const paprika = await rowsOf(t, [coinpaprika, coinpaprika.polls.global]);
  const lore = await rowsOf(t, [coinlore, coinlore.polls.global]);
  const all = [...gecko, ...paprika, ...lore].map((row) => row.dominance_pct);
  t.ok(Math.max(...all) - Math.min(...all) < 3, `${all} per cent`);
  t.match([gecko[0]?.stated, paprika[0]?.stated, lore[0]?.stated], [now, now, null]);
  const coins = await rowsOf(t, [coingecko, coingecko.polls.coins]);
  const more = await rowsOf(t, [coinpaprika, coinpaprika.polls.coins]);
  t.strictSame(
    coins.map(({ symbol }) => symbol),
    more.slice(0, 100).map(({ symbol }) => symbol),
  );
  const [bitcoin] = coins;
  const dominance = (100 * (bitcoin?.market_cap_usd ?? 0)) / (gecko[0]?.total_market_cap_usd ?? 0);
  t.ok(within(1e-6)(gecko[0]?.dominance_pct, dominance));
  for (const { symbol, price_usd: price } of coins) {
    const truth = model.truth('binance', `${symbol}USDT`, 'spot');
    if (truth) t.ok(within(0.002)(price, truth.priceUsd), `${symbol}: ${price}`);
  }
  const stable = await rowsOf(t, [defillama, defillama.polls.stablecoins]);
  const named = new Set(stable.map(({ symbol }) => symbol));
  const universe = seasonUniverse(coins, named).map(({ symbol }) => symbol);
  for (const gone of ['BTC', 'USDT', 'USDC', 'USDE', 'WBTC', 'STETH', 'WEETH', 'USDC.E']) {
    t.ok(coins.some(({ symbol }) => symbol === gone) && !universe.includes(gone), gone);
  }
  const from = today - 366 * dayLength;
  let whole = 0;
  for (const symbol of universe) {
    if (model.truth('binance', `${symbol}USDT`, 'spot') === undefined) continue;
    const closes = await rowsOf(t, [venues.binance, venueDays(venues.binance, `${symbol}USDT`)], {
      from,
    });
    if (closes.length === 366) whole++;
    const prices = closes.map(({ close }) => close);
    t.equal(firstRefusal(prices, null, rules.coinClose), null, symbol);
  }
  t.ok(whole >= 50, `${whole} coins with a year of closes`);
});

t.test('every source has the same history of Bitcoin', async (t) => {
  const { binance, bitstamp, bitfinex } = venues;
  const [first, listed] = [dayOf('2010-08-16'), (date: string) => ({ from: dayOf(date) })];
  const sources = {
    binance: await rowsOf(t, [binance, venueDays(binance, 'BTCUSDT')], listed('2017-08-17')),
    bitstamp: await rowsOf(t, [bitstamp, venueDays(bitstamp, 'btcusd')], listed('2011-08-18')),
    bitfinex: await rowsOf(t, [bitfinex, venueDays(bitfinex, 'tBTCUSD')], listed('2013-04-01')),
    blockchain: await rowsOf(t, [blockchainInfo, blockchainInfo.polls.bitcoinDays]),
    coingecko: await rowsOf(t, [coingecko, coingecko.polls.bitcoinDays]),
  };
  const yesterday = today - dayLength;
  for (const [source, rows] of Object.entries(sources)) {
    const wrong = rows.filter(({ day, close }) => !within(0.005)(close, bitcoinClose(model, day)));
    t.strictSame(wrong, [], `${source} tells the model's closes`);
    t.strictSame(gaps(rows, { from: rows[0]?.day ?? 0, to: yesterday }), [], `${source}: no gaps`);
  }
  const starts = Object.values(sources).map((rows) => rows[0]?.day);
  const wanted = ['2017-08-17', '2011-08-18', '2013-04-01', '2010-08-16', '2025-08-14'];
  t.strictSame(starts, wanted.map(dayOf));
  const offered = Object.entries(sources).map(([source, rows]) => ({ source, rows }));
  const { days, refused } = merge(offered, { from: first, to: yesterday });
  t.strictSame(refused, [], 'the guard lets everything pass');
  t.equal(days.length, (today - first) / dayLength);
  t.ok(
    within(0.003)(model.truth('binance', 'BTCUSDT', 'spot')?.priceUsd, bitcoinPrice(model, now)),
  );
});

t.test('the chain by day: heights and coins', async (t) => {
  const days = Array.from({ length: 30 }, (_, at) => today - (30 - at) * dayLength);
  const from = days[0] ?? 0;
  const supplies = await rowsOf(t, [blockchainInfo, blockchainInfo.polls.supply], { from });
  const counts = new Set<number>();
  let before = 0;
  for (const [at, day] of days.entries()) {
    const [row] = await rowsOf(t, [mempool, mempool.polls.height], { to: day });
    const height = row?.height ?? 0;
    t.ok(Math.abs(height - heightAt('bitcoin', day + dayLength)) <= 1, `height ${height}`);
    t.strictSame(supplies[at], { day, value: supplyAfter(height) });
    if (before > 0) counts.add(height - before);
    before = height;
  }
  t.strictSame([...counts], [144], 'ten minutes a block');
  const tip = await fetch(`${simulator.url}/mempool.space/api/blocks/tip/height`);
  t.equal(await tip.json(), heightAt('bitcoin', now), 'the same host tells the tip');
});

t.test('stablecoins by day, and what exchanges show', async (t) => {
  const list = await rowsOf(t, [defillama, defillama.polls.stablecoins]);
  const days = await rowsOf(t, [defillama, defillama.polls.stablecoinDays]);
  const total = sum(list.map((row) => row.market_cap_usd));
  t.ok(within(0.05)(days.at(-1)?.total_market_cap_usd, total));
  t.equal(days.at(-1)?.day, today);
  const caps = days.map((row) => row.total_market_cap_usd);
  t.equal(firstRefusal(caps, null, rules.marketCap), null);
  const exchanges = await rowsOf(t, [defillama, defillama.polls.exchanges]);
  t.equal(exchanges.length, 88);
  const grades = new Set(exchanges.map((row) => transparency(row, now).grade));
  t.ok(grades.size >= 3, `${[...grades]}`);
  const trusted = await rowsOf(t, [coingecko, coingecko.polls.exchanges]);
  t.ok(trusted.some((row) => row.trust_score === null) && trusted.length > 80);
  const volumes = await rowsOf(t, [coingecko, coingecko.polls.volumes]);
  const btc = bitcoinPrice(model, now);
  for (const [id, kind] of [
    ['binance', 'spot'],
    ['okx', 'spot'],
    ['bybit_futures', 'futures'],
  ] as const) {
    const row = volumes.find(({ exchange, market }) => exchange === id && market === kind);
    const truths = model
      .truths(id.replace('_futures', ''))
      .filter((truth) => (truth.kind === 'spot') === (kind === 'spot'));
    const wanted = sum(truths.map(({ volumeUsd }) => volumeUsd));
    const ratio = ((row?.volume_24h_btc ?? 0) * btc) / wanted;
    t.ok(ratio > 0.5 && ratio < 2, `${id}: ${ratio} of the volume`);
  }
});

const isWeekend = ({ day }: { day: number }) => [0, 6].includes(new Date(day).getUTCDay());
const daysOf = (rows: readonly AssetDay[], asset: AssetId) =>
  rows.filter((row) => row.asset === asset);
const newest = (rows: readonly AssetDay[], asset: AssetId) => daysOf(rows, asset).at(-1)?.day ?? 0;
const twoYears = { from: today - 730 * dayLength };

t.test('traditional assets, on business days alone', async (t) => {
  const federal = await rowsOf(t, [fred, fred.polls.closes], twoYears);
  const sessions = await rowsOf(t, [yahoo, yahoo.polls.closes]);
  t.strictSame([...federal, ...sessions].filter(isWeekend), []);
  for (const asset of assetIds) {
    const [theirs, ours] = [daysOf(federal, asset), daysOf(sessions, asset)];
    for (const rows of [theirs, ours]) {
      const values = rows.map(({ value }) => value);
      t.equal(firstRefusal(values, null, rules[assets[asset].rule]), null, asset);
    }
    for (const [rows, name] of [
      [ours, assets[asset].yahoo],
      [theirs, assets[asset].fred],
    ] as const) {
      t.equal(rows.length > 480 && rows.length < 525, name !== null, `${asset}: ${rows.length}`);
    }
    const last = ours.at(-1);
    if (!last) continue;
    t.ok(within(1e-9)(last.value, assetClose(model, asset, last.day)), 'the truth');
    const known = new Map(ours.map(({ day, value }) => [day, value]));
    const apart = theirs.filter(({ day, value }) => !within(0.002)(value, known.get(day) ?? value));
    t.strictSame(apart, [], `${asset}: both tell the same`);
  }
});

t.test('when assets are published, and since when', async (t) => {
  const federal = await rowsOf(t, [fred, fred.polls.closes], twoYears);
  t.equal(newest(federal, 'sp500'), today - dayLength, 'yesterday, from noon on');
  t.ok(newest(federal, 'usd_broad_index') <= today - 7 * dayLength, 'the broad dollar is late');
  simulator.clock.freeze(today + 6 * 3_600_000);
  const early = await rowsOf(t, [fred, fred.polls.closes], twoYears);
  t.equal(newest(early, 'sp500'), today - 2 * dayLength, 'the day before in the morning');
  simulator.clock.freeze(null);
  const fixings = await rowsOf(t, [frankfurter, frankfurter.polls.dollar], twoYears);
  t.strictSame(fixings.filter(isWeekend), []);
  const apart = fixings.filter(
    ({ day, value }) => !within(1e-4)(value, assetClose(model, 'dxy', day)),
  );
  t.strictSame(apart, [], 'the index of the fixings is the index');
  const { binance } = venues;
  const gold = await rowsOf(t, [binance, venueDays(binance, 'PAXGUSDT')], twoYears);
  t.equal(gold.length, 730);
  const wrong = gold.filter(
    ({ day, close }) => !within(0.002)(close, assetClose(model, 'gold', day)),
  );
  t.strictSame(wrong, [], 'gold trades at weekends too');
});

t.test('the price of loans, in every unit', async (t) => {
  for (const { id: exchange, poll } of lenders) {
    const rows = await rowsOf(t, [venues[exchange], poll]);
    for (const asset of borrowAssets) {
      const row = rows.find((one) => one.asset === asset);
      const wanted = annualRate(model.seed, [exchange, asset], now);
      t.ok(wanted >= 0.02 && wanted <= 0.2, `${exchange} ${asset}: ${wanted}`);
      t.ok(within(1e-4)((row?.hourly_rate ?? 0) * 8760, wanted), `${exchange} ${asset}`);
    }
  }
  const { gate } = venues;
  const [newest] = await rowsOf(t, [gate, gate.polls.loans], { items: ['USDT'] });
  t.equal(newest?.stated, Math.floor(now / 3_600_000) * 3_600_000);
});

t.test('what is held on margin, and what funds it', async (t) => {
  const { marginSizes, marginHours, fundingStats } = venues.bitfinex.polls;
  for (const items of [['tBTCUSD'], ['tETHUSD']]) {
    const last = await rowsOf(t, [venues.bitfinex, marginSizes], { items });
    const hist = await rowsOf(t, [venues.bitfinex, marginHours], { items });
    t.strictSame(
      last.map(({ side }) => side),
      ['long', 'short'],
    );
    t.equal(hist.length, 500);
    for (const { side, time, size } of last) {
      t.equal(time, Math.floor(now / 60_000) * 60_000);
      const sizes = hist.filter((row) => row.side === side).map((row) => row.size);
      t.ok(within(0.05)(size, sizes[0] ?? 0), 'newest first');
      t.equal(firstRefusal(sizes, null, rules.marginSize), null);
    }
  }
  for (const asset of ['USD', 'BTC', 'USDT']) {
    const rows = await rowsOf(t, [venues.bitfinex, fundingStats], { items: [asset] });
    t.equal(rows.length, 250);
    const [newest] = rows;
    const wanted = annualRate(model.seed, ['bitfinex', asset], now) * 1.04;
    t.ok(within(1e-3)((newest?.frr_daily ?? 0) * 365, wanted), asset);
    t.ok((newest?.used ?? 0) < (newest?.provided ?? 0));
  }
});

t.test('options: what is open, and marks that Black-76 makes of their volatilities', async (t) => {
  const check = (rows: readonly OptionRow[], wanted: readonly string[], part: number) => {
    t.strictSame([...new Set(rows.map(({ symbol }) => symbol))].sort(), wanted);
    for (const { market, symbol, underlying } of rows) {
      const price = model.truth('binance', `${symbol}USDT`, 'spot')?.priceUsd ?? 0;
      if (!within(part)(underlying, price)) t.fail(`${market}: ${underlying}`);
    }
    const far = rows.find(({ type, strike, underlying, expiry, iv, mark }) => {
      const option = { type, strike, forward: underlying, volatility: iv ?? 0 };
      const value = greeksOf({ ...option, years: yearsBetween(now, expiry) })?.price ?? 0;
      return Math.abs(value - (mark ?? 0)) > 1e-3 * underlying;
    });
    t.equal(far, undefined);
    t.equal(new Set(rows.map(({ market }) => market)).size, rows.length);
    t.ok(
      rows.some(({ open_interest: open }) => open === 0) &&
        sum(rows.map((row) => row.open_interest)) > 0,
    );
  };
  const rowsOfAll = async (venue: typeof venues.okx | typeof venues.deribit) => {
    const lists = Object.values<MarketPoll<'options'>>(venue.feeds.options.parts);
    const all = lists.map(({ requests, parse }) =>
      rowsOf(t, [
        venue,
        {
          requests: ({ now }) => requests({ markets: [], now }),
          parse: (bodies, { received }) =>
            parse(bodies, { received, instruments: new Map() }).options,
        },
      ]),
    );
    return (await Promise.all(all)).flat();
  };
  check(await rowsOfAll(venues.deribit), ['BTC', 'ETH', 'SOL', 'XRP'], 0.06);
  check(await rowsOfAll(venues.okx), ['BTC', 'ETH'], 0.06);
});
