/** What the history takes from chains and lending pools. */
import t from 'tap';
import { onChain } from '../../../../actors/history/series/on-chain.ts';
import { MarketState } from '../../../../actors/state/market-state.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import type { LendingPool } from '../../../../actors/topics/index.ts';
import { now } from '../../../support/makers.ts';

const sampled = (market: MarketState, at: number) =>
  Object.fromEntries(
    [...(onChain.sample?.(market, at, 300_000) ?? [])].map(({ key, values }) => [key, values]),
  );

t.test('chains and lending: what is young, each by its own name', async (t) => {
  const market = new MarketState(new NewestRows());
  const at = { updated_at: now - 300_000 };
  const old = { updated_at: now - 300_001 };
  const head = { block: 1, grown_at: now };
  const state = { supplies: [], wallets: [], stuck: false, received: now };
  const { chains } = market.onChain;
  chains.set('ethereum', {
    ...state,
    chain: { ...head, ...at, chain: 'ethereum', gas_gwei: 1.5 },
    supplies: [
      { ...at, chain: 'ethereum', token: 'USDC', total_supply: 40 },
      { ...old, chain: 'ethereum', token: 'USDT', total_supply: 50 },
    ],
    wallets: [
      {
        ...at,
        chain: 'ethereum',
        label: 'okx_hot',
        eth_balance: 6,
        usdc_balance: 7,
        usdt_balance: 8,
      },
    ],
  });
  chains.set('base', { ...state, chain: { ...head, ...old, chain: 'base', gas_gwei: 2 } });
  chains.set('polygon', {
    ...state,
    chain: { ...head, ...at, chain: 'polygon', gas_gwei: 3 },
    stuck: true,
  });
  chains.set('bitcoin', { ...state, chain: { ...head, ...at, chain: 'bitcoin', gas_gwei: null } });
  const pool = (asset: string, supply_apy: number, borrow_apy: number): LendingPool => ({
    ...{ asset, supply_apy, borrow_apy, protocol: 'aave-v3', chain: 'ethereum' },
    ...{ utilization: 0.5, tvl_usd: 1e9, borrowable: true, updated_at: now },
    ...{ pool_id: `${asset} ${supply_apy}`, reward_apy: null },
  });
  const rows = [pool('USDC', 4, 6), pool('USDC', 2, 5), pool('OTHER', 9, 9)];
  const lending = { figure: 'lending', sources: ['a'], rows } as const;
  market.onChain.acceptDefi({ ...lending, rows: [...rows], sources: ['a'], received: now });
  const chain = {
    'gas/ethereum': { value: 1.5 },
    'supply/ethereum/USDC': { value: 40 },
    'wallets/okx/ETH': { value: 6 },
    'wallets/okx/USDC': { value: 7 },
    'wallets/okx/USDT': { value: 8 },
  };
  const lent = { 'supply_rate/USDC': { value: 3 }, 'borrow_rate/USDC': { value: 5.5 } };
  t.strictSame(sampled(market, now), { ...chain, ...lent });
  t.strictSame(sampled(market, now + 1), lent, 'the chains have not answered since');
  t.strictSame(sampled(market, now + 900_001), {});
});
