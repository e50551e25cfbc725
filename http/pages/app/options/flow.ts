/** Trades of options, each by itself: those with the largest premium in 24 hours, or the newest. */
import { sizeShare, timeColumn } from '../columns.ts';
import { exchangeName } from '../exchange-names.ts';
import { compact, fixed, plain, price, time } from '../format.ts';
import type { Part } from '../part.ts';
import { keptChoice } from '../place.ts';
import { at, type OptionsTrades, type OptionsTradesItem } from '../request.ts';
import { tablePart } from '../table-part.ts';
import type { Asked } from './parts.ts';

const orders = [
  ['premium', 'largest'],
  ['time', 'newest'],
] as const;

/** What was paid, by type and by what takers did. */
const sums = (found: OptionsTrades): string =>
  `Premium in 24 hours, USD: calls bought ${compact(found.call_premium_bought_usd)}, sold ${compact(found.call_premium_sold_usd)}; puts bought ${compact(found.put_premium_bought_usd)}, sold ${compact(found.put_premium_sold_usd)}.`;

export function flowPart(asked: Asked): Part {
  const order = keptChoice('Show', orders, { name: 'flow' });
  return tablePart<OptionsTrades, OptionsTradesItem>({
    title: 'Flow',
    about: 'Single trades of 24 hours, as far as they were heard; side: what the taker did',
    name: `options-flow-${asked.symbol}`,
    path: () => at('/v1/options/trades', { ...asked, sort: order.get(), limit: 50 }),
    // Events come at no fixed interval, so that none is ever late.
    cadence: Infinity,
    isTall: true,
    choices: [order],
    rows: ({ items }) => items,
    key: ({ exchange, instrument, id }) => `${exchange} ${instrument} ${id}`,
    columns: [
      timeColumn,
      {
        head: 'Option',
        of: ({ expiry, strike, type }) => `${time(expiry, 'date', 'UTC')} ${plain(strike)} ${type}`,
        hint: ({ exchange, instrument }) => `${instrument} on ${exchangeName(exchange)}`,
      },
      {
        head: 'Side',
        of: ({ side, block }) => (block ? `${side}, block` : side),
        tone: ({ side }) => (side === 'buy' ? 'up' : 'down'),
      },
      {
        head: 'Premium, USD',
        of: 'premium_usd',
        as: compact,
        bar: (one) => sizeShare(one.premium_usd, 3),
      },
      { head: 'Notional, USD', of: 'notional_usd', as: compact },
      { head: 'Price, USD', of: 'price_usd', as: price },
      { head: 'IV, %', of: 'implied_volatility', as: (part) => fixed(part * 100, 1) },
    ],
    note: sums,
    none: 'No trade of an option was heard in 24 hours.',
  });
}
