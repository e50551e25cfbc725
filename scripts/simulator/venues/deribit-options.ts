/** Deribit: summaries of options, settled in the coin or in USDC. */

import { type Option, type OptionTrade, optionsAt, optionTradesOf } from '../market/options.ts';
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

/** Settled in USDC `XRP_USDC-28JUN24-0d525-P`. */
function nameOf({ asset, strike, side, expires }: Option, currency: string): string {
  const index = `${currency === 'USDC' ? `${asset}_USDC` : asset}-${dayOf(expires)}`;
  return `${index}-${String(strike).replace('.', 'd')}-${side}`;
}

function summary(option: Option, currency: string, now: number) {
  const { asset, open, forward, volatility, value } = option;
  const mark = currency === 'USDC' ? round(value, 4) : round(value / forward, 8);
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
    instrument_name: nameOf(option, currency),
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

/** Prices are in the coin with four decimals at least, or in dollars. */
function tradeRow(trade: OptionTrade, currency: string) {
  const { option, bought, quantity, price, index, block, time, id } = trade;
  const unit = currency === 'USDC' ? 1 : index;
  return {
    timestamp: time,
    trade_id: `${option.asset}-${id}`,
    trade_seq: id,
    tick_direction: 0,
    instrument_name: nameOf(option, currency),
    direction: bought ? 'buy' : 'sell',
    price: Math.max(0.0001, round(price / unit, 4)),
    mark_price: round(option.value / unit, 6),
    index_price: round(index, 2),
    iv: round(100 * option.volatility, 2),
    amount: quantity,
    contracts: quantity,
    ...(block && { block_trade_id: `BLOCK-${id}`, block_trade_leg_count: 1 }),
  };
}

/** `trades.option.CURRENCY.100ms`: the trades of the second before `now`. */
export const optionTrades = (at: Pick<Ask, 'model' | 'now'>, currency: string) =>
  (listed[currency] ?? []).flatMap(([asset, part]) =>
    optionTradesOf(at, [`deribit ${currency}`, asset], part).map((trade) =>
      tradeRow(trade, currency),
    ),
  );
