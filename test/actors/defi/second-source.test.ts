/** Aave on its contracts, through the chain readers: the same as the first source, and in its place. */
import t from 'tap';
import type { Address, Hex } from 'viem';
import { decodeFunctionResult, encodeFunctionData } from 'viem/utils';
import { aaveAbi, aaveMarkets } from '../../../actors/defi/aave.ts';
import { readAave } from '../../../actors/defi/aave-reading.ts';
import { lendingEvery } from '../../../actors/defi/lending-jobs.ts';
import { failed } from '../../../actors/failure.ts';
import { defillama } from '../../../actors/providers/defillama/index.ts';
import type { LendingPool } from '../../../actors/topics/defi.ts';
import { chains } from '../../../config/chains.ts';
import { isOnChain } from '../../../indicators/defi/pools.ts';
import { aaveAnswer, aaveReserves } from '../../../scripts/simulator/defi/aave.ts';
import { seed, stage, start } from './stage.ts';

const minute = 60_000;
const hour = 60 * minute;
const yieldHosts = ['yields.llama.fi', 'defillama-datasets.llama.fi'];
const down = yieldHosts.map((host) => ({ host, kind: 'server_error' as const }));
const hostsOf = (chain: 'base' | 'ethereum') => chains[chain].urls.map((url) => new URL(url).host);

/** A view of a contract of the simulated market, in the block of `start`. */
function answerOf(
  to: Address,
  call: Parameters<typeof encodeFunctionData<typeof aaveAbi>>[0],
): Hex {
  const state = { seed, chain: 'ethereum', now: start } as const;
  const found = aaveAnswer(state, to, encodeFunctionData(call));
  if (!found) throw new Error(`no ${call.functionName}`);
  return found;
}

/**
 * The bodies of DefiLlama for Aave on ethereum in that block, as its adapter for Aave makes them: in doubles, from the
 * contracts' own numbers. https://github.com/DefiLlama/yield-server/blob/master/src/adaptors/aave-v3/index.js
 */
function bodies(): [pools: unknown, lendBorrow: unknown] {
  const abi = aaveAbi;
  const provider = aaveMarkets.ethereum;
  const place = (functionName: 'getPoolDataProvider' | 'getPriceOracle') =>
    decodeFunctionResult({ abi, functionName, data: answerOf(provider, { abi, functionName }) });
  const [data, oracle] = [place('getPoolDataProvider'), place('getPriceOracle')];
  const functionName = 'getAllReservesTokens';
  const tokens = decodeFunctionResult({
    abi,
    functionName,
    data: answerOf(data, { abi, functionName }),
  });
  const rows = tokens.map(({ symbol, tokenAddress }) => {
    const args = [tokenAddress] as const;
    const state = decodeFunctionResult({
      abi,
      functionName: 'getReserveData',
      data: answerOf(data, { abi, functionName: 'getReserveData', args }),
    });
    const price = decodeFunctionResult({
      abi,
      functionName: 'getAssetPrice',
      data: answerOf(oracle, { abi, functionName: 'getAssetPrice', args }),
    });
    const usd = (amount: bigint) => (Number(amount) / 1e18) * (Number(price) / 1e8);
    const [supplied, borrowed] = [usd(state[2]), usd(state[4])];
    return {
      pool: `uuid-${symbol}`,
      project: 'aave-v3',
      chain: 'Ethereum',
      symbol,
      exposure: 'single',
      tvlUsd: supplied - borrowed,
      apyBase: (Number(state[5]) / 1e27) * 100,
      apyBaseBorrow: (Number(state[6]) / 1e27) * 100,
      totalSupplyUsd: supplied,
      totalBorrowUsd: borrowed,
      borrowable: true,
    };
  });
  return [{ status: 'success', data: rows }, rows];
}

const byAsset = (rows: readonly LendingPool[]) => new Map(rows.map((row) => [row.asset, row]));

t.test('both sources say the same of one block', async (t) => {
  const { readers, clock } = await stage(t, { chains: ['ethereum'] });
  if (!readers) throw new Error('no readers');
  const second = await readAave(readers, clock, { deadline: 20_000 });
  t.match(second, { lost: 0, failure: null, dropped: [] });
  t.equal(second.rows.length, aaveReserves);
  const context = { received: start, plan: { now: start } };
  const first = defillama.polls.lending.parse(bodies(), context).rows;
  t.equal(first.length, aaveReserves);
  const stated = byAsset(first);
  for (const row of second.rows) {
    const other = stated.get(row.asset);
    t.match(other, { protocol: 'aave-v3', chain: 'ethereum', borrowable: true, reward_apy: null });
    for (const key of ['supply_apy', 'borrow_apy', 'tvl_usd', 'utilization'] as const) {
      const off = Math.abs(row[key] / (other?.[key] ?? Number.NaN) - 1);
      t.ok(off < 1e-9, `${row.asset} ${key}: ${row[key]} is ${other?.[key]}`);
    }
  }
});

t.test('the contracts stand in after three hours of silence, not before', async (t) => {
  const { round, faults, reading, clock, seen, statuses, restart } = await stage(t);
  await round('lending');
  const stated = reading('lending');
  const places = (rows: readonly LendingPool[]) =>
    new Set(rows.map(({ protocol, chain }) => `${protocol} ${chain}`));
  faults.set(down);
  await clock.advance(3 * hour);
  const before = seen.length;
  t.equal((await round('lending'))?.code, 'unavailable');
  t.strictSame(reading('lending'), stated);
  t.equal(seen.length, before + 2, 'no chain is asked');
  await clock.advance(minute);
  t.equal(await round('lending'), null);
  const { rows, sources, received } = reading('lending');
  t.strictSame(sources, ['llama-yields', 'aave-v3']);
  t.equal(received, clock.now());
  const own = rows.filter(isOnChain);
  t.equal(own.length, 7 * aaveReserves);
  t.strictSame([...new Set(own.map(({ chain }) => chain))].sort(), [
    'arbitrum',
    'avalanche',
    'base',
    'bsc',
    'ethereum',
    'optimism',
    'polygon',
  ]);
  const rest = rows.filter((row) => !isOnChain(row));
  t.ok(
    rest.every(
      (row) =>
        row.updated_at === stated.received && !places(own).has(`${row.protocol} ${row.chain}`),
    ),
  );
  t.strictSame(places(rows).size, new Set([...places(stated.rows), ...places(own)]).size);
  t.match(statuses.get('lending/aave-v3'), { state: 'up', rows: 7 * aaveReserves, dropped: {} });
  t.notOk('bad_row' in (statuses.get('lending/aave-v3')?.dropped ?? {}));

  restart();
  faults.set([...down, ...hostsOf('base').map((host) => ({ host, kind: 'reset' as const }))]);
  await clock.advance(lendingEvery);
  t.equal(await round('lending'), null);
  const later = reading('lending').rows.filter(isOnChain);
  t.equal(later.length, 7 * aaveReserves, 'a chain that fails keeps what was read of it');
  const old = later.filter((row) => row.updated_at !== clock.now());
  t.strictSame([...new Set(old.map((row) => row.chain))], ['base']);
  t.match(statuses.get('lending/aave-v3')?.dropped, { request_failed: 1 });

  faults.clear();
  await clock.advance(lendingEvery);
  t.equal(await round('lending'), null);
  t.strictSame(reading('lending').sources, ['llama-yields']);
  t.notOk(reading('lending').rows.some(isOnChain), 'the first source is back, alone');
  t.equal(statuses.get('lending/aave-v3')?.state, 'standby');
});

t.test('with nothing known at all the contracts are read at once', async (t) => {
  const { round, faults, reading } = await stage(t, { chains: ['ethereum'] });
  faults.set(down);
  t.equal(await round('lending'), null);
  t.equal(reading('lending').rows.length, aaveReserves);
});

t.test('contracts that do not answer either leave the last rates in place', async (t) => {
  const { round, faults, reading, clock, statuses } = await stage(t, { chains: ['ethereum'] });
  await round('lending');
  const stated = reading('lending');
  faults.set([...down, ...hostsOf('ethereum').map((host) => ({ host, kind: 'reset' as const }))]);
  await clock.advance(3 * hour + minute);
  t.ok(await round('lending'));
  t.match(statuses.get('lending/aave-v3'), { state: 'failing', last_error: { code: 'network' } });
  t.strictSame(reading('lending'), stated);
});

t.test('without chains, or with none that answers, the failure is that of the first', async (t) => {
  const none = await stage(t, { chains: null });
  none.faults.set(down);
  t.equal((await none.round('lending'))?.code, 'unavailable');
  t.notOk(none.bus.has('lending'));
  const { clock } = none;
  const dead = new Map([['base', { ask: async () => failed('timeout', 'late') }]] as const);
  const found = await readAave(dead, clock, { deadline: 1_000 });
  t.match(found, { rows: [], lost: 1, failure: { code: 'timeout' } });
  t.match(await readAave(new Map(), clock, { deadline: 1_000 }), {
    failure: { code: 'unavailable' },
  });
});
