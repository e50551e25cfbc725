import t from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import type { WalletPosition } from '../../../../actors/topics/hyperliquid-wallets.ts';
import { hyperliquid } from '../../../../actors/venues/hyperliquid/index.ts';
import {
  fillsOf,
  leaderboard,
  leadersIn,
  marginOf,
  ordersOf,
  positionsOf,
  tradersIn,
} from '../../../../actors/venues/hyperliquid/wallets.ts';
import { absent, recording } from '../../../support/recordings.ts';

const address = `0x${'a'.repeat(40)}`;
const contracts = new Map([
  ['BTC', { symbol: 'BTC', scale: 1 }],
  ['kPEPE', { symbol: 'PEPE', scale: 1000 }],
]);
const about = { address, contracts, received: 7 };

const position = {
  coin: 'kPEPE',
  szi: '-2000.0',
  leverage: { type: 'isolated', value: 5, rawUsd: '30.0' },
  entryPx: '0.0125',
  positionValue: '24.0',
  unrealizedPnl: '1.0',
  liquidationPx: '0.015',
  marginUsed: '4.8',
  cumFunding: { allTime: '9.0', sinceOpen: '-0.5', sinceChange: '0.0' },
};
const state = (...positions: object[]) => ({
  marginSummary: { accountValue: '50.5', totalMarginUsed: '4.75' },
  withdrawable: '20.25',
  assetPositions: positions.map((one) => ({ type: 'oneWay', position: one })),
});

t.test('an account: sizes and prices of a base asset, of a thousand in a name', async (t) => {
  t.strictSame(positionsOf(state(position), about), [
    {
      address,
      symbol: 'PEPE',
      contract: 'kPEPE',
      side: 'short',
      quantity_base: 2_000_000,
      value_usd: 24,
      entry_price: 0.0000125,
      liquidation_price: 0.000015,
      leverage: 5,
      margin_mode: 'isolated',
      margin_usd: 4.8,
      unrealized_pnl_usd: 1,
      funding_usd: -0.5,
      updated_at: 7,
    },
  ]);
  const odd = [
    { ...position, szi: '0.0' },
    { ...position, coin: 'NONE' },
    { ...position, entryPx: null },
    { ...position, positionValue: 'NaN' },
  ];
  t.strictSame(positionsOf(state(...odd), about), []);
  const free = { ...position, liquidationPx: null, leverage: { type: 'cross', value: 3 } };
  t.match(positionsOf(state(free), about), [{ liquidation_price: null, margin_mode: 'cross' }]);
  for (const bad of [null, {}, 'x', { marginSummary: {} }])
    t.throws(() => positionsOf(bad, about), ShapeError);
});

t.test('the value of an account whose collateral is in spot is unknown', async (t) => {
  const known = { account_value_usd: 50.5, margin_used_usd: 4.75, withdrawable_usd: 20.25 };
  for (const mode of ['default', 'disabled', 'dexAbstraction', null])
    t.strictSame(marginOf(state(), mode), known, `${mode}`);
  const unknown = { account_value_usd: null, margin_used_usd: 4.75, withdrawable_usd: null };
  for (const mode of ['unifiedAccount', 'portfolioMargin', 'other'])
    t.strictSame(marginOf(state(), mode), unknown, mode);
  const empty = {
    marginSummary: { accountValue: '0.0', totalMarginUsed: '4.75' },
    withdrawable: '0.0',
  };
  t.strictSame(marginOf(empty, null), unknown);
});

t.test('an account, as recorded', { skip: absent }, async (t) => {
  const body = recording('hyperliquid', 'clearinghouse-state')?.response;
  const names = Object(body).assetPositions.map((one: object) => Object(one).position.coin);
  const all = new Map<string, { symbol: string; scale: number }>(
    names.map((name: string) => [name, { symbol: name, scale: 1 }]),
  );
  const positions = positionsOf(body, { ...about, contracts: all });
  t.equal(positions.length, names.length, 'all of them');
  const isNear = ({
    quantity_base,
    entry_price,
    value_usd,
    unrealized_pnl_usd,
    side,
  }: WalletPosition) => {
    const cost = value_usd - (side === 'long' ? 1 : -1) * unrealized_pnl_usd;
    return Math.abs(cost / (quantity_base * entry_price) - 1) < 0.001;
  };
  t.ok(positions.every(isNear), 'value less profit is what they have cost');
});

t.test('wallets of the leaderboard and of trades', async (t) => {
  const other = `0x${'B'.repeat(40)}`;
  const rows = [
    { ethAddress: other, displayName: null, accountValue: '12.5', windowPerformances: [] },
    { ethAddress: '0x1', accountValue: '5' },
    { ethAddress: address, accountValue: 'x' },
    null,
  ];
  const scanned = (body: unknown, space?: number) =>
    [...JSON.stringify(body, null, space).matchAll(leaderboard.scan ?? /x/g)].map((match) =>
      match.slice(1),
    );
  for (const space of [0, 2])
    t.strictSame(leadersIn(scanned({ leaderboardRows: rows }, space)), [
      { address: other.toLowerCase(), worth: 12.5 },
    ]);
  for (const bad of [{}, null, { leaderboardRows: [] }])
    t.throws(() => leadersIn(scanned(bad)), ShapeError);
  const trade = { coin: 'BTC', px: '100', sz: '2', users: [address, other] };
  t.strictSame(tradersIn([trade, { ...trade, users: null }, 7]), [
    { address, worth: 200 },
    { address: other.toLowerCase(), worth: 200 },
  ]);
});

t.test('orders and fills', async (t) => {
  const order = {
    coin: 'kPEPE',
    side: 'B',
    limitPx: '0.02',
    sz: '3',
    timestamp: 1_750_000_000_000,
    orderType: 'Stop Market',
    isTrigger: true,
    triggerPx: '0.03',
    reduceOnly: true,
  };
  t.match(ordersOf([order, { ...order, coin: 'NONE' }, { ...order, sz: '0' }], contracts), [
    { symbol: 'PEPE', side: 'buy', price: 0.00002, trigger_price: 0.00003, quantity_base: 3_000 },
  ]);
  const fill = {
    coin: 'BTC',
    px: '100.5',
    sz: '2',
    side: 'A',
    time: 1_750_000_000_000,
    dir: 'Close Long',
    closedPnl: '3.5',
    crossed: true,
    fee: '0.25',
    feeToken: 'HYPE',
    liquidation: {},
  };
  t.strictSame(fillsOf([fill, { ...fill, px: '' }, {}], contracts), [
    {
      symbol: 'BTC',
      contract: 'BTC',
      side: 'sell',
      direction: 'Close Long',
      price: 100.5,
      quantity_base: 2,
      value_usd: 201,
      closed_pnl_usd: 3.5,
      fee_usd: null,
      is_taker: true,
      is_liquidation: true,
      timestamp: 1_750_000_000_000,
    },
  ]);
});

t.test('the questions about an address', async (t) => {
  const { hyperliquidAccount } = hyperliquid.queries;
  t.match(hyperliquidAccount.requests({ address, dex: 'xyz' }), [
    { weight: 2, body: { type: 'clearinghouseState', user: address, dex: 'xyz' } },
    { weight: 2, body: { type: 'spotClearinghouseState', user: address } },
    { weight: 20, body: { type: 'frontendOpenOrders', user: address, dex: 'xyz' } },
    { weight: 120, body: { type: 'userFills', user: address } },
    { weight: 20, body: { type: 'userAbstraction', user: address } },
  ]);
});
