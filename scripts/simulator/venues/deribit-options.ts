/** Deribit: summaries of options, settled in the coin or in USDC. */

import type { Option } from '../market/options.ts';
import { optionsAt } from '../market/options.ts';
import type { Ask } from '../venue.ts';
import { dayOf } from './names.ts';

/** Assets of the options by the currency that they settle in, with the part of a day's turnover that is open. */
const listed: Readonly<Record<string, readonly (readonly [asset: string, part: number])[]>> = {
  BTC: [['BTC', 1.5]],
  ETH: [['ETH', 1.5]],
  USDC: [
    ['BTC', 0.05],
    ['ETH', 0.05],
    ['SOL', 0.3],
    ['XRP', 0.1],
  ],
};

const round = (value: number, decimals: number) => Number(value.toFixed(decimals));

function summary(
  { asset, strike, side, expires, open, forward, volatility, value }: Option,
  currency: string,
  now: number,
) {
  const mark = currency === 'USDC' ? round(value, 4) : round(value / forward, 8);
  const index = `${currency === 'USDC' ? `${asset}_USDC` : asset}-${dayOf(expires)}`;
  const traded = round(open / 50, 1);
  return {
    mid_price: mark,
    volume_usd: round(traded * value, 2),
    quote_currency: currency,
    estimated_delivery_price: round(forward, 2),
    creation_timestamp: now,
    base_currency: asset,
    underlying_price: round(forward, 4),
    volume: traded,
    price_change: 0,
    open_interest: open,
    ask_price: round(mark * 1.01, 8),
    bid_price: round(mark * 0.99, 8),
    instrument_name: `${index}-${String(strike).replace('.', 'd')}-${side}`,
    mark_price: mark,
    last: mark,
    low: mark,
    high: mark,
    mark_iv: round(100 * volatility, 2),
  };
}

/** `get_book_summary_by_currency?currency=&kind=option`. */
export const optionSummaries = (ask: Ask, currency: string) =>
  (listed[currency] ?? []).flatMap(([asset, part]) =>
    optionsAt(ask, [`deribit ${currency}`, asset], part).map((option) =>
      summary(option, currency, ask.now),
    ),
  );
