/** The simulated contracts of Aave, read by the steps that read the real ones. */
import t, { type Test } from 'tap';
import type { Hex } from 'viem';
import { type Call, multicallOf, resultsIn } from '../../../actors/chains/multicall.ts';
import { type AaveChain, aaveMarkets, listed, located, read } from '../../../actors/defi/aave.ts';
import { aaveReserves, chainAnswer } from '../../../scripts/simulator/defi/aave.ts';

const now = Date.UTC(2026, 7, 14, 13, 37, 21);
const chains: AaveChain[] = ['ethereum', 'base', 'bsc'];

/** One multicall. */
function asked(chain: AaveChain, calls: readonly Call[]): (Hex | null)[] {
  const { to, data } = multicallOf(calls);
  return resultsIn(chainAnswer({ seed: 3, chain, now }, to, data), calls.length);
}

/** All three steps. */
function market(t: Test, chain: AaveChain) {
  const places = located.read(asked(chain, located.calls(chain)), chain);
  const reserves = listed.read(asked(chain, listed.calls(places)));
  const answers = asked(chain, read.calls(places, reserves));
  const { rows, dropped } = read.rows(answers, reserves, { chain, received: now });
  t.strictSame(dropped, []);
  return rows;
}

for (const chain of chains) {
  t.test(chain, async (t) => {
    const rows = market(t, chain);
    t.equal(rows.length, aaveReserves);
    for (const row of rows) {
      t.ok(row.utilization >= 0.5 && row.utilization <= 0.9, `${row.asset}: ${row.utilization}`);
      t.ok(row.borrow_apy >= 2 && row.borrow_apy <= 7, `${row.borrow_apy} percent`);
      const expected = row.borrow_apy * row.utilization * 0.9;
      t.ok(
        Math.abs(row.supply_apy / expected - 1) < 1e-6,
        'what is borrowed pays what is supplied',
      );
      t.ok(row.tvl_usd > 0 && row.tvl_usd < 2e8, `${row.tvl_usd} dollars`);
    }
    t.strictSame(market(t, chain), rows, 'the same at the same time');
  });
}

t.test('contracts that are not there, and calls that they do not know', async (t) => {
  const state = { seed: 3, chain: 'base', now } as const;
  t.equal(chainAnswer(state, `0x${'0'.repeat(40)}`, '0x'), undefined);
  t.equal(chainAnswer(state, aaveMarkets.base, '0x12345678'), null, 'reverts');
  const [call] = located.calls('base');
  if (!call) throw new Error('no call');
  const both = [call, { to: aaveMarkets.ethereum, data: call.data }];
  const [known, unknown] = asked('base', both);
  t.ok(known);
  t.equal(unknown, null, 'one fails by itself');
});
