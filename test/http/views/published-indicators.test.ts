import t from 'tap';
import type {
  HistoryRow,
  IndicatorHistory,
  IndicatorName,
  IndicatorReading,
} from '../../../actors/topics/index.ts';
import { Snapshot } from '../../../http/answers/snapshots.ts';
import type { Answers } from '../../../http/answers/source.ts';
import {
  type Indicator,
  type IndicatorQuery,
  MarketIndicatorsView,
} from '../../../http/views/published-indicators.ts';
import { apiError } from '../../../http/wire/errors.ts';

const now = 1_700_000_000_000;
const day = 86_400_000;
const midnight = now - (now % day);

const reading = (over: Partial<IndicatorReading> = {}): IndicatorReading => ({
  name: 'ahr999',
  fields: { value: 1.5, price_usd: 40_000 },
  lacks: null,
  source: 'binance',
  updated_at: now - 500,
  received_at: now,
  stale_after: 180_000,
  live: null,
  ...over,
});

/** Rows of the `count` days up to yesterday. */
const days = (count: number): HistoryRow[] =>
  Array.from({ length: count }, (_, i) => ({ timestamp: midnight - (count - i) * day, value: i }));

const historyOf = (rows: HistoryRow[], recorded_from: number | null = null): IndicatorHistory => ({
  name: 'ahr999',
  rows,
  recorded_from,
});

const viewOf = (given: IndicatorReading, rows?: HistoryRow[]) => {
  const view = new MarketIndicatorsView();
  view.accept(given.name, given, now);
  if (rows) view.acceptHistory(given.name, { ...historyOf(rows), name: given.name });
  return view;
};

/** The ready answers of each indicator. */
const made = new WeakMap<Indicator<IndicatorName>, Answers<IndicatorQuery, object>>();

const ready = (
  view: MarketIndicatorsView,
  query: Partial<IndicatorQuery> = {},
  key: IndicatorName = 'ahr999',
) => {
  const indicator = view.of(key);
  const answers =
    made.get(indicator) ??
    indicator.source.answers<IndicatorQuery, object>({ build: (asked) => indicator.read(asked) });
  made.set(indicator, answers);
  const answer = answers({ limit: 365, ...query });
  if (!(answer instanceof Snapshot)) throw new Error(answer?.message ?? 'no reading');
  return answer;
};

const dataOf = (snapshot: Snapshot) => JSON.parse(snapshot.at(now).toString()).data;

t.test('the fields in their order, then what all indicators have', async (t) => {
  const view = new MarketIndicatorsView();
  view.accept('ahr999', reading(), now);
  view.acceptHistory('ahr999', historyOf(days(3), midnight - 9 * day));
  const data = dataOf(ready(view));
  t.strictSame(Object.entries(data).slice(0, -2), [
    ['value', 1.5],
    ['price_usd', 40_000],
    ['updated_at', now - 500],
    ['received_at', now],
    ['source', 'binance'],
    ['stale', false],
  ]);
  t.strictSame(data.coverage, {
    from: midnight - 3 * day,
    to: midnight - day,
    points: 3,
    recorded_from: midnight - 9 * day,
  });
  t.strictSame(data.history, days(3));
});

t.test('the time to the next value is counted down each minute', async (t) => {
  const fields = { value: 46, next_update_in_s: 100 };
  const view = viewOf(reading({ name: 'fear-greed', fields }));
  const left = () => dataOf(ready(view, {}, 'fear-greed')).next_update_in_s;
  const after = (ms: number) => {
    view.expire(now + ms);
    return left();
  };
  t.strictSame([left(), after(1_000), after(59_000), after(61_000)], [100, 99, 99, 39]);
  t.equal(JSON.parse(view.of('fear-greed').current()?.text ?? '').next_update_in_s, 39);
  t.equal(after(300_000), 0, 'it is late');
  const unknown = viewOf(reading({ name: 'fear-greed', fields: { next_update_in_s: null } }));
  unknown.expire(now + 120_000);
  t.equal(dataOf(ready(unknown, {}, 'fear-greed')).next_update_in_s, null);
});

t.test('the newest rows, oldest of them first; coverage is of the whole chart', async (t) => {
  const view = viewOf(reading(), days(5_000));
  for (const limit of [1, 365, 5_000]) {
    const { history, coverage } = dataOf(ready(view, { limit }));
    t.strictSame(history, days(5_000).slice(-limit), `${limit}`);
    t.match(coverage, { from: midnight - 5_000 * day, to: midnight - day, points: 5_000 });
  }
  const bare = dataOf(ready(viewOf(reading())));
  t.strictSame(bare.history, []);
  t.strictSame(bare.coverage, { from: null, to: null, points: 0, recorded_from: null });
});

t.test('the row that still runs', async (t) => {
  const live = { timestamp: midnight, value: 99 };
  const shown = { ...live, provisional: true };
  const view = viewOf(reading({ live }), days(4));

  t.test('is the last one, and counts towards the limit', async (t) => {
    const { history, coverage } = dataOf(ready(view));
    t.strictSame(history, [...days(4), shown]);
    t.match(coverage, { from: midnight - 4 * day, to: midnight, points: 5 });
    t.strictSame(dataOf(ready(view, { limit: 1 })).history, [shown]);
    t.strictSame(dataOf(ready(view, { limit: 2 })).history, [...days(4).slice(-1), shown]);
  });

  t.test('replaces a row of the same time', async (t) => {
    const same = viewOf(reading({ live }), [...days(4), { timestamp: midnight, value: 1 }]);
    const { history, coverage } = dataOf(ready(same));
    t.strictSame(history, [...days(4), shown]);
    t.equal(coverage.points, 5);
    t.strictSame(dataOf(ready(same, { limit: 1 })).history, [shown]);
  });

  t.test('is left out when the closed rows are newer', async (t) => {
    const older = viewOf(reading({ live: { ...live, timestamp: midnight - 2 * day } }), days(4));
    t.strictSame(dataOf(ready(older)).history, days(4));
    t.equal(dataOf(ready(older)).coverage.to, midnight - day);
  });

  t.test('is all there is of a chart that begins today', async (t) => {
    const { history, coverage } = dataOf(ready(viewOf(reading({ live }))));
    t.strictSame(history, [shown]);
    t.strictSame(coverage, { from: midnight, to: midnight, points: 1, recorded_from: null });
  });
});

t.test('stale as time passes and fresh again with the next reading', async (t) => {
  const view = viewOf(reading(), days(3));
  const first = ready(view);
  view.expire(now + 180_000);
  t.equal(ready(view), first, 'the same bytes until the age is more than three cadences');
  view.expire(now + 180_001);
  const second = ready(view);
  t.equal(dataOf(second).stale, true);
  t.not(second.etag, first.etag);
  view.expire(now + 400_000);
  t.equal(ready(view), second);
  view.accept('ahr999', reading({ received_at: now + 399_000 }), now + 400_000);
  t.equal(dataOf(ready(view)).stale, false);
  view.expire(now + 30 * day);
  t.match(dataOf(ready(view)), { stale: true, value: 1.5 }, 'served for good');
  const late = new MarketIndicatorsView();
  late.accept('ahr999', reading(), now + day);
  t.equal(dataOf(ready(late)).stale, true, 'a reading that is old when it comes');
});

t.test('no answer', async (t) => {
  const view = new MarketIndicatorsView();
  t.strictSame(view.of('pi-cycle').read({ limit: 365 }), null);
  view.acceptHistory('pi-cycle', { ...historyOf(days(3)), name: 'pi-cycle' });
  t.strictSame(view.of('pi-cycle').read({ limit: 365 }), null, 'a chart alone is none');
  const short = reading({ fields: null, lacks: { what: 'days of closes', needs: 200, has: 57 } });
  t.strictSame(viewOf(short).of('ahr999').read({ limit: 1 }), {
    error: 'not_enough_data',
    message: 'ahr999 needs 200 days of closes, there are 57',
  });
});

t.test('rates by exchange and asset', async (t) => {
  const rate = (exchange: string, asset: string) => ({ exchange, asset, hourly_rate_pct: 0.001 });
  const rates = [rate('okx', 'BTC'), rate('okx', 'USDT'), rate('gate', 'USDT')];
  const fields = { rates, count: 3 };
  const view = viewOf(reading({ name: 'borrow-rates', fields }), days(2));
  const of = (query: Partial<IndicatorQuery>) => dataOf(ready(view, query, 'borrow-rates'));
  t.match(of({}), { rates, count: 3 });
  t.strictSame(Object.keys(of({ exchange: 'okx' })).slice(0, 3), ['rates', 'count', 'updated_at']);
  t.match(of({ exchange: 'okx' }), { rates: rates.slice(0, 2), count: 2 });
  t.match(of({ symbol: 'USDT' }), { rates: rates.slice(1), count: 2 });
  t.match(of({ symbol: 'USDT', exchange: 'gate' }), { rates: rates.slice(2), count: 1 });
  t.strictSame(of({ symbol: 'BTC', exchange: 'gate' }).rates, [], 'lent, but not there');
  t.equal(of({ exchange: 'bybit' }).count, 0);
  const broken = [null, 'x', { asset: 'BTC' }, { exchange: 'okx' }];
  const some = viewOf(reading({ fields: { rates: [...broken, ...rates] } }));
  t.strictSame(dataOf(ready(some, { exchange: 'okx' })).rates, rates.slice(0, 2), 'only rates');
  t.match(dataOf(ready(viewOf(reading()), { exchange: 'okx' })), { rates: [], count: 0 });
  t.strictSame(of({ exchange: 'okx' }).history, days(2), 'the chart is the same');
  t.match(view.of('borrow-rates').read({ limit: 1, symbol: 'DOGE' }), {
    error: 'unknown_symbol',
    message: 'no exchange has a rate of DOGE',
  });
  t.match(viewOf(reading()).of('ahr999').read({ limit: 1, symbol: 'X' }), {
    error: 'unknown_symbol',
  });
});

t.test('rows that are queried instead of published', async (t) => {
  const view = viewOf(reading());
  t.match(view.data({ reading: reading(), history: historyOf([]) }, 1).toJSON(), { stale: false });
  view.expire(now + 200_000);
  const live = { timestamp: midnight, value: 99 };
  const given = reading({ name: 'bitfinex-margin', live, stale_after: 300_000 });
  const reply = { reading: given, history: historyOf(days(4), midnight) };
  t.strictSame(view.data(reply, 2).toJSON(), {
    value: 1.5,
    price_usd: 40_000,
    updated_at: now - 500,
    received_at: now,
    source: 'binance',
    stale: false,
    coverage: { from: midnight - 4 * day, to: midnight, points: 5, recorded_from: midnight },
    history: [...days(4).slice(-1), { ...live, provisional: true }],
  });
  t.match(view.data({ ...reply, reading: reading() }, 9).toJSON(), {
    stale: true,
    history: days(4),
  });
  t.throws(() => view.data({ ...reply, reading: reading({ fields: null }) }, 1), /without fields/);
  view.accept('pi-cycle', reading({ name: 'pi-cycle' }), now + 300_001);
  t.match(view.data(reply, 1).toJSON(), { stale: true }, 'of the time of the newest reading');
});

t.test('the value without its chart, and its listeners', async (t) => {
  const view = viewOf(reading(), days(3));
  let changes = 0;
  view.of('pi-cycle').source.listen(undefined, () => changes++);
  view.of('ahr999').source.listen(undefined, () => changes++);
  const value = { value: 1.5, price_usd: 40_000, updated_at: now - 500, source: 'binance' };
  t.strictSame(view.of('ahr999').current()?.toJSON(), { ...value, stale: false });
  t.equal(view.of('ahr999').current()?.asOf, now);
  view.expire(now + 180_001);
  t.strictSame(view.of('ahr999').current()?.toJSON(), { ...value, stale: true });
  t.equal(changes, 1);
  view.accept('ahr999', reading({ fields: null, received_at: now + 1 }), now + 1);
  const none = view.of('ahr999').read({ limit: 1 });
  t.strictSame([none, view.of('ahr999').current()], [apiError('not_enough_data'), null]);
  t.equal(view.of('pi-cycle').current(), null);
});
