/** Options of our own. */
import type { OptionRow } from '../../../indicators/options/chain.ts';

export const now = 1_750_000_000_000;
export const day = 86_400_000;

/** A call on BTC at 100 that expires in 30 days; what is not given is as little as an exchange may state. */
export const optionRow = (more: Partial<OptionRow> = {}): OptionRow => {
  const { symbol = 'BTC', strike = 100, type = 'call', expiry = now + 30 * day } = more;
  return {
    market: `${symbol}-${expiry}-${strike}-${type}`,
    symbol,
    expiry,
    strike,
    type,
    settle: symbol,
    open_interest: 1,
    volume: null,
    premium: null,
    mark: null,
    bid: null,
    ask: null,
    iv: 0.5,
    bid_iv: null,
    ask_iv: null,
    underlying: 100,
    delta: null,
    gamma: null,
    theta: null,
    vega: null,
    stated: null,
    ...more,
  };
};
