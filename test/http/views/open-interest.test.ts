import t from 'tap';
import type { OpenInterestRow, Reading } from '../../../actors/topics/index.ts';
import type { JsonText } from '../../../http/answers/json-text.ts';
import { OpenInterestView } from '../../../http/views/open-interest.ts';
import { interestRow, now } from '../../support/makers.ts';

const minute = 60_000;
const row = (over: Partial<OpenInterestRow>): OpenInterestRow =>
  interestRow({ units: 10, value: 1_000, ...over });

const reading = (
  source: string,
  rows: OpenInterestRow[],
  { part = 'linear', received = now } = {},
): Reading<OpenInterestRow> => ({ source, part, asked: received - 50, received, rows });

const dataOf = (found: JsonText | null) => {
  if (found === null) throw new Error('no answer');
  return JSON.parse(found.text);
};

const view = (
  rates: [string, number][] = [
    ['USDT', 1],
    ['USD', 1],
  ],
  turnovers: Record<string, number> = {},
) =>
  new OpenInterestView({
    rates: () => new Map(rates),
    turnover: (exchange) => turnovers[exchange] ?? null,
  });

t.test('an exchange sums its markets; time and mark are those of the largest', async (t) => {
  const oi = view();
  oi.accept(reading('a', [row({ stated: 7 })]), now);
  const coin = row({
    market: 'BTCUSD',
    quote: 'USD',
    units: 30,
    value: 3_030,
    mark: 101,
    stated: 9,
  });
  oi.accept(reading('a', [coin], { part: 'inverse', received: now - 5 }), now);
  oi.accept(reading('b', [row({ units: 1, value: 102, mark: null })]), now);
  const data = dataOf(oi.one('BTC'));
  t.same(data.exchanges.a, {
    oi_usd: 1_000 + 3_030,
    oi_contracts: 10 + 30,
    updated_at: now - 5,
    venue_time: 9,
    mark_price: 101,
  });
  t.equal(data.total_oi_usd, 1_000 + 3_030 + 102);
  t.equal(data.exchange_count, 2);
  t.equal(data.exchanges.b.mark_price, null);
  t.same(dataOf(oi.all()), { BTC: { total_oi_usd: 4_132, exchange_count: 2 } });
  t.notOk(oi.has('ETH'));
});

t.test('an exchange is named while its sum lacks a market that is too old', async (t) => {
  const oi = view();
  const later = now + 11 * minute;
  oi.accept(reading('a', [row({})], { part: 'linear' }), now);
  oi.accept(reading('a', [row({ market: 'BTCUSD' })], { part: 'inverse', received: later }), later);
  t.match(dataOf(oi.one('BTC')), { exchanges: { a: { oi_usd: 1_000 } }, stale_exchanges: ['a'] });
  oi.accept(reading('a', [row({})], { part: 'linear', received: later }), later);
  t.match(dataOf(oi.one('BTC')), { exchanges: { a: { oi_usd: 2_000 } }, stale_exchanges: [] });
});

t.test('an open interest times a million is shown and is in no total', async (t) => {
  const oi = view(undefined, { a: 4_000, b: 3_000, c: 500 });
  oi.accept(reading('a', [row({})]), now);
  oi.accept(reading('b', [row({ value: 2_000 })]), now);
  oi.accept(reading('c', [row({ value: 300e6 })]), now);
  const data = dataOf(oi.one('BTC'));
  t.match(data, { total_oi_usd: 3_000, exchange_count: 2 });
  t.match(data.exchanges.c, { oi_usd: 300e6, excluded: true });
  t.notOk('excluded' in data.exchanges.b);
  t.same(dataOf(oi.all()), { BTC: { total_oi_usd: 3_000, exchange_count: 2 } });
});

t.test(
  'rows whose exchange needs longer for all of its markets count for as long as it needs',
  async (t) => {
    const oi = view();
    oi.accept({ ...reading('slow', [row({})]), maxAge: 30 * minute }, now);
    oi.accept(reading('fast', [row({})]), now);
    oi.expire(now + 10 * minute + 1);
    const data = dataOf(oi.one('BTC'));
    t.match(data.exchanges, { slow: { oi_usd: 1_000, updated_at: now } });
    t.same(data.stale_exchanges, ['fast']);
    oi.expire(now + 30 * minute);
    t.ok(oi.one('BTC'));
    oi.expire(now + 30 * minute + 1);
    t.notOk(oi.one('BTC'));
  },
);
