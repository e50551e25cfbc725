import { hour } from '../../../config/time.ts';
import { lendingOverview } from '../../../indicators/defi/pools.ts';
import type { MarketState } from '../../state/market-state.ts';
import {
  defiStaleAfter,
  type OnChainMeasure,
  onChainRecords,
  recordedKey,
} from '../../topics/index.ts';
import { defineSeries, last, type SampleRow } from '../define.ts';

/** Age of the state of a chain at which it is no value of now, ms. */
const oldest = hour / 12;

/** Gas prices, supplies and wallets of the chains that have answered within five minutes. */
function* ofChains(
  { onChain }: MarketState,
  now: number,
): Generator<[OnChainMeasure, string, number]> {
  for (const { chain, supplies, wallets, stuck } of onChain.chains.values()) {
    const isYoung = ({ updated_at }: { updated_at: number }) => now - updated_at <= oldest;
    if (chain.gas_gwei !== null && isYoung(chain) && !stuck)
      yield ['gas', chain.chain, chain.gas_gwei];
    for (const one of supplies.filter(isYoung))
      yield ['supply', recordedKey(one.chain, one.token), one.total_supply];
    for (const one of wallets.filter(isYoung)) {
      const coins = { ETH: one.eth_balance, USDC: one.usdc_balance, USDT: one.usdt_balance };
      const exchange = one.label.replace('_hot', '');
      for (const [coin, balance] of Object.entries(coins))
        yield ['wallets', recordedKey(exchange, coin), balance];
    }
  }
}

/** The mean rates of assets over all lending pools, percent a year. */
function* ofLending(
  { onChain }: MarketState,
  now: number,
): Generator<[OnChainMeasure, string, number]> {
  const { lending } = onChain;
  if (lending === null || now - lending.received > defiStaleAfter.lending) return;
  for (const { asset, avg_supply_apy, avg_borrow_apy } of lendingOverview(lending.rows).assets) {
    yield ['supply_rate', asset, avg_supply_apy];
    yield ['borrow_rate', asset, avg_borrow_apy];
  }
}

function* sample(market: MarketState, now: number): Generator<SampleRow<'on-chain'>> {
  for (const [measure, of, value] of [...ofChains(market, now), ...ofLending(market, now)]) {
    const known: readonly string[] = onChainRecords[measure];
    if (known.includes(of)) yield { key: recordedKey(measure, of), values: { value } };
  }
}

/** Gas prices (gwei), supplies of stablecoins and balances of exchanges (coins), rates of lending (percent a year). */
export const onChain = defineSeries({
  name: 'on-chain',
  key: 'measure/of',
  columns: { value: last('of the chart') },
  tiers: [
    { step: '5m', keep: '30d' },
    { step: '1h', keep: '10y' },
  ],
  sample,
});
