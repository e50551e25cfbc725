/** Aave on its contracts: values computed by hand, through real ABI bytes. */
import t from 'tap';
import { type Hex, multicall3Abi } from 'viem';
import { decodeFunctionData, encodeFunctionResult } from 'viem/utils';
import { multicallOf, resultsIn } from '../../../actors/chains/multicall.ts';
import {
  aaveAbi,
  aaveMarkets,
  listed,
  located,
  percentOf,
  read,
} from '../../../actors/defi/aave.ts';
import { ShapeError } from '../../../actors/failure.ts';
import { defillama } from '../../../actors/providers/defillama/index.ts';
import { multicall3 } from '../../../config/tokens.ts';
import { absent, recording } from '../../support/recordings.ts';
import { context, now } from './bodies.ts';

const token = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const reserve = { symbol: 'USDC', token } as const;
const at = { chain: 'ethereum', received: now } as const;

interface Facts {
  supplied: bigint;
  stable: bigint;
  variable: bigint;
  supplyRate: bigint;
  borrowRate: bigint;
  price: bigint;
  decimals: bigint;
  borrowing: boolean;
  active: boolean;
  frozen: boolean;
}

/** 1,000,000 of 6 decimals at 0.9999 dollars, 400,000 borrowed; 2.5 % and 4.75 %. */
const usual: Facts = {
  supplied: 1_000_000_000_000n,
  stable: 100_000_000_000n,
  variable: 300_000_000_000n,
  supplyRate: 25_000_000_000_000_000_000_000_000n,
  borrowRate: 47_500_000_000_000_000_000_000_000n,
  price: 99_990_000n,
  decimals: 6n,
  borrowing: true,
  active: true,
  frozen: false,
};

/** The three answers about a reserve. */
function answers(facts: Partial<Facts> = {}): Hex[] {
  const f = { ...usual, ...facts };
  const state = [0n, 0n, f.supplied, f.stable, f.variable, f.supplyRate, f.borrowRate] as const;
  const { borrowing, active, frozen } = f;
  return [
    encodeFunctionResult({
      abi: aaveAbi,
      functionName: 'getReserveData',
      result: [...state, 0n, 0n, 0n, 0n, 0],
    }),
    encodeFunctionResult({
      abi: aaveAbi,
      functionName: 'getReserveConfigurationData',
      result: [f.decimals, 0n, 0n, 0n, 0n, true, borrowing, false, active, frozen],
    }),
    encodeFunctionResult({ abi: aaveAbi, functionName: 'getAssetPrice', result: f.price }),
  ];
}

const rowOf = (facts: Partial<Facts> = {}) => read.rows(answers(facts), [reserve], at);

t.test('a reserve', async (t) => {
  t.strictSame(rowOf(), {
    rows: [
      {
        protocol: 'aave-v3',
        chain: 'ethereum',
        asset: 'USDC',
        pool_id: `aave-v3:ethereum:${token}`,
        supply_apy: 2.5,
        borrow_apy: 4.75,
        tvl_usd: 599_940,
        utilization: 0.4,
        reward_apy: null,
        borrowable: true,
        updated_at: now,
      },
    ],
    dropped: [],
  });
});

t.test('edges', async (t) => {
  const empty = rowOf({ supplied: 0n, stable: 0n, variable: 0n }).rows[0];
  t.match(empty, { tvl_usd: 0, utilization: 0 });
  const over = rowOf({ variable: 2_000_000_000_000n }).rows[0];
  t.match(over, { tvl_usd: 0, utilization: 1 }, 'more borrowed than supplied');
  t.match(rowOf({ borrowing: false }).rows[0], { borrowable: false, borrow_apy: 0 });
  t.strictSame(rowOf({ frozen: true }), { rows: [], dropped: [] });
  t.strictSame(rowOf({ active: false }), { rows: [], dropped: [] });
  const refused = { rows: [], dropped: [{ key: token, code: 'bad_row' }] };
  const most = 2n ** 256n - 1n;
  for (const facts of [
    { price: 0n },
    { decimals: 77n },
    { decimals: 37n },
    { supplied: most },
    { supplied: 10n ** 22n },
    { supplyRate: most },
    { borrowRate: most },
    { borrowRate: 10n ** 31n + 10n ** 25n },
  ]) {
    t.strictSame(rowOf(facts), refused, String(Object.keys(facts)));
  }
  const rate = 10n ** 31n;
  const dear = { supplied: 10n ** 21n, stable: 0n, variable: 0n, price: 10n ** 8n };
  const largest = rowOf({ ...dear, supplyRate: rate, borrowRate: rate }).rows[0];
  t.match(largest, { tvl_usd: 1e15, supply_apy: 1e6, borrow_apy: 1e6 });
  t.equal(rowOf({ supplied: 5n, decimals: 36n }).rows.length, 1);
  t.strictSame(read.rows(answers(), [{ symbol: '', token }], at), refused);
});

t.test('precision: balances beyond 2^53', async (t) => {
  const supplied = 123_456_789_123_456_789_123_456_789n;
  const row = rowOf({ supplied, stable: 0n, variable: 0n, decimals: 18n, price: 100_000_000n });
  t.equal(row.rows[0]?.tvl_usd, 123_456_789.12345679);
  t.equal(percentOf(1n), 1e-25);
  t.equal(percentOf(10n ** 27n), 100);
  t.equal(percentOf(39_897_500_000_000_000_000_000_000n), 3.98975);
});

t.test('an answer that fails or is cut costs its reserve only', async (t) => {
  const [data = '0x', rules = '0x', price = '0x'] = answers();
  const reserves = [
    reserve,
    { symbol: 'B', token: multicall3 },
    { symbol: 'C', token: multicall3 },
  ] as const;
  const all: (Hex | null)[] = [data, rules, price, data, null, price, data, '0x', price];
  const { rows, dropped } = read.rows(all, reserves, at);
  t.equal(rows.length, 1);
  t.equal(dropped.length, 2);
  t.equal(read.rows([], reserves, at).dropped.length, 3);
  t.equal(read.rows([price, price, price], [reserve], at).dropped.length, 1, 'other bytes');
});

t.test('the calls', async (t) => {
  const calls = located.calls('ethereum');
  t.strictSame(calls, [
    { to: aaveMarkets.ethereum, data: '0xe860accb' },
    { to: aaveMarkets.ethereum, data: '0xfca513a8' },
  ]);
  const whole = multicallOf(calls);
  t.equal(whole.to, multicall3);
  const { functionName, args } = decodeFunctionData({ abi: multicall3Abi, data: whole.data });
  if (functionName !== 'aggregate3') throw new Error(functionName);
  t.strictSame(
    args[0].map(({ target, allowFailure, callData }) => [target, allowFailure, callData]),
    calls.map(({ to, data }) => [to, true, data]),
  );
  const places = { chain: 'ethereum', dataProvider: multicall3, oracle: token } as const;
  t.strictSame(
    read
      .calls(places, [reserve])
      .map(({ to, data }) => [to, data.slice(0, 10), `0x${data.slice(34)}`]),
    [
      [multicall3, '0x35ea6a75', token],
      [multicall3, '0x3e150141', token],
      [token, '0xb3596f07', token],
    ],
  );
});

t.test('where the contracts are, and the first 200 reserves', async (t) => {
  const abi = aaveAbi;
  const places = (['getPoolDataProvider', 'getPriceOracle'] as const).map((functionName, index) =>
    encodeFunctionResult({ abi, functionName, result: index === 0 ? multicall3 : token }),
  );
  const contracts = { chain: 'base', dataProvider: multicall3.toLowerCase(), oracle: token };
  t.strictSame(located.read(places, 'base'), contracts);
  for (const missing of [0, 1]) t.throws(() => located.read(places.with(missing, '0x'), 'base'));
  const [call] = listed.calls({ chain: 'base', dataProvider: multicall3, oracle: token });
  t.strictSame(call, { to: multicall3, data: '0xb316ff89' });
  const functionName = 'getAllReservesTokens';
  const tokens = (count: number) => {
    const one = { symbol: 'Usd', tokenAddress: multicall3 } as const;
    const result = Array<typeof one>(count).fill(one);
    return listed.read([encodeFunctionResult({ abi, functionName, result })]);
  };
  t.strictSame(tokens(1), [{ symbol: 'USD', token: multicall3.toLowerCase() }]);
  t.equal(tokens(201).length, 200);
  t.throws(() => tokens(0), ShapeError);
});

t.test('answers that are none', async (t) => {
  const result = [
    { success: true, returnData: '0x12' },
    { success: false, returnData: '0x' },
  ] as const;
  const data = encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result });
  t.strictSame(resultsIn(data, 2), ['0x12', null]);
  for (const bad of ['0x', '0x1234', null, 5, {}, data.slice(0, 200), 'x']) {
    t.throws(() => resultsIn(bad, 2), ShapeError);
  }
  t.throws(() => resultsIn(data, 3), ShapeError, 'of another number of calls');
  t.throws(() => located.read([null, '0x'], 'base'), ShapeError);
  t.throws(() => listed.read(['0x']), ShapeError);
  t.throws(() => listed.read([null]), ShapeError);
});

t.test('both sources say the same of one market', { skip: absent }, async (t) => {
  const body = Object(recording('llama-yields', 'pools-borrow-pro')?.response);
  const [first] = defillama.polls.lending.parse([body, body.data], context).rows;
  // The same market as the contracts hold it, in tokens of a dollar.
  const dollars = (amount: bigint) => amount * 10n ** 18n;
  const { rows } = rowOf({
    supplied: dollars(8_988_967_658n),
    stable: 0n,
    variable: dollars(8_384_185_990n),
    supplyRate: 39_897_500_000_000_000_000_000_000n,
    borrowRate: 50_324_000_000_000_000_000_000_000n,
    price: 100_000_000n,
    decimals: 18n,
  });
  const numbers = (row = first) =>
    row && [row.supply_apy, row.borrow_apy, row.tvl_usd, row.utilization, row.reward_apy];
  t.strictSame(numbers(rows[0]), numbers(first));
  // What is supplied earns what is borrowed costs, less the protocol's 15 %. That holds of simple rates; of
  // compounded ones it would be off by half a percent: so the recorded rates are simple.
  const { borrow_apy = 0, utilization = 0, supply_apy = 0 } = first ?? {};
  t.ok(Math.abs((borrow_apy * utilization * 0.85) / supply_apy - 1) < 1e-4);
});
