/** The columns of the rows that exchanges state. */
import { columnsOf } from './columns.ts';
import type { DerivativeRow } from './derivatives.ts';
import type { FutureRow } from './futures.ts';
import type { Instrument } from './instruments.ts';
import type { Liquidation } from './liquidations.ts';
import type { OpenInterestRow } from './open-interest.ts';
import type { OptionRow, OptionTrade } from './options.ts';
import type { BookSample, LargeOrderRow } from './order-book.ts';
import type { PriceRow } from './prices.ts';
import type { ReferenceInput } from './reference-inputs.ts';

export const priceColumns = columnsOf<PriceRow>({
  market: 'required',
  kind: 'required',
  symbol: 'required',
  quote: 'required',
  price: 'required',
  bid: 'nullable',
  ask: 'nullable',
  high: 'nullable',
  low: 'nullable',
  base: 'nullable',
  volume: 'nullable',
  change: 'nullable',
  stated: 'nullable',
  quoted: 'optional',
  received: 'optional',
  doubt: 'optional',
});

export const derivativeColumns = columnsOf<DerivativeRow>({
  market: 'required',
  symbol: 'required',
  quote: 'required',
  mark: 'nullable',
  index: 'nullable',
  funding_rate: 'nullable',
  funding_hours: 'nullable',
  funding_rate_8h: 'nullable',
  next_funding: 'nullable',
  predicted_rate: 'optional',
  premium: 'optional',
  stated: 'nullable',
  received: 'optional',
});

export const openInterestColumns = columnsOf<OpenInterestRow>({
  market: 'required',
  symbol: 'required',
  quote: 'required',
  units: 'nullable',
  value: 'required',
  mark: 'nullable',
  stated: 'nullable',
  received: 'optional',
  doubt: 'optional',
});

export const futureColumns = columnsOf<FutureRow>({
  market: 'required',
  symbol: 'required',
  quote: 'required',
  inverse: 'required',
  expiry: 'required',
  mark: 'nullable',
  index: 'nullable',
  units: 'nullable',
  value: 'nullable',
  volume: 'nullable',
  stated: 'nullable',
  received: 'optional',
});

export const instrumentColumns = columnsOf<Instrument>({
  market: 'required',
  name: 'optional',
  kind: 'required',
  symbol: 'required',
  quote: 'required',
  scale: 'required',
  contract: 'required',
  inverse: 'required',
  settle: 'optional',
  expiry: 'optional',
  funding_hours: 'nullable',
  tick: 'optional',
  decimals: 'optional',
  max_leverage: 'optional',
  isolated_only: 'optional',
  rules: 'optional',
  delisted: 'optional',
  wire: 'optional',
  asset_class: 'optional',
  dex: 'optional',
  left: 'optional',
});

export const optionColumns = columnsOf<OptionRow>({
  market: 'required',
  symbol: 'required',
  expiry: 'required',
  strike: 'required',
  type: 'required',
  settle: 'required',
  open_interest: 'required',
  volume: 'nullable',
  premium: 'nullable',
  mark: 'nullable',
  bid: 'nullable',
  ask: 'nullable',
  iv: 'nullable',
  bid_iv: 'nullable',
  ask_iv: 'nullable',
  underlying: 'required',
  delta: 'nullable',
  gamma: 'nullable',
  theta: 'nullable',
  vega: 'nullable',
  stated: 'nullable',
  received: 'optional',
});

export const optionTradeColumns = columnsOf<OptionTrade>({
  contract: 'required',
  symbol: 'required',
  expiry: 'required',
  strike: 'required',
  type: 'required',
  settle: 'required',
  side: 'required',
  price: 'required',
  price_base: 'nullable',
  quantity: 'required',
  mark: 'nullable',
  index: 'required',
  iv: 'nullable',
  block: 'nullable',
  timestamp: 'required',
  id: 'required',
});

export const bookColumns = columnsOf<BookSample>({
  market: 'required',
  symbol: 'required',
  mid: 'required',
  bands: 'required',
  bids: 'required',
  asks: 'required',
  reach: 'required',
  liquidity: 'optional',
  received: 'required',
});

export const largeOrderColumns = columnsOf<LargeOrderRow>({
  market: 'required',
  symbol: 'required',
  price: 'required',
  quantity: 'required',
  side: 'required',
  value_usd: 'required',
  distance_percent: 'required',
  initial_value_usd: 'required',
  state: 'required',
  first_seen: 'required',
  last_seen: 'required',
});

export const liquidationColumns = columnsOf<Liquidation>({
  symbol: 'required',
  contract: 'required',
  side: 'required',
  price: 'required',
  price_kind: 'required',
  quantity_base: 'required',
  value_usd: 'required',
  timestamp: 'required',
  id: 'optional',
  order: 'optional',
  quantity_contracts: 'optional',
  bankruptcy_loss: 'optional',
});

export const referenceColumns = columnsOf<ReferenceInput>({
  market: 'required',
  symbol: 'required',
  volume: 'required',
  variance: 'required',
  through: 'required',
});
