/** Indicators of the market are computed again out of nothing but the JSON of their answers. */
import t from 'tap';
import type {
  IndicatorInput,
  IndicatorName,
  IndicatorReading,
} from '../../../actors/topics/index.ts';
import { houseIndex } from '../../../indicators/market/fear-greed.ts';
import { transparency } from '../../../indicators/market/transparency.ts';
import { again, answersAbout } from '../../support/explained.ts';
import { now } from '../../support/route-stage.ts';

function read(
  name: IndicatorName,
  fields: IndicatorReading['fields'],
  source: string | string[],
  inputs: IndicatorInput[] = [],
) {
  const times = { updated_at: now - 700, received_at: now, stale_after: 180_000 };
  return answersAbout({ name, fields, source, lacks: null, live: null, inputs, ...times });
}

const day = 86_400_000;
const closes = Array.from({ length: 460 }, (_, i) => ({
  day: i * day,
  close: 100 + 20 * Math.sin(i / 17) + (i % 7),
}));
const dominance = Array.from({ length: 400 }, (_, i) => 50 + 3 * Math.cos(i / 23) + (i % 5) / 10);
const own = houseIndex({ closes, volumes: [], dominance });
const told = { classification: 'fear', classification_label: 'Fear', previous_close: null };
const before = { ...told, week_ago: null, month_ago: null, next_update_in_s: null };

t.test('fear and greed: our own index, and that of the vendor', async (t) => {
  if (own === null) throw new Error('too few days');
  const { value, weight, ranks } = own;
  const fields = { value, ...before, computed_from: { weight, ranks: { ...ranks } } };
  const answer = read('fear-greed', fields, 'computed');
  const data = answer('1');
  t.equal(again(data.explanation), value);
  t.match(data, { value, explanation: { field: 'value', result: value, age_ms: 700 } });
  t.match(data.explanation.inputs[2], { name: 'volume', value: null, weight: 0 });
  const turned = 100 - Number(ranks.unrest);
  t.match(data.explanation.inputs[1], { name: 'unrest', weight: 0.3 });
  // Answers have eleven digits.
  t.ok(Math.abs(Number(data.explanation.inputs[1]?.value) - turned) < 1e-8, `${turned}`);
  const { explanation: _, ...rest } = data;
  t.strictSame(rest, answer(), 'the rest is the usual answer');
  const vendor = read('fear-greed', { value: 31, ...before }, 'alternative.me')('1');
  t.equal(again(vendor.explanation), 31);
  t.match(vendor.explanation, { method: 'stated', sources: ['alternative.me'] });
});

t.test('the altcoin season, and the dominance of Bitcoin', async (t) => {
  const changes = [-30, -5, 4, 4.1, 90, 12, 3.9];
  const coins = changes.map((change_pct, rank) => ({
    symbol: `C${rank}`,
    rank,
    change_pct,
    outperforms: change_pct > 4,
  }));
  // Three of seven did better than 4 %.
  const fields = { index: 43, classification: 'neutral', bitcoin_change_pct: 4, coins };
  const { explanation } = read('altcoin-season', fields, ['coingecko', 'binance'])('1');
  t.equal(again(explanation), 43);
  t.match(explanation, { field: 'index', threshold: 4, sources: ['coingecko', 'binance'] });
  const shares = { dominance_pct: 57.5, total_market_cap_usd: 3e12, btc_market_cap_usd: 1.725e12 };
  const found = read('bitcoin-dominance', shares, 'coingecko')('1');
  t.equal(again(found.explanation), 57.5);
});

t.test('sums over exchanges and coins', async (t) => {
  const coins = [120e9, 60e9, 5e9].map((value, i) => ({ name: `S${i}`, value }));
  const market = read('stablecoin-mcap', { total_market_cap_usd: 185e9 }, 'defillama', coins)('1');
  t.equal(again(market.explanation), 185e9);
  t.throws(
    () => read('stablecoin-mcap', { total_market_cap_usd: 185e9 }, 'defillama')('1'),
    'no explanation without what the number is made of',
  );
  const interest = [
    { of: 'BTC', name: 'deribit', value: 30, side: 'above' as const },
    { of: 'BTC', name: 'okx', value: 10, side: 'above' as const },
    { of: 'BTC', name: 'binance', value: 80, side: 'below' as const },
    { of: 'ETH', name: 'deribit', value: 1, side: 'above' as const },
    { of: 'ETH', name: 'binance', value: 4, side: 'below' as const },
  ];
  const ratios = { ratio: 0.5, by_asset: [], missing_options_exchanges: ['bybit'] };
  const options = read('options-futures-oi-ratio', ratios, 'deribit', interest)('1');
  t.equal(again(options.explanation, 'BTC'), 0.5);
  t.equal(again(options.explanation, 'ETH'), 0.25);
  t.match(options.explanation.inputs.at(-1), { name: 'bybit', value: null, weight: 0 });
  const volume = (exchange: string, futures: number | null, spot: number | null) => ({
    exchange,
    ratio: null,
    futures_volume_24h_usd: futures,
    spot_volume_24h_usd: spot,
  });
  const rows = [volume('a', 60, 10), volume('b', 20, 10), volume('c', null, 5)];
  const sums = { futures_volume_24h_usd: 80, spot_volume_24h_usd: 25, by_exchange: rows };
  const turnover = { ratio: 3.2, ...sums, excluded_exchanges: ['d'] };
  t.equal(again(read('futures-spot-volume-ratio', turnover, 'exchanges')('1').explanation), 3.2);
  const none = { ...turnover, ratio: 4, futures_volume_24h_usd: null, by_exchange: [] };
  const other = read('futures-spot-volume-ratio', none, 'coingecko')('1').explanation;
  t.match(other, { method: 'stated', result: 4 });
});

t.test('loans, margin and the scores of exchanges', async (t) => {
  const rate = (exchange: string, hourly: number) => ({
    exchange,
    asset: 'USDT',
    hourly_rate_pct: hourly,
    daily_rate_pct: hourly * 24,
    annual_rate_pct: hourly * 8760,
    borrow_limit: null,
    updated_at: null,
  });
  const rates = [rate('okx', 0.001), rate('gate', 0.003)];
  const loans = { rates, count: 2, refused: [{ exchange: 'bybit', asset: 'USDT' }] };
  const { explanation: each } = read('borrow-rates', loans, ['okx', 'gate'])('1');
  t.equal(again(each, 'okx/USDT'), 8.76);
  t.equal(again(each, 'gate/USDT'), 26.28);
  t.equal(each.result, 8.76);
  const only = read('borrow-rates', loans, 'okx')('1', { exchange: 'gate' }).explanation;
  t.equal(only.result, 26.28, 'of the rates that are asked for');
  const inputs = rates.map(({ asset, exchange, annual_rate_pct }) => ({
    of: asset,
    name: exchange,
    value: annual_rate_pct,
  }));
  const means = { symbol: 'USDT', average_annual_rate_pct: 17.52, assets: [] };
  t.equal(again(read('borrow-interest-rate', means, 'okx', inputs)('1').explanation), 17.52);
  const sides = { symbol: 'BTC', long_size: 90, short_size: 30, long_short_ratio: 3 };
  t.equal(again(read('bitfinex-margin', sides, 'bitfinex')('1').explanation), 3);
  const nothing = { own_token: null, auditor: null, audit_url: null, wallets_url: null };
  const flows = { inflow_24h_usd: null, inflow_7d_usd: null, inflow_30d_usd: null };
  const shown = { ...nothing, ...flows, reserves_usd: 100, clean_reserves_usd: 83 };
  const traded = { spot_volume_24h_usd: 5, derivatives_volume_24h_usd: 9, open_interest_usd: 70 };
  const row = { exchange: 'a', name: 'A', ...shown, ...traded, last_audit_at: now - 200 * day };
  // 40 for wallets, 15 for an audit within a year, 20 x 0.33 / 0.5 = 13.2, and 10 for leverage of 0.7.
  const exchanges = [transparency(row, now), transparency({ ...row, reserves_usd: null }, now)];
  const scored = { exchanges, count: 2, method: 'published_reserves' };
  const { explanation } = read('exchange-transparency', { ...scored, exchanges }, 'defillama')('1');
  t.equal(again({ ...explanation, inputs: explanation.inputs.slice(0, 4) }), 78.2);
  t.equal(explanation.result, 78.2);
  t.equal(explanation.inputs.length, 8);
});
