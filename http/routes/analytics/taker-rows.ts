/** Rows of what takers bought and sold, for all rows that show them. */
import type { TakerPoint } from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { buySellRatio, delta } from '../../../indicators/derivatives/order-flow.ts';

/** What takers bought and sold. */
export const takerFields = {
  taker_buy_usd: s.numberOrNull('Bought by takers, US dollars.'),
  taker_sell_usd: s.numberOrNull('Sold by takers, US dollars.'),
  taker_buy_base: s.numberOrNull('Base units.'),
  taker_sell_base: s.numberOrNull('Base units.'),
  buy_sell_ratio: s.numberOrNull('Bought over sold; null where nothing was sold.'),
  delta_usd: s.numberOrNull('Bought less sold, US dollars.'),
  closed: s.boolean('False while the interval still ran when the exchange was asked.'),
};

/** The point of a row; the ratio is of base units where they are known. */
export const takerPoint = ({
  timestamp,
  buy_base,
  sell_base,
  buy_usd,
  sell_usd,
  closed = true,
}: TakerPoint) => ({
  timestamp,
  taker_buy_usd: buy_usd,
  taker_sell_usd: sell_usd,
  taker_buy_base: buy_base,
  taker_sell_base: sell_base,
  buy_sell_ratio: buySellRatio(buy_base ?? buy_usd, sell_base ?? sell_usd),
  delta_usd: delta(buy_usd, sell_usd),
  closed,
});
