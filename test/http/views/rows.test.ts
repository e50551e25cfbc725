/** Views of rows by exchange: recorded values, rows of markets and option chains. */
import t from 'tap';
import { ChangingReading } from '../../../actors/topics/changing-reading.ts';
import {
  type OptionRow,
  type Reading,
  type RecordedAt,
  topics,
} from '../../../actors/topics/index.ts';
import { priceRows } from '../../../http/views/market-rows.ts';
import { OptionsView } from '../../../http/views/options.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { RecordedView } from '../../../http/views/recorded-values.ts';
import { optionRow } from '../../indicators/options/rows.ts';
import { now, priceRow } from '../../support/makers.ts';

const minute = 60_000;

type Values = Readonly<Record<string, readonly (number | null)[]>>;
/** What is recorded: by series and column, the values of each key. */
const recorded: Readonly<Record<string, Readonly<Record<string, Values>>>> = {
  price: { price: { 'spot/BTC': [100, 50], 'perpetual/BTC': [null, 5], 'spot/ETH': [5, null] } },
  'open-interest': {
    usd: { 'binance/linear/BTC': [100, 50, 40], 'okx/linear/BTC': [100, 50, 10] },
  },
  'taker-flow': {
    buy_usd: { 'binance/spot/BTC': Array(24).fill(2), 'binance/spot/ETH': [null, 1] },
    sell_usd: { 'binance/spot/BTC': Array(24).fill(3), 'binance/spot/ETH': [7] },
  },
  'account-ratio': {
    long: { 'binance/BTC': [0.6], 'binance/ETH': [0.6] },
    short: { 'binance/BTC': [0.3], 'binance/ETH': [null] },
  },
  'options-open-interest': {
    usd: { 'okx/BTC': [null, 1, 2], 'okx/ETH': [null, 4], 'deribit/BTC': [null, null, 8] },
  },
};

t.test('recorded values', async (t) => {
  let changes = 0;
  const view = new RecordedView(() => changes++);
  const read = () => [
    [view.priceChange('spot', 'BTC'), view.priceChange('perpetual', 'BTC')],
    [view.priceChange('spot', 'ETH'), view.priceChange('spot', 'X')],
    [view.interestChanges('BTC'), view.interestChanges('BTC', 'okx')].map(Object.values),
    [view.interestChanges('X'), view.interestChanges('BTC', 'kraken')].map(Object.values),
    [view.takers('BTC'), view.takers('ETH'), view.takers('BTC', 'okx')].map(Object.values),
    [view.accountRatio('BTC'), view.accountRatio('ETH'), view.accountRatio('BTC', 'okx')],
  ];
  const nothing = [[null, null], [null, null], ...Array(2).fill(Array(2).fill([null, null]))];
  const none = [...nothing, Array(3).fill([null, null]), [null, null, null]];
  t.strictSame([read(), view.optionsByDay()], [none, []], 'before any reply');
  const asked = view.questions().map((question) => question(now + 7));
  // It is 22:13:20: the last whole minute and five minutes, each with an hour and a day before it.
  const at = (day: number, time: string) => Date.parse(`2023-11-${day}T${time}Z`);
  const [price, interest, takers, accounts, options] = asked.map(({ params }) => params);
  t.strictSame(price, {
    series: 'price',
    step: '1m',
    times: [at(14, '22:12'), at(14, '21:12'), at(13, '22:12')],
    carry: 2,
  });
  t.strictSame(interest, {
    series: 'open-interest',
    step: '5m',
    times: [at(14, '22:05'), at(14, '21:05'), at(13, '22:05')],
    carry: 3,
  });
  const { times: hours, ...flow } = takers ?? { times: [] };
  t.strictSame(flow, { series: 'taker-flow', step: '1h', prefix: 'binance/spot/' });
  t.strictSame([hours.length, hours[0], hours[23]], [24, at(14, '21:00'), at(13, '22:00')]);
  t.strictSame(accounts, {
    series: 'account-ratio',
    step: '5m',
    times: [at(14, '22:05')],
    carry: 6,
    prefix: 'binance/',
  });
  const { times: dayTimes, ...open } = options ?? { times: [] };
  t.strictSame(open, { series: 'options-open-interest', step: '1d' });
  t.strictSame([dayTimes.length, dayTimes[29]], [30, at(13, '00:00')]);
  for (const { params, accept } of asked) {
    const given = Object.entries(recorded[params.series] ?? {});
    const keys = Object.keys(given[0]?.[1] ?? {});
    const columns = given.map(([name, values]): [string, (number | null)[][]] => [
      name,
      params.times.map((_, i) => keys.map((key) => values[key]?.[i] ?? null)),
    ]);
    const reply: RecordedAt = {
      series: params.series,
      times: params.times,
      keys,
      recorded_from: 0,
      columns: Object.fromEntries(columns),
    };
    accept(reply, now);
  }
  t.equal(changes, 5);
  const unknown = [null, null];
  // Percent of prices and of open interest in one hour and in a day; 24 hours of takers; 0.6 over 0.3.
  const full = [
    [100, null],
    [null, null],
    [
      [100, 300],
      [100, 900],
    ],
    [unknown, unknown],
    [[48, 72], unknown, unknown],
    [2, null, null],
  ];
  view.expire(now + 15 * minute);
  t.strictSame(read(), full);
  const days = (symbol?: string) => view.optionsByDay(symbol).map(({ exchanges }) => exchanges);
  t.strictSame(days(), [{ okx: 5 }, { okx: 2, deribit: 8 }]);
  t.strictSame(days('ETH'), [{ okx: 4 }]);
  view.expire(now + 15 * minute + 1);
  t.strictSame(read(), none, 'too old');
  asked[0]?.accept(
    { series: 'price', times: [], keys: ['spot/BTC'], columns: {}, recorded_from: 0 },
    now + 1,
  );
  t.equal(view.priceChange('spot', 'BTC'), null, 'a reply without its column');
});

interface Row {
  market: string;
  symbol: string;
  received?: number;
}
const rowsOf = (
  text: string,
  received: number,
  over: Partial<Reading<Row>> = {},
): Reading<Row> => ({
  source: 'a',
  part: 'all',
  asked: received,
  received,
  rows: text.split(' ').map((market) => ({ market, symbol: market.charAt(0) })),
  ...over,
});

t.test('of two rows of a market the newer counts', async (t) => {
  const times = (reading: ChangingReading<Row>) =>
    reading.rows.map(({ market, received = reading.received }) => `${market} ${received}`);
  const old = rowsOf('X1 X2 Y1', 10);
  const rows = [...old.rows.slice(0, 2), { market: 'Y1', symbol: 'Y', received: 30 }];
  t.strictSame(times(new ChangingReading(rowsOf('X1 Y1 Z1', 20), { ...old, rows })), [
    'X1 20',
    'Y1 30',
    'Z1 20',
  ]);
  const same = new ChangingReading(rowsOf('X1', 10), { ...old, frozen: true });
  t.strictSame(
    [same.rows, same.frozen],
    [rowsOf('X1', 10).rows, undefined],
    'of one millisecond the own one',
  );
  const reading = new ChangingReading({ ...old, frozen: true, suspect: [] });
  reading.change(rowsOf('X1 N1', 10));
  reading.change(rowsOf('X2', 9));
  t.strictSame(
    [times(reading), reading.frozen, reading.suspect],
    [['X1 10', 'X2 10', 'Y1 10'], true, []],
  );
  t.strictSame(
    reading.rows.map(({ received }) => received),
    [10, undefined, undefined],
  );
  t.strictSame(
    ['Y', 'N', 'X'].map((symbol) => reading.of(symbol).map(({ market }) => market)),
    [['Y1'], [], ['X1', 'X2']],
  );
  t.equal(old.rows[0]?.received, undefined, 'the reading itself does not change');
});

t.test('rows of markets by exchange, each with its own age', async (t) => {
  const prices = new PricesView();
  const view = priceRows(prices);
  const rowsAt = (text: string, at: number, over: Partial<Reading<Row>> = {}) => {
    const { rows, ...reading } = rowsOf(text, now + at, over);
    return { ...reading, rows: rows.map((row) => priceRow(row)) };
  };
  const accept = (...[text, at, over]: Parameters<typeof rowsAt>) =>
    prices.accept(rowsAt(text, at, over), now + at);
  const read = (...names: string[]) => {
    const found = view.of('a', ...names);
    if (found === null) return null;
    const items = found.rows.map(({ market, received }) => `${market} ${received - now}`);
    return [...items, found.stale, found.newest && found.newest - now];
  };
  let made = 0;
  const answers = view.source.answers({
    build: (names: string[]) => [view.of('a', ...names), ++made],
    keysOf: (names: string[]) => view.keysOf('a', names),
  });
  const countOf = (...names: string[]) => {
    answers(names);
    return made;
  };
  t.equal(read(), null);
  accept('X1 Y1', 0);
  accept('Z1', 300, { part: 'other' });
  t.strictSame(read(), ['X1 0', 'Y1 0', 'Z1 300', 0, 300]);
  t.strictSame(read('Y'), ['Y1 0', 0, 0]);
  t.strictSame(read('N', 'X1'), ['X1 0', 0, 0]);
  t.strictSame(read('N', 'N1'), [0, 0], 'unknown');
  t.strictSame([countOf(), countOf('Y')], [1, 2]);
  const { maxAge } = topics.prices;
  prices.expire(now + maxAge);
  t.strictSame([countOf(), countOf('Y')], [2, 3], 'nothing is too old, but Y is not heard');
  prices.expire(now + maxAge + 1);
  t.strictSame(read(), ['Z1 300', 2, 300]);
  t.strictSame([countOf(), countOf('Y')], [4, 5]);
  t.strictSame(read('Y'), [1, 0], 'it is known');
  prices.change(rowsAt('X1', maxAge), now + maxAge + 1);
  t.strictSame([countOf(), countOf('Y')], [6, 6], 'its own row has not changed');
  accept('Z1', maxAge + 2, { part: 'other' });
  t.strictSame(read(), [`X1 ${maxAge}`, `Z1 ${maxAge + 2}`, 1, maxAge + 2]);
  t.strictSame([countOf(), countOf('Y')], [7, 8], 'a whole reading may have more rows');
  accept('X2', maxAge + 3, { part: 'other' });
  t.strictSame(read('X'), [`X1 ${maxAge}`, `X2 ${maxAge + 3}`, 0, maxAge + 3]);
  t.match(view.one('a', 'other', 'X2'), { market: 'X2', received: now + maxAge + 3 });
  t.equal(view.one('a', 'all', 'X2'), null);
  accept('X2', maxAge + 4, { part: 'other', frozen: true });
  t.strictSame(read('X'), [`X1 ${maxAge}`, 1, maxAge], 'a frozen exchange repeats old numbers');
  t.equal(view.one('a', 'other', 'X2'), null);
});

t.test('option chains become too old, and options expire', async (t) => {
  const view = new OptionsView(
    new Map([
      ['okx', ['BTC', 'ETH']],
      ['deribit', ['BTC']],
    ]),
  );
  const accept = (source: string, received: number, over: Partial<OptionRow> = {}) => {
    const rows = [optionRow({ expiry: now + 400_000, ...over })];
    view.accept({ source, part: over.symbol ?? 'BTC', asked: received, received, rows }, now);
  };
  // Without the first, which is made before anything was received.
  let built = -1;
  const read = view.source.answers({ build: () => ++built });
  const at = (time: number, wanted = {}) => {
    view.expire(time);
    read('');
    const found = view.find(wanted);
    if ('error' in found) return found.error;
    const { rows, exchanges, failed, stale, received } = found;
    return [rows.length, exchanges.join(), failed.join(), stale, received - now, built];
  };
  t.equal(at(now, { symbol: 'X' }), 'upstream_failed', 'nothing was received');
  accept('okx', now);
  accept('okx', now - 1);
  t.strictSame(at(now, { symbol: 'BTC' }), [1, 'okx', 'deribit', false, 0, 1]);
  t.strictSame(at(now), [1, 'okx', 'deribit,okx', false, 0, 1]);
  accept('deribit', now + 50_000);
  accept('okx', now + 1, { symbol: 'ETH', expiry: now + 100_000 });
  t.strictSame(at(now + 99_999), [3, 'deribit,okx', '', false, 50_000, 2]);
  t.strictSame(at(now + 100_000), [2, 'deribit,okx', '', false, 50_000, 3], 'one has expired');
  t.equal(at(now + 100_000, { symbol: 'ETH' }), 'upstream_failed');
  t.equal(at(now + 100_000, { symbol: 'X', exchange: 'okx' }), 'unknown_symbol');
  t.strictSame(at(now + 180_000, { symbol: 'BTC' }), [2, 'deribit,okx', '', false, 50_000, 3]);
  const late = [1, 'deribit', 'okx', false, 50_000, 4];
  t.strictSame(at(now + 180_001, { symbol: 'BTC' }), late);
  const stale = [1, 'deribit,okx', 'okx', true, 0, 4];
  t.strictSame(at(now + 180_001, { symbol: 'BTC', exchange: 'okx' }), stale);
  t.equal(built, 4);
});
