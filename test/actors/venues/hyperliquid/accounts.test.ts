import t from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import { hyperliquid } from '../../../../actors/venues/hyperliquid/index.ts';
import { publicInfo } from '../../../../actors/venues/hyperliquid/public-info.ts';
import { absent, recording } from '../../../support/recordings.ts';
import { table } from '../../../support/table.ts';
import { flawsOf } from '../suite/damage.ts';

const { vault, clearinghouse } = hyperliquid.queries;
const address = '0xdfc24b077bc1425ad1dea75bcb6f8158e10df303';

t.test('a vault, as recorded', { skip: absent }, async (t) => {
  const found = vault.parse([recording('hyperliquid', 'analytics-vault-details')?.response], 0);
  const nothing = { pnl_usd: 0, volume_usd: 0, account_value: [], pnl: [] };
  t.match(found, {
    address,
    name: 'Test',
    leader: '0x677d831aef5328190852e24f13c46cac05f984e7',
    apr: 0.36387129259090006,
    tvl_usd: 329265410.90790099,
    leader_commission: 0,
    is_closed: false,
    allow_deposits: true,
    follower_count: 1,
    follower_count_capped: false,
    max_distributable_usd: 94856870.164485,
    max_withdrawable_usd: 742557.680863,
    performance: {
      day: { account_value: [[1_734_397_526_634, 329265410.90790099]], pnl_usd: 0, volume_usd: 0 },
      week: nothing,
      month: nothing,
      all_time: nothing,
    },
    followers: table`
      address                                    equity_usd      pnl_usd       days_following entry_time
      0x005844b2ffb2e122cf4244be7dbcb4f84924907c 714491.71026243 3203.43026143 388            1_700_926_145_201
    `,
  });
  t.equal(found.child_vaults.length, 3);
});

const follower = {
  user: 'Leader',
  vaultEquity: '1.5',
  pnl: '-0.5',
  allTimePnl: '2',
  daysFollowing: 3,
  vaultEntryTime: 1_700_000_000_000,
};
const body = {
  name: 'A',
  vaultAddress: address,
  leader: '0x1',
  description: '',
  apr: -0.1,
  portfolio: [
    ['day', { accountValueHistory: [[1_700_000_000_000, '7'], ['x']], pnlHistory: [], vlm: '3.0' }],
    [
      'week',
      {
        accountValueHistory: [],
        pnlHistory: [
          [1_700_000_000_000, '5'],
          [1_700_000_100_000, '7.5'],
        ],
        vlm: '9.0',
      },
    ],
    ['perpDay', { accountValueHistory: [], pnlHistory: [], vlm: '0.0' }],
  ],
  leaderFraction: 0.15,
  leaderCommission: 0.2,
  maxDistributable: 1,
  maxWithdrawable: 2.5,
  followers: [follower],
  relationship: { type: 'normal' },
};

t.test('a vault without children or any profit, and one with many followers', async (t) => {
  t.match(vault.parse([body], 0), { child_vaults: [], is_closed: false, allow_deposits: false });
  const empty = { accountValueHistory: [], pnlHistory: [], vlm: '0.0' };
  const unused = { ...body, portfolio: ['day', 'week', 'perpDay'].map((name) => [name, empty]) };
  t.equal(vault.parse([unused], 0).tvl_usd, 0);
  const followers = Array.from({ length: 100 }, () => follower);
  t.strictSame(
    [followers, followers.slice(1)].map(
      (all) => vault.parse([{ ...body, followers: all }], 0).follower_count_capped,
    ),
    [true, false],
  );
  for (const bad of [{}, []]) t.throws(() => vault.parse([bad], 0), ShapeError);
});

const marginSummary = { accountValue: '9.5', totalNtlPos: '4.5', totalMarginUsed: '1.5' };
const questions = [
  {
    name: 'vault',
    bodies: [
      {
        ...body,
        isClosed: true,
        allowDeposits: true,
        relationship: { data: { childAddresses: ['0x2', '0x3'] } },
      },
    ],
    parse: (bodies: readonly unknown[]) => vault.parse(bodies, 0),
  },
  {
    name: 'clearinghouse',
    bodies: [['BTC', 'ETH'], { marginSummary, withdrawable: '0.5' }],
    parse: (bodies: readonly unknown[]) => clearinghouse.parse(bodies, 0),
  },
];

t.test('a vault and the account of the protocol, whole and damaged', async (t) => {
  t.strictSame(questions.flatMap(flawsOf), []);
  const nothing = { pnl_usd: 0, volume_usd: 0, account_value: [], pnl: [] };
  const [vaults, accounts] = questions.map((one) => one.parse(one.bodies));
  t.strictSame(vaults, {
    address,
    name: 'A',
    leader: '0x1',
    description: '',
    apr: -0.1,
    tvl_usd: 7,
    leader_fraction: 0.15,
    leader_commission: 0.2,
    is_closed: true,
    allow_deposits: true,
    max_distributable_usd: 1,
    max_withdrawable_usd: 2.5,
    follower_count: 1,
    follower_count_capped: false,
    child_vaults: ['0x2', '0x3'],
    performance: {
      day: { pnl_usd: 0, volume_usd: 3, account_value: [[1_700_000_000_000, 7]], pnl: [] },
      week: {
        pnl_usd: 2.5, // from 5 to 7.5
        volume_usd: 9,
        account_value: [],
        pnl: [
          [1_700_000_000_000, 5],
          [1_700_000_100_000, 7.5],
        ],
      },
      month: nothing,
      all_time: nothing,
    },
    followers: table`
      address equity_usd pnl_usd all_time_pnl_usd days_following entry_time
      Leader  1.5        -0.5    2                3              1_700_000_000_000
    `,
  });
  t.strictSame(accounts, {
    capped: ['BTC', 'ETH'],
    vault: {
      address,
      account_value_usd: 9.5,
      total_position_usd: 4.5,
      total_margin_used_usd: 1.5,
      withdrawable_usd: 0.5,
    },
  });
});

t.test('the account of the protocol, as recorded of another', { skip: absent }, async (t) => {
  const state = recording('hyperliquid', 'clearinghouse-state')?.response;
  t.strictSame(clearinghouse.parse([['BTC'], state], 0), {
    capped: ['BTC'],
    vault: {
      address,
      account_value_usd: 1182.312496,
      total_position_usd: 3434.815334,
      total_margin_used_usd: 171.740766,
      withdrawable_usd: 1010.57173,
    },
  });
  t.throws(() => clearinghouse.parse([{}, state], 0), ShapeError);
});

t.test('the questions', async (t) => {
  t.match(vault.requests({ address }), [{ body: { type: 'vaultDetails', vaultAddress: address } }]);
  t.match(clearinghouse.requests({}), [
    { weight: 20, body: { type: 'perpsAtOpenInterestCap' } },
    { weight: 2, body: { type: 'clearinghouseState', user: address } },
  ]);
});

/** https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits */
t.test('questions in its own form weigh what is documented', async (t) => {
  const weightOf = (question: object) =>
    publicInfo.requests({ question: JSON.stringify(question) })[0]?.weight;
  const plain = ['allMids', 'l2Book', 'recentTrades', 'fundingHistory', 'meta'];
  // One more for each 20 rows of an answer: 100 trades, 500 fundings.
  t.strictSame(
    plain.map((type) => weightOf({ type })),
    [2, 2, 25, 45, 20],
  );
  const hours = (count: number) => ({ interval: '1h', startTime: 0, endTime: count * 3_600_000 });
  // One more for each 60 candles.
  t.equal(weightOf({ type: 'candleSnapshot', req: hours(61) }), 22);
});
