/** The answers about options, as far as the page shows them. Volatilities and shares are fractions. */

export interface Expiry {
  expiry: number;
  date: string;
  days_to_expiry: number;
}

export interface Option {
  exchange: string;
  instrument: string;
  strike: number;
  type: 'call' | 'put';
  settlement_currency: string;
  open_interest_base: number | null;
  mark_price_usd: number | null;
  bid_price_usd: number | null;
  ask_price_usd: number | null;
  implied_volatility: number | null;
}

export interface Info {
  underlying_price: number;
  expiries: readonly (Expiry & { open_interest_usd: number; atm_iv: number | null })[];
  total_open_interest_usd: number;
  put_call_ratio: number | null;
  options?: readonly Option[];
}

export interface Greeks {
  items: readonly { instrument: string; delta: number | null }[];
}

export interface Surface {
  underlying_price: number;
  expiries: readonly (Expiry & {
    forward_price: number;
    atm_iv: number | null;
    forward_iv: number | null;
    skew_25d: number | null;
    points: readonly { strike: number; moneyness: number; iv: number | null }[];
  })[];
}

export interface Gamma {
  convention: string;
  net_usd: number;
  flip_price: number | null;
  strikes: readonly { strike: number; calls_usd: number; puts_usd: number; net_usd: number }[];
}

export interface MaxPain {
  expiries: readonly (Expiry & {
    max_pain_price: number;
    distance_percent: number;
    put_call_ratio: number | null;
    open_interest_usd: number;
  })[];
}

export interface Volatility {
  realized: readonly {
    days: number;
    current: number;
    min: number;
    p25: number;
    median: number;
    p75: number;
    max: number;
  }[];
  implied: readonly { days: number; at_the_money: number | null }[];
  variance_premium: number | null;
}

export interface Past {
  note?: string;
  points: readonly { timestamp: number; value: number | null }[];
}

export interface Holdings {
  items: readonly {
    exchange: string;
    symbol: string;
    open_interest_usd: number;
    volume_24h_usd: number | null;
    put_call_oi_ratio: number | null;
    share: number;
  }[];
}

/** The request for an answer about the options of an asset. */
export const pathOf = (name: string, asked: Readonly<Record<string, string>>): string => {
  const given = Object.entries(asked).filter(([, value]) => value !== '');
  return `/v1/${name}?${new URLSearchParams(Object.fromEntries(given))}`;
};

/** Volatility between two strikes lies on the straight line between theirs; null beyond the outermost. */
export function volatilityAt(
  points: Surface['expiries'][number]['points'],
  moneyness: number,
): number | null {
  const known = points.filter(({ iv }) => iv !== null);
  const after = known.findIndex((point) => point.moneyness >= moneyness);
  const [a, b] = [known[after - 1], known[after]];
  if (b === undefined || b.iv === null) return null;
  if (b.moneyness === moneyness) return b.iv;
  if (a === undefined || a.iv === null) return null;
  const part = (moneyness - a.moneyness) / (b.moneyness - a.moneyness);
  return a.iv + (b.iv - a.iv) * part;
}
