/** Answers as the formulas make them, by every endpoint, against the documented schemas. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import type {
  HistoryRow,
  IndicatorName,
  IndicatorReading,
} from '../../../../actors/topics/index.ts';
import { indicatorNames } from '../../../../actors/topics/indicator-names.ts';
import { licence } from '../../../../actors/topics/indicators/network-metrics.ts';
import { indicatorAnswer, indicatorTable } from '../../../../actors/topics/indicators/table.ts';
import { JsonText } from '../../../../http/answers/json-text.ts';
import type { Schema } from '../../../../http/endpoints/route.ts';
import { MarketIndicatorsView } from '../../../../http/views/published-indicators.ts';
import { ahr999, ahr999Series } from '../../../../indicators/market/ahr999.ts';
import { season } from '../../../../indicators/market/altcoin-season.ts';
import { averageRate, ratesOf } from '../../../../indicators/market/borrow.ts';
import { correlations } from '../../../../indicators/market/correlations.ts';
import { dayLength as day } from '../../../../indicators/market/days.ts';
import { dominance } from '../../../../indicators/market/dominance.ts';
import { classOf, fearGreed } from '../../../../indicators/market/fear-greed.ts';
import { issuanceOfHeights } from '../../../../indicators/market/issuance.ts';
import { funding, margin } from '../../../../indicators/market/margin.ts';
import { metricsPoint, networkMetrics } from '../../../../indicators/market/network-metrics.ts';
import { piCycle, piCycleSeries } from '../../../../indicators/market/pi-cycle.ts';
import { puell, puellSeries } from '../../../../indicators/market/puell.ts';
import { rainbow, rainbowSeries } from '../../../../indicators/market/rainbow.ts';
import { optionsRatio, volumeRatios } from '../../../../indicators/market/ratios.ts';
import { stablecoinMarket } from '../../../../indicators/market/stablecoins.ts';
import type { Enough } from '../../../../indicators/market/statistics.ts';
import { stockToFlow, stockToFlowSeries } from '../../../../indicators/market/stock-to-flow.ts';
import { transparency } from '../../../../indicators/market/transparency.ts';

const now = 1_700_000_000_000;
const today = now - (now % day);
const span = 450;
const daysAgo = (count: number) => today - count * day;

const closes = Array.from({ length: span }, (_, i) => ({
  day: daysAgo(span - i),
  close: 30_000 + 5_000 * Math.sin(i / 20),
}));
const issuance = issuanceOfHeights(
  closes.map(({ day }, i) => ({ day, height: 750_000 + i * 144 + (i % 7) })),
);

function known<T>(found: Enough<T> | T | null): T {
  if (found === null) throw new Error('too little');
  if (typeof found === 'object' && found !== null && 'ok' in found) {
    if (!found.ok) throw new Error(`${found.has} of ${found.needs}`);
    return found.value;
  }
  return found;
}

const coin = (i: number) => ({
  id: `c${i}`,
  symbol: `C${i}`,
  name: `Coin ${i}`,
  rank: i,
  price_usd: 1,
  market_cap_usd: 9,
});
const universe = Array.from({ length: 50 }, (_, i) => coin(i + 1));
const coins = new Map(universe.map(({ symbol }) => [symbol, closes]));
const share = { dominance_pct: 55, eth_dominance_pct: null };
const global = { ...share, total_market_cap_usd: 3e12, total_volume_24h_usd: null, stated: null };
const rate = (exchange: string, hourly_rate: number) => ({
  exchange,
  asset: 'USDT',
  hourly_rate,
  borrow_limit: null,
  stated: null,
  received: now,
});
const nothing = { own_token: null, reserves_usd: null, clean_reserves_usd: null, auditor: null };
const flows = { inflow_24h_usd: null, inflow_7d_usd: -5, inflow_30d_usd: 5 };
const volumes = { spot_volume_24h_usd: 5, derivatives_volume_24h_usd: null };
const links = { open_interest_usd: null, last_audit_at: null, audit_url: null, wallets_url: null };
const turnover = { exchange: 'a', symbol: 'BTC', volume_24h_usd: 5 } as const;
const stats = { frr_daily: 0.0002, average_period_days: 30, provided: 9, used: 5 };
const point = { timestamp: now, long_size: 5, short_size: 0 };

type Sample = [fields: object, rows: readonly HistoryRow[]];
const at = { timestamp: daysAgo(1) };
const rows = <P extends { timestamp: number }>(series: readonly P[]): HistoryRow[] =>
  series.map((row) => ({ ...row }));

/** What the actors could say, with what is not known as null. */
const samples: Record<IndicatorName, () => Sample> = {
  'fear-greed': () => {
    const points = [{ timestamp: today, value: 20, classification: classOf(20) }];
    return [{ ...known(fearGreed(points)), next_update_in_s: null }, rows(points)];
  },
  'altcoin-season': () => {
    const found = known(season({ universe, bitcoin: closes, closes: coins }, daysAgo(1), 90));
    const fields = { ...found, period_days: 90, month_index: 5, year_index: null };
    return [fields, [{ ...at, index: 5, backfilled: true }]];
  },
  'bitcoin-dominance': () => [dominance(global, [], now), [{ ...at, dominance_pct: 55 }]],
  'stablecoin-mcap': () => {
    const row = { id: '1', symbol: 'USDT', name: 'Tether', peg: 'peggedUSD', market_cap_usd: 9 };
    const market = stablecoinMarket([{ ...row, market_cap_30d_ago_usd: null }], [], null, today);
    return [market, [{ ...at, total_market_cap_usd: 9 }]];
  },
  'bitcoin-correlations': () => {
    const found = { id: 'gold', name: 'Gold', ...correlations([]), source: 'yahoo' };
    const assets = [{ ...found, last_price: 2_000, last_date: '2023-11-14' }];
    const row = { sp500: 0.5, nasdaq: null, gold: -0.1, dxy: null, us10y: 0 };
    return [{ base: 'BTC', assets }, [{ ...at, ...row }]];
  },
  'options-futures-oi-ratio': () => {
    const found = optionsRatio({ symbol: 'BTC', options: new Map(), futures: new Map([['a', 9]]) });
    return [{ ...found, by_asset: [found], signal: null }, [{ ...at, ratio: 0.5 }]];
  },
  'futures-spot-volume-ratio': () => {
    const found = volumeRatios([{ ...turnover, kind: 'spot' }]);
    return [found, [{ ...at, ratio: 3 }]];
  },
  ahr999: () => [known(ahr999(closes)), rows(ahr999Series(closes))],
  'puell-multiple': () => [known(puell(closes, issuance)), rows(puellSeries(closes, issuance))],
  'stock-to-flow': () => [
    known(stockToFlow(closes, issuance)),
    rows(stockToFlowSeries(closes, issuance)),
  ],
  'pi-cycle': () => [known(piCycle(closes)), rows(piCycleSeries(closes))],
  'rainbow-chart': () => [known(rainbow(closes)), rows(rainbowSeries(closes, 7))],
  'two-year-ma': () => {
    const lines = { price: 9, two_year_ma: 4, multiplier_5x: 20 };
    return [{ ...lines, state: 'between' }, [{ ...at, ...lines }]];
  },
  '200-week-ma': () => {
    const lines = { price: 9, ma_200_week: 4 };
    return [{ ...lines, distance_percent: 125 }, [{ ...at, ...lines }]];
  },
  'golden-ratio': () => {
    const lines = { price: 9, ma_350_day: 4 };
    return [{ ...lines, multiples: { '2': 8 }, reached: 2 }, [{ ...at, ...lines }]];
  },
  'profitable-days': () => {
    const found = { price: 9, days: 4, profitable_days: 3, share: 0.75 };
    return [found, [{ ...at, ...found }]];
  },
  'exchange-transparency': () => {
    const shown = { exchange: 'a', name: 'A', ...nothing, ...flows, ...volumes, ...links };
    const row = { reserves_usd: 5, clean_reserves_usd: 4, exchanges_with_reserves: 1 };
    const fields = { exchanges: [transparency(shown, now)], count: 1, method: 'trust_score' };
    return [fields, [{ ...at, ...row }]];
  },
  'borrow-interest-rate': () => {
    const found = known(averageRate('USDT', [rate('okx', 1e-5), rate('gate', 2e-5)], now));
    const headline = found.average_annual_rate_pct;
    const row = { ...at, usdt: headline, usdc: null, btc: null, eth: null };
    return [{ symbol: 'USDT', average_annual_rate_pct: headline, assets: [found] }, [row]];
  },
  'borrow-rates': () => {
    const one = { exchange: 'okx', asset: 'USDT', ...ratesOf(1e-5), borrow_limit: null };
    const refused = [{ exchange: 'gate', asset: 'USDT' }];
    const row = { ...at, okx: 8.76, bybit: null, bitget: null, gate: null, bitfinex: null };
    return [{ rates: [{ ...one, updated_at: null }], count: 1, refused }, [row]];
  },
  'network-metrics': () => {
    const metrics = { price: 100, marketCap: 1_000, supply: 10, mvrv: 2, activeAddresses: 7 };
    const days = [{ day: daysAgo(2), ...metrics, inflow: null, outflow: 3, onExchanges: null }];
    const fields = { symbol: 'BTC', ...known(networkMetrics(days)).fields, ...licence };
    return [fields, rows(days.map(metricsPoint))];
  },
  'bitfinex-margin': () => {
    const { timestamp: _, ...found } = margin(point, 30_000, []);
    const usd = funding('USD', { ...stats, below_threshold: null, time: now });
    return [{ symbol: 'BTC', ...found, funding: [usd] }, [{ ...point, frr_daily_pct: 0.02 }]];
  },
};

const readingOf = (name: IndicatorName, fields: object): IndicatorReading => ({
  name,
  fields: { ...fields },
  lacks: null,
  source: ['a', 'b'],
  updated_at: now,
  received_at: now,
  stale_after: 180_000,
  live: null,
});

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });

for (const name of indicatorNames) {
  t.test(name, async (t) => {
    const { summary } = indicatorTable[name];
    const answer: Schema = { ...indicatorAnswer(name) };
    const [fields, rows] = samples[name]();
    const view = new MarketIndicatorsView();
    view.accept(name, readingOf(name, fields), now);
    view.acceptHistory(name, { name, rows: [...rows], recorded_from: null });
    const found = view.of(name).read({ limit: 5_000 });
    if (!(found instanceof JsonText)) throw new Error(`${name} has no answer`);
    const data = JSON.parse(found.text);
    const check = ajv.compile(answer);
    check(data);
    t.strictSame(check.errors, null);
    t.ok(summary.length > 10);
    t.ok(Array.isArray(answer.required) && answer.required.length > 6);
    for (const field of Array.isArray(answer.required) ? answer.required : []) {
      const { [field]: _, ...without } = data;
      t.notOk(check(without), `an answer without ${field} is none`);
    }
  });
}
