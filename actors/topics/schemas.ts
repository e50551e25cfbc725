/** The columns of every topic. */
import type { AccountChange } from './accounts.ts';
import { type ChainState, supplyRow, walletRow } from './chains.ts';
import { type ColumnList, columnsOf, columnsOfSchema, type Schema } from './columns.ts';
import type { ComputeStatus } from './compute.ts';
import { type DefiFigure, type DefiReading, defiRows } from './defi.ts';
import type { DerivativeRow } from './derivatives.ts';
import type { Instrument, ListRequest } from './instruments.ts';
import type { Liquidation, Liquidations } from './liquidations.ts';
import type { IndicatorHistory, IndicatorReading, Series } from './market-indicators.ts';
import type { OpenInterestRow } from './open-interest.ts';
import type { OptionRow } from './options.ts';
import type { BookSample, LargeOrderRow } from './order-book.ts';
import type { PriceRow } from './prices.ts';
import type { Reading } from './reading.ts';
import { feedStatus, type ProcessReport } from './status.ts';
import type { Topic } from './table.ts';

const reading = columnsOf<Reading<unknown>>({
  source: 'required',
  part: 'required',
  asked: 'required',
  received: 'required',
  rows: 'required',
  frozen: 'optional',
  suspect: 'optional',
});

/** Readings with rows of these columns. */
const readingsOf = (rows: ColumnList): Schema => ({
  number: 1,
  columns: reading,
  lists: () => ({ rows }),
});

/** Values without rows, or whose rows have no columns in common. */
const valuesOf = (columns: ColumnList): Schema => ({ number: 1, columns, lists: () => ({}) });

const prices = readingsOf(
  columnsOf<PriceRow>({
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
  }),
);

const derivatives = readingsOf(
  columnsOf<DerivativeRow>({
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
  }),
);

const openInterest = readingsOf(
  columnsOf<OpenInterestRow>({
    market: 'required',
    symbol: 'required',
    quote: 'required',
    units: 'nullable',
    value: 'required',
    mark: 'nullable',
    stated: 'nullable',
    received: 'optional',
    doubt: 'optional',
  }),
);

const instruments = readingsOf(
  columnsOf<Instrument>({
    market: 'required',
    name: 'optional',
    kind: 'required',
    symbol: 'required',
    quote: 'required',
    scale: 'required',
    contract: 'required',
    inverse: 'required',
    settle: 'optional',
    funding_hours: 'nullable',
    decimals: 'optional',
    max_leverage: 'optional',
    isolated_only: 'optional',
  }),
);

const options = readingsOf(
  columnsOf<OptionRow>({
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
  }),
);

const liquidation = columnsOf<Liquidation>({
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

const liquidations: Schema = {
  number: 1,
  columns: columnsOf<Liquidations>({
    source: 'required',
    part: 'required',
    at: 'required',
    since: 'nullable',
    events: 'required',
  }),
  lists: () => ({ events: liquidation }),
};

const orderBooks = readingsOf(
  columnsOf<BookSample>({
    market: 'required',
    symbol: 'required',
    mid: 'required',
    bands: 'required',
    bids: 'required',
    asks: 'required',
    reach: 'required',
    liquidity: 'optional',
    received: 'required',
  }),
);

const largeOrders = readingsOf(
  columnsOf<LargeOrderRow>({
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
  }),
);

const processes = valuesOf(
  columnsOf<ProcessReport>({
    id: 'required',
    role: 'required',
    pid: 'required',
    host: 'required',
    started: 'required',
    at: 'required',
    rss_bytes: 'required',
    loop_p99_ms: 'required',
    cpu_s: 'optional',
    caches: 'optional',
    upstreams: 'optional',
    failed_starts: 'optional',
    disk: 'optional',
    damaged: 'optional',
  }),
);

const figures = new Map<unknown, ReturnType<Schema['lists']>>(
  Object.entries(defiRows).map(([figure, row]) => [figure, { rows: columnsOfSchema(row) }]),
);

const defi: Schema = {
  number: 1,
  columns: columnsOf<DefiReading<DefiFigure>>({
    figure: 'required',
    sources: 'required',
    rows: 'required',
    received: 'required',
  }),
  lists: ({ figure }) => figures.get(figure) ?? {},
};

const compute = columnsOf<ComputeStatus>({
  at: 'required',
  threads: 'required',
  queued: 'required',
  jobs: 'required',
  batches: 'required',
  replaced: 'required',
  wait: 'required',
  run: 'required',
});

const chainLists = {
  supplies: columnsOfSchema(supplyRow),
  wallets: columnsOfSchema(walletRow),
};

const chains: Schema = {
  number: 1,
  columns: columnsOf<ChainState>({
    chain: 'required',
    supplies: 'required',
    wallets: 'required',
    stuck: 'required',
    received: 'required',
  }),
  lists: () => chainLists,
};

const marketIndicators = columnsOf<IndicatorReading>({
  name: 'required',
  fields: 'nullable',
  lacks: 'nullable',
  source: 'required',
  updated_at: 'required',
  received_at: 'required',
  stale_after: 'required',
  live: 'nullable',
});

const indicatorHistories = columnsOf<IndicatorHistory>({
  name: 'required',
  rows: 'required',
  recorded_from: 'nullable',
});

/** The schema of every topic. */
export const schemas: Readonly<Record<Topic, Schema>> = {
  instruments,
  listRequests: valuesOf(columnsOf<ListRequest>({ source: 'required', at: 'required' })),
  prices,
  priceChanges: prices,
  derivatives,
  derivativeChanges: derivatives,
  openInterest,
  openInterestChanges: openInterest,
  options,
  liquidations,
  orderBooks,
  largeOrders,
  status: valuesOf(columnsOfSchema(feedStatus)),
  processes,
  accounts: valuesOf(columnsOf<AccountChange>({ number: 'required', account: 'required' })),
  compute: valuesOf(compute),
  chains,
  defi,
  marketIndicators: valuesOf(marketIndicators),
  indicatorHistories: valuesOf(indicatorHistories),
  series: valuesOf(columnsOf<Series>({ columns: 'required', at: 'required' })),
};
