/** The recorded history of implied volatility and skew, and what is recorded of it. */
import t from 'tap';
import { optionsVolatility } from '../../../actors/history/series/options.ts';
import { MarketState } from '../../../actors/state/market-state.ts';
import { NewestRows } from '../../../actors/state/newest-rows.ts';
import { type OptionRow, topics } from '../../../actors/topics/index.ts';
import { historyRoute } from '../../../http/routes/options/history.ts';
import { OptionsView } from '../../../http/views/options.ts';
import { tenorOf } from '../../../indicators/options/volatility.ts';
import { day, now, optionRow } from '../../indicators/options/rows.ts';
import { seriesReply } from '../../support/http-makers.ts';
import { reading } from '../../support/makers.ts';
import { rowReader } from '../../support/row-reader.ts';

/** Strikes from 40 to 250 % of the forward: calls at one volatility, puts at another, so that any delta has that one. */
const smile = (days: number, call: number, put: number): OptionRow[] =>
  Array.from({ length: 43 }, (_, i) => 40 + 5 * i).flatMap((strike) => {
    const one = { expiry: now + days * day, strike, underlying: 100 };
    return [
      optionRow({ ...one, type: 'call', iv: call }),
      optionRow({ ...one, type: 'put', iv: put }),
    ];
  });

const near = (found: unknown, wanted: number) =>
  typeof found === 'number' && Math.abs(found - wanted) < 1e-9;

t.test(
  'variance is linear in time between two expiries, of call, put and middle each',
  async (t) => {
    const at = (years: number, volatility: number) => ({ years, volatility });
    const [first, second] = [20 / 365, 40 / 365];
    const terms = {
      middle: [at(first, 0.5), at(second, 0.5)],
      call: [at(first, 0.4), at(second, 0.4)],
      put: [at(first, 0.6), at(second, 0.8)],
    };
    const { atm, skew } = tenorOf(terms, 30);
    t.ok(near(atm, 0.5));
    // (0.36 x 20 + 0.64 x 40) / 2 = 16.4 of 30 days.
    t.ok(near(skew, Math.sqrt(16.4 / 30) - 0.4));
    t.strictSame(tenorOf(terms, 41), { atm: null, skew: null }, 'nothing beyond the last expiry');
    t.strictSame(tenorOf({ ...terms, put: [] }, 30).skew, null);
  },
);

t.test('recorded by asset out of the options of all exchanges', async (t) => {
  const newest = new NewestRows();
  const market = new MarketState(newest, () => []);
  const chain = [...smile(20, 0.4, 0.5), ...smile(40, 0.4, 0.5)];
  newest.accept('options', reading(chain, { source: 'deribit', part: 'BTC', received: now }));
  const sample = (at: number) => [...(optionsVolatility.sample?.(market, at, 3_600_000) ?? [])];
  const [row, ...others] = sample(now);
  t.strictSame(others, []);
  t.equal(row?.key, 'BTC');
  t.match(row?.values, { atm_7: null, skew_7: null, atm_90: null, skew_90: null, atm_180: null });
  t.ok(near(Object(row?.values).atm_30, 0.45), 'mean of call and put');
  t.ok(near(Object(row?.values).skew_30, 0.1), 'put less call');
  t.strictSame(sample(now + topics.options.maxAge + 1), [], 'a list that is too old is not used');
});

t.test('its history: a metric at a tenor, by hour or by day', async (t) => {
  const options = new OptionsView(new Map([['deribit', ['BTC']]]));
  const asked: unknown[] = [];
  const read = rowReader(historyRoute({ options }), {
    reply({ params }) {
      asked.push(params);
      const columns = { atm_30: [0.5, null, 0.6], skew_90: [0.01, 0.02, -0.03] };
      const times = [now - 3 * day, now - 2 * day, now - day];
      return seriesReply('options-volatility', day, ['BTC'], { BTC: { times, columns } });
    },
  });
  options.accept(
    { source: 'deribit', part: 'BTC', asked: now, received: now, rows: smile(20, 0.4, 0.5) },
    now,
  );
  const atm = await read('/v1/options/history?symbol=btc');
  t.match(atm, { symbol: 'BTC', metric: 'atm_iv', tenor: '30d', count: 2, coverage: {} });
  t.strictSame(
    atm.points,
    [
      { timestamp: now - 3 * day, value: 0.5 },
      { timestamp: now - day, value: 0.6 },
    ],
    'what is not known is left out',
  );
  t.match(asked.at(-1), { series: 'options-volatility', keys: ['BTC'], step: '1h', limit: 720 });
  const skew = await read('/v1/options/history?metric=skew_25d&tenor=90d&days=400');
  t.match(skew, { metric: 'skew_25d', tenor: '90d', count: 3 });
  t.equal(skew.points.at(-1).value, -0.03);
  t.match(asked.at(-1), { step: '1d', limit: 400 });
  const unknown = await read('/v1/options/history?symbol=NOSUCHCOIN');
  t.match(unknown, { error: 'unknown_symbol', message: /NOSUCHCOIN/ });
});
