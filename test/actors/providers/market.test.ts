/** Upstreams of the whole market, on bodies of our own and on recordings. */
import t from 'tap';
import { alternativeMe } from '../../../actors/providers/alternative-me.ts';
import { coingecko } from '../../../actors/providers/coingecko.ts';
import { coinlore } from '../../../actors/providers/coinlore.ts';
import { coinmetrics } from '../../../actors/providers/coinmetrics.ts';
import { coinpaprika } from '../../../actors/providers/coinpaprika.ts';
import { defillama } from '../../../actors/providers/defillama/index.ts';
import { readFault } from '../../../actors/upstream/faults.ts';
import { dayOf } from '../../../indicators/market/days.ts';
import { absent, recording } from '../../support/recordings.ts';
import { body, context, now } from '../market/fixtures.ts';

t.test('alternative.me: newest first, all text', async (t) => {
  const { fearGreed } = alternativeMe.polls;
  const { rows, dropped } = fearGreed.parse([body('alternative-me/fear-greed')], context());
  t.same(rows, [
    { day: dayOf('2025-06-16'), value: 71, label: 'Greed', next_update_in_s: 51_234 },
    { day: dayOf('2025-06-15'), value: 54, label: 'Neutral', next_update_in_s: null },
    { day: dayOf('2025-06-14'), value: 46, label: 'Fear', next_update_in_s: null },
  ]);
  t.same(
    dropped.map(({ key }) => key),
    ['1749772800', '1749686400'],
    'no number, and more than 100',
  );
  const data = [-1, 0, 100, 101].map((value, at) => ({
    value,
    value_classification: 'x',
    time_until_update: value,
    timestamp: dayOf('2025-06-01') / 1000 + at,
  }));
  t.strictSame(
    fearGreed.parse([{ data }], context()).rows.map((row) => [row.value, row.next_update_in_s]),
    [
      [0, 0],
      [100, 100],
    ],
  );
});

t.test('Coin Metrics: all text; the metrics of exchanges may be missing', async (t) => {
  const { days } = coinmetrics.polls;
  const asked = days.requests({ now, items: ['BTC'], from: dayOf('2025-06-01') });
  t.match(asked, [
    {
      path: '/v4/timeseries/asset-metrics',
      query: { assets: 'btc', frequency: '1d', start_time: '2025-06-01' },
    },
    { query: { metrics: 'FlowInExUSD,FlowOutExUSD,SplyExNtv' }, optional: true },
  ]);
  const [network, exchanges] = ['coinmetrics/network', 'coinmetrics/exchanges'].map(body);
  const { rows, dropped } = days.parse([network, exchanges], context());
  const before = { day: dayOf('2025-06-12'), price: 104_000.25, marketCap: 2.08e12 };
  const newest = { day: dayOf('2025-06-13'), price: 105_000.5, marketCap: 2.1e12 };
  const none = { inflow: null, outflow: null, onExchanges: null };
  const flows = { inflow: 3_500_000_000.5, outflow: 3_600_000_000.25, onExchanges: 2_500_000.125 };
  t.strictSame(rows, [
    { ...before, supply: 19_999_500, mvrv: null, activeAddresses: 690_001, ...none },
    { ...newest, supply: 20_000_000, mvrv: 2.1, activeAddresses: 705_123, ...flows },
  ]);
  t.strictSame(dropped, [{ key: 'soon', code: 'bad_row' }]);
  t.match(days.parse([network, undefined], context()).rows.at(-1), { mvrv: 2.1, ...none });
});

t.test('the market as a whole, from three', async (t) => {
  const rows = Object.entries({ coingecko, coinpaprika, coinlore }).flatMap(
    ([id, { polls }]) => polls.global.parse([body(`${id}/global`)], context()).rows,
  );
  t.strictSame(
    rows.map((row) => [row.dominance_pct, row.eth_dominance_pct, row.stated]),
    [
      [61.25, 8.75, now],
      [62.1, null, now],
      [61.9, 8.9, null],
    ],
  );
  t.strictSame(
    rows.map((row) => [row.total_market_cap_usd, row.total_volume_24h_usd]),
    [
      [3.4e12, 1.15e11],
      [3.35e12, 9.8e10],
      [3_300_000_000_000.5, 90_000_000_000.25],
    ],
  );
});

t.test('CoinGecko: scores of exchanges, and its refusal', async (t) => {
  const scored = [0, 1, 10, 11].map((score) => ({ id: `x${score}`, trust_score: score }));
  t.strictSame(
    coingecko.polls.exchanges.parse([scored], context()).rows.map((row) => row.trust_score),
    [null, 1, 10, null],
  );
  const fault = { status: { error_code: 429, error_message: 'Throttled' } };
  t.equal(readFault(coingecko.apis.rest, 200, fault)?.code, 'rate_limited');
  t.equal(readFault(coingecko.apis.rest, 200, body('coingecko/global')), null);
});

t.test('DefiLlama: stablecoins', async (t) => {
  const { stablecoins, stablecoinDays } = defillama.polls;
  const coins = stablecoins.parse([body('defillama/stablecoins')], context());
  t.same(
    coins.rows.map((row) => [row.symbol, row.peg, row.market_cap_usd, row.market_cap_30d_ago_usd]),
    [
      // Dollars as they stand, under every peg; neither EMP without any nor OLD that is gone.
      ['USDT', 'peggedUSD', 1000, 900],
      ['USDC', 'peggedUSD', 400, 400],
      ['EURC', 'peggedEUR', 100, null],
      ['EURX', 'peggedEUR', 100, null],
    ],
  );
  t.same(
    coins.dropped.map(({ key }) => key),
    ['53', '54'],
  );
  const days = stablecoinDays.parse([body('defillama/stablecoin-days')], context());
  t.same(days.rows, [
    { day: dayOf('2025-06-15'), total_market_cap_usd: 1600, usd_pegged_usd: 1498.5 },
    { day: dayOf('2025-06-16'), total_market_cap_usd: 1700, usd_pegged_usd: 1600 },
  ]);
  t.equal(days.dropped.length, 1, 'no coins at all is no day');
});

t.test('as recorded', { skip: absent }, async (t) => {
  const response = (upstream: string, name: string) => recording(upstream, name)?.response;
  const fear = alternativeMe.polls.fearGreed.parse(
    [response('alternative-me', 'fng-limit-2')],
    // Recorded after the time of our own bodies.
    { ...context(), received: Date.UTC(2026, 3, 27) },
  );
  t.same(
    fear.rows.map(({ value, label }) => [value, label]),
    [
      [47, 'Neutral'],
      [33, 'Fear'],
    ],
  );
  const cexs = defillama.polls.exchanges.parse([response('defillama', 'cexs-two-rows')], context());
  t.same(
    cexs.rows.map((row) => [row.exchange, row.reserves_usd, row.inflow_24h_usd]),
    [
      ['binance-cex', 139_684_360_969.39758, 4_403_471.619324267],
      ['bybit', 13_073_538_118.423311, -27_319_332.16195826],
    ],
  );
  const stable = defillama.polls.stablecoins.parse(
    [response('llama-stablecoins', 'stablecoins')],
    context(),
  );
  t.same(
    stable.rows.map((row) => [row.symbol, row.market_cap_usd]),
    [['USDT', 159_510_682_147.76874]],
  );
  t.same([...fear.dropped, ...cexs.dropped, ...stable.dropped], []);
});
