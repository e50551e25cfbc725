/** The columns of every topic. */
import type { AccountChange } from './accounts.ts';
import type { AlertDelivery, AlertEvent, AlertRuleChange } from './alerts.ts';
import { type ChainState, supplyRow, walletRow } from './chains.ts';
import { type ColumnList, columnsOf, columnsOfSchema, type Schema } from './columns.ts';
import type { ComputeStatus } from './compute.ts';
import { type DefiFigure, type DefiReading, defiRows } from './defi.ts';
import type { PositionEvents, WalletTracking } from './hyperliquid-wallets.ts';
import type { ListRequest } from './instruments.ts';
import type { StreamEvents } from './liquidations.ts';
import type { IndicatorHistory, IndicatorReading, Series } from './market-indicators.ts';
import type { Reading } from './reading.ts';
import * as rows from './row-columns.ts';
import type { FeedReport, ProcessReport } from './status.ts';
import type { Topic } from './table.ts';

const reading = columnsOf<Reading<unknown>>({
  source: 'required',
  part: 'required',
  asked: 'required',
  received: 'required',
  rows: 'required',
  frozen: 'optional',
  suspect: 'optional',
  maxAge: 'optional',
});

/** Readings with rows of these columns. */
const readingsOf = (columns: ColumnList): Schema => ({
  number: 1,
  columns: reading,
  lists: () => ({ rows: columns }),
});

/** Values without rows, or whose rows have no columns in common. */
const valuesOf = (columns: ColumnList): Schema => ({ number: 1, columns, lists: () => ({}) });

const prices = readingsOf(rows.priceColumns);
const derivatives = readingsOf(rows.derivativeColumns);
const openInterest = readingsOf(rows.openInterestColumns);
const futures = readingsOf(rows.futureColumns);
const instruments = readingsOf(rows.instrumentColumns);
const options = readingsOf(rows.optionColumns);

const streamEvents = columnsOf<StreamEvents<unknown>>({
  source: 'required',
  part: 'required',
  at: 'required',
  since: 'nullable',
  events: 'required',
});

/** Entries of a log with events of these columns. */
const eventsOf = (columns: ColumnList): Schema => ({
  number: 1,
  columns: streamEvents,
  lists: () => ({ events: columns }),
});

const orderBooks = readingsOf(rows.bookColumns);
const largeOrders = readingsOf(rows.largeOrderColumns);
const status = valuesOf(
  columnsOf<FeedReport>({
    source: 'required',
    topic: 'required',
    part: 'required',
    state: 'required',
    reason: 'nullable',
    last_success: 'nullable',
    last_attempt: 'nullable',
    latency_ms: 'nullable',
    last_error: 'nullable',
    breaker: 'required',
    next_poll: 'nullable',
    longest_age_ms: 'optional',
    rows: 'required',
    dropped: 'required',
    suspect: 'optional',
    classes: 'optional',
    strays: 'optional',
    subscriptions: 'optional',
    failures: 'required',
    tally: 'optional',
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
    clock_ahead_ms: 'optional',
    cpu_s: 'optional',
    deliveries: 'optional',
    caches: 'optional',
    upstreams: 'optional',
    budgets: 'optional',
    alerts: 'optional',
    failed_starts: 'optional',
    disk: 'optional',
    damaged: 'optional',
    leaves: 'optional',
    load: 'optional',
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
  inputs: 'optional',
});

const indicatorHistories = columnsOf<IndicatorHistory>({
  name: 'required',
  rows: 'required',
  recorded_from: 'nullable',
  days: 'optional',
});

const alertEvents = columnsOf<AlertEvent>({
  id: 'required',
  alert_id: 'required',
  account: 'required',
  name: 'required',
  kind: 'required',
  fired_at: 'required',
  data_time: 'nullable',
  path: 'required',
  pointer: 'required',
  subject: 'nullable',
  value: 'nullable',
  previous: 'nullable',
  condition: 'required',
  text: 'required',
});

const alertDeliveries = columnsOf<AlertDelivery>({
  event_id: 'required',
  alert_id: 'required',
  account: 'required',
  receiver: 'required',
  target: 'required',
  attempt: 'required',
  at: 'required',
  took_ms: 'required',
  outcome: 'required',
  status: 'nullable',
  error: 'nullable',
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
  futures,
  options,
  referenceInputs: readingsOf(rows.referenceColumns),
  liquidations: eventsOf(rows.liquidationColumns),
  optionTrades: eventsOf(rows.optionTradeColumns),
  positionEvents: valuesOf(columnsOf<PositionEvents>({ at: 'required', events: 'required' })),
  walletTracking: valuesOf(
    columnsOf<WalletTracking>({
      at: 'required',
      since: 'required',
      found: 'required',
      tracked: 'required',
      events: 'required',
    }),
  ),
  orderBooks,
  largeOrders,
  status,
  processes,
  accounts: valuesOf(
    columnsOf<AccountChange>({ number: 'required', account: 'required', key: 'optional' }),
  ),
  alertRules: valuesOf(columnsOf<AlertRuleChange>({ id: 'required', rule: 'nullable' })),
  alertEvents: valuesOf(alertEvents),
  alertDeliveries: valuesOf(alertDeliveries),
  compute: valuesOf(compute),
  chains,
  defi,
  marketIndicators: valuesOf(marketIndicators),
  indicatorHistories: valuesOf(indicatorHistories),
  series: valuesOf(columnsOf<Series>({ columns: 'required', at: 'required' })),
};
