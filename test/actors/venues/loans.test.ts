/** Loans and margin of the exchanges, on bodies of our own and on recordings. */
import t from 'tap';
import type { Poll } from '../../../actors/sources/define.ts';
import { fundingSymbol, marginPair } from '../../../actors/venues/bitfinex/analytics.ts';
import { bitfinex } from '../../../actors/venues/bitfinex/index.ts';
import { bitget } from '../../../actors/venues/bitget/index.ts';
import { bybit } from '../../../actors/venues/bybit/index.ts';
import { gate } from '../../../actors/venues/gate/index.ts';
import { okx } from '../../../actors/venues/okx/index.ts';
import type { BorrowRow } from '../../../indicators/market/rows.ts';
import { absent, recording } from '../../support/recordings.ts';
import { sameRows } from '../../support/table.ts';
import { body, context, near, now } from '../market/fixtures.ts';
import { flawsOf } from './suite/damage.ts';

const { fundingStats, marginSizes, marginHours } = bitfinex.polls;

const short = (rows: readonly BorrowRow[]) =>
  rows.map((row) => [row.asset, row.hourly_rate, row.borrow_limit]);
const keys = (dropped: readonly { key: string }[]) => dropped.map(({ key }) => key);

t.test('OKX: daily fractions to hourly ones', async (t) => {
  const { rows, dropped } = okx.polls.loans.parse([body('okx/loans')], context());
  t.same(short(rows), [
    ['USDT', 0.00024 / 24, 500_000],
    ['BTC', 0, null],
  ]);
  t.same(keys(dropped), ['BAD', 'NEG']);
});

t.test('Bybit: hourly fractions of what can be borrowed', async (t) => {
  const { rows, dropped } = bybit.polls.loans.parse([body('bybit/loans')], context());
  t.same(short(rows), [['BTC', 5e-7, 300]]);
  t.equal(rows[0]?.stated, 1_750_000_000_500);
  t.same(keys(dropped), ['BAD']);
});

t.test('Bitget: a coin a call, named by the plan', async (t) => {
  const plan = { items: ['BTC', 'ETH', 'SOL'] };
  const bodies = [body('bitget/loans'), undefined, { data: { dailyInterest: '' } }];
  const { rows, dropped } = bitget.polls.loans.parse(bodies, context(plan));
  t.same(short(rows), [['BTC', 0.00012 / 24, 100]]);
  t.equal(rows[0]?.stated, 1_750_000_000_900);
  t.same(keys(dropped), ['SOL']);
  t.same(
    bitget.polls.loans.requests({ now, ...plan }).map(({ query }) => query?.coin),
    plan.items,
  );
});

t.test('Gate: hours, of which the newest counts', async (t) => {
  const { rows, dropped } = gate.polls.loans.parse([body('gate/loans'), undefined], context());
  t.equal(dropped.length, 1);
  t.same(short(rows), [['USDT', 0.00001, null]]);
  t.equal(rows[0]?.stated, 1_750_000_000_000);
});

t.test('Bitfinex: funding tickers, sizes and statistics', async (t) => {
  const { rows, dropped } = bitfinex.polls.loans.parse([body('bitfinex/loans')], context());
  t.same(short(rows), [
    ['USD', 0.00024 / 24, null],
    ['USDT', 0.00048 / 24, null],
  ]);
  t.same(keys(dropped), ['fETH']);
  t.same(['USDT', 'USDC', 'BTC'].map(fundingSymbol), ['fUST', 'fUDC', 'fBTC']);

  const stats = fundingStats.parse([body('bitfinex/funding-stats')], context());
  t.equal(stats.dropped.length, 1);
  const [{ frr_daily, ...sizes } = { frr_daily: null }] = stats.rows;
  sameRows(t, sizes)`
    time              average_period_days provided used below_threshold
    1_750_000_200_000 68.5                2000     1500 250
  `;
  // The document's sample: 5.8e-7 x 365 is 0.0212 % a day.
  t.ok(near(frr_daily, 0.0002117), 'a 365th of the daily rate');

  const last = marginSizes;
  t.equal(last.requests({ now })[1]?.path, '/v2/stats1/pos.size:1m:tBTCUSD:short/last');
  t.same(last.parse([[], []], context()), { rows: [], dropped: [] }, 'no margin in this pair');
  t.throws(() => last.parse([{}, [now, 1]], context()), { name: 'ShapeError' });
  const [longs, shorts] = [
    [now, 250.5],
    [now, 0],
  ];
  t.strictSame(last.parse([longs, shorts], context()).rows, [
    { time: now, side: 'long', size: 250.5 },
    { time: now, side: 'short', size: 0 },
  ]);
  t.strictSame(marginHours.parse([[longs, [now - 1, 2]], [[now, 3]]], context()).rows, [
    { time: now, side: 'long', size: 250.5 },
    { time: now - 1, side: 'long', size: 2 },
    { time: now, side: 'short', size: 3 },
  ]);
  t.same(['BTC', 'DOGE', 'USDT'].map(marginPair), ['tBTCUSD', 'tDOGE:USD', 'tUSTUSD']);
});

t.test('what a damaged value costs', async (t) => {
  const plan = { items: ['BTC', 'ETH'] };
  const polls: [name: string, poll: Poll<unknown>, bodies: unknown[]][] = [
    ['okx loans', okx.polls.loans, [body('okx/loans')]],
    ['bybit loans', bybit.polls.loans, [body('bybit/loans')]],
    ['bitget loans', bitget.polls.loans, [body('bitget/loans'), body('bitget/loans')]],
    ['gate loans', gate.polls.loans, [body('gate/loans'), body('gate/loans')]],
    ['bitfinex loans', bitfinex.polls.loans, [body('bitfinex/loans')]],
    ['bitfinex statistics', fundingStats, [body('bitfinex/funding-stats')]],
    [
      'bitfinex sizes',
      marginSizes,
      [
        [now, 250.5],
        [now, 0],
      ],
    ],
    [
      'bitfinex hours',
      marginHours,
      [
        [
          [now, 1],
          [now - 1, 2],
        ],
        [[now, 3]],
      ],
    ],
  ];
  for (const [name, poll, bodies] of polls) {
    const parse = (all: readonly unknown[]) => poll.parse(all, context(plan));
    t.strictSame(flawsOf({ name, bodies, parse }), []);
  }
});

t.test('as recorded', { skip: absent }, async (t) => {
  const of = (venue: string, name: string) => recording(venue, name)?.response;
  const item = (name: string) => context({ items: [name] });
  t.same(short(okx.polls.loans.parse([of('okx', 'borrow-rates')], context()).rows), [
    ['USDT', 0.00043728 / 24, 500_000],
    ['BTC', 0.00019992 / 24, 10],
  ]);
  for (const name of ['borrow-rates', 'spot-margin-trade-data'])
    t.same(short(bybit.polls.loans.parse([of('bybit', name)], context()).rows), [
      ['BTC', 5.03043e-7, 300],
    ]);
  for (const name of ['borrow-rate', 'v3-market-margin-loans'])
    t.same(short(bitget.polls.loans.parse([of('bitget', name)], item('BTC')).rows), [
      ['BTC', 0.00100008 / 24, 100],
    ]);
  t.same(short(gate.polls.loans.parse([of('gate', 'unified-history-loan-rate')], context()).rows), [
    ['USDT', 0.00010287, null],
  ]);
  const tickers = bitfinex.polls.loans.parse([of('bitfinex', 'funding-tickers')], context()).rows;
  t.same(short(tickers), [['USD', 0.00033534 / 24, null]]);
  const [stats] = fundingStats.parse([of('bitfinex', 'funding-stats')], context()).rows;
  t.match(stats, { time: 1_678_467_900_000, used: 2_988_430_006.4623938 });
});
