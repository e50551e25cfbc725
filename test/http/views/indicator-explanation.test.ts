/** Indicators of the market are computed again out of nothing but the JSON of their answers. */
import t from 'tap';
import type { IndicatorName, IndicatorReading } from '../../../actors/topics/index.ts';
import { Snapshot } from '../../../http/answers/snapshots.ts';
import { marketIndicatorRoutes } from '../../../http/routes/market-indicators.ts';
import { MarketIndicatorsView } from '../../../http/views/published-indicators.ts';
import { houseIndex } from '../../../indicators/market/fear-greed.ts';
import { contextFor, now, views } from '../../support/route-stage.ts';

interface Explained {
  [field: string]: unknown;
  explanation: {
    field: string;
    result: number;
    method: string;
    threshold: number | null;
    inputs: { value: number | null; weight: number }[];
  };
}

/** The number that the inputs give, as the description of `method` says. */
function again({ method, threshold, inputs }: Explained['explanation']): number {
  const known = inputs.filter(({ weight }) => weight > 0);
  const sum = (of: (one: (typeof known)[number]) => number) =>
    known.reduce((all, one) => all + of(one), 0);
  if (method === 'rounded_weighted_mean')
    return Math.round(sum((one) => one.weight * Number(one.value)) / sum((one) => one.weight));
  if (method === 'rounded_share_above') {
    const above = known.filter(({ value }) => Number(value) > Number(threshold));
    return Math.round((100 * above.length) / known.length);
  }
  return Number(known[0]?.value);
}

function read(name: IndicatorName, fields: IndicatorReading['fields'], source: string | string[]) {
  const marketIndicators = new MarketIndicatorsView();
  const times = { updated_at: now - 700, received_at: now, stale_after: 180_000 };
  const reading = { ...{ name, fields, source, lacks: null, live: null }, ...times };
  marketIndicators.accept(name, reading, now);
  const rows = marketIndicatorRoutes({ ...contextFor(views), marketIndicators });
  const row = rows.find(({ path }) => path === `/v1/indicators/${name}`);
  return (explain?: string): Explained => {
    const found = row && 'view' in row.from ? row.from.view({ limit: 1, explain }) : null;
    if (!(found instanceof Snapshot)) throw new Error(name);
    return JSON.parse(found.dataText);
  };
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
    ...{ symbol: `C${rank}`, rank, change_pct, outperforms: change_pct > 4 },
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
