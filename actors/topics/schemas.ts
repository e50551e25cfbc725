/**
 * The columns of each topic that may be null. A process reads values of the release before its own and of the release after it:
 * it ignores a column that it does not know, and sets a nullable column to null where the writer does not know it.
 *
 * A column never changes its meaning, unit or sign: that is a column with a new name. A new column is nullable or optional, and one
 * that is to go becomes so one release before. Each release that changes the columns of a topic adds one to its number; an entry whose
 * number is another one by more than one is not read.
 */
import type { AlertDelivery, AlertEvent, AlertRuleChange } from './alerts.ts';
import { supplyRow, walletRow } from './chains.ts';
import { defiRows } from './defi.ts';
import type { Instrument } from './instruments.ts';
import type { StreamEvents } from './liquidations.ts';
import type { IndicatorHistory, IndicatorReading } from './market-indicators.ts';
import type { DerivativeRow, FutureRow, OpenInterestRow, PriceRow } from './market-rows.ts';
import type { OptionRow, OptionTrade } from './options.ts';
import type { TObject, TSchema } from './schema.ts';
import type { FeedReport } from './status.ts';
import type { Topic } from './table.ts';

/** The nullable columns of a type, no more and no fewer. */
type Nullable<Row> = {
  readonly [K in keyof Row as Record<never, never> extends Pick<Row, K>
    ? never
    : null extends Row[K]
      ? K
      : never]: null;
};

type Names = readonly string[];

const nullable = <Row>(columns: Nullable<Row>): Names => Object.keys(columns);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
const isSchema = (value: unknown): value is TSchema => typeof value === 'object' && value !== null;

/** Whether null is a value of a schema, by the keywords that `schema.ts` writes. */
const takesNull = ({ type, enum: values, anyOf }: TSchema): boolean =>
  listOf(type).includes('null') ||
  listOf(values).includes(null) ||
  listOf(anyOf).some((one) => isSchema(one) && takesNull(one));

/** The nullable columns of a type that has a schema. */
export const nullableOf = ({ properties, required = [] }: TObject): Names =>
  Object.entries(properties).flatMap(([name, schema]) =>
    required.includes(name) && takesNull(schema) ? [name] : [],
  );

/** The nullable columns of a topic. */
export interface Schema {
  number: number;
  /** Of the value itself. */
  own: Names;
  /** Of the rows in it, by the name under which the value has them. */
  lists(value: Readonly<Record<string, unknown>>): Readonly<Record<string, Names>>;
}

/** A value, and the rows under some of its names. */
const of = (own: Names, rows: Readonly<Record<string, Names>> = {}): Schema => ({
  number: 1,
  own,
  lists: () => rows,
});
/** Readings with rows of these columns. */
const readings = (rows: Names): Schema => of([], { rows });
const rows = readings([]);
/** Entries of a log with events of these columns. */
const events = (columns: Names): Schema =>
  of(nullable<StreamEvents<unknown>>({ since: null }), { events: columns });
const none = of([]);

const prices = readings(
  nullable<PriceRow>({
    bid: null,
    ask: null,
    high: null,
    low: null,
    base: null,
    volume: null,
    change: null,
    stated: null,
  }),
);
const derivatives = readings(
  nullable<DerivativeRow>({
    mark: null,
    index: null,
    funding_rate: null,
    funding_hours: null,
    funding_rate_8h: null,
    next_funding: null,
    stated: null,
  }),
);
const openInterest = readings(nullable<OpenInterestRow>({ units: null, mark: null, stated: null }));
const futures = readings(
  nullable<FutureRow>({
    mark: null,
    index: null,
    units: null,
    value: null,
    volume: null,
    stated: null,
  }),
);
const options = readings(
  nullable<OptionRow>({
    volume: null,
    premium: null,
    mark: null,
    bid: null,
    ask: null,
    iv: null,
    bid_iv: null,
    ask_iv: null,
    delta: null,
    gamma: null,
    theta: null,
    vega: null,
    stated: null,
  }),
);
const status = nullable<FeedReport>({
  reason: null,
  last_success: null,
  last_attempt: null,
  latency_ms: null,
  last_error: null,
  next_poll: null,
});
const alertEvents = nullable<AlertEvent>({
  data_time: null,
  subject: null,
  value: null,
  previous: null,
});

const figures = new Map<unknown, ReturnType<Schema['lists']>>(
  Object.entries(defiRows).map(([figure, row]) => [figure, { rows: nullableOf(row) }]),
);

/** The nullable columns of every topic. */
export const schemas: Readonly<Record<Topic, Schema>> = {
  instruments: readings(nullable<Instrument>({ funding_hours: null })),
  listRequests: none,
  prices,
  priceChanges: prices,
  derivatives,
  derivativeChanges: derivatives,
  openInterest,
  openInterestChanges: openInterest,
  futures,
  options,
  referenceInputs: rows,
  liquidations: events([]),
  optionTrades: events(
    nullable<OptionTrade>({ price_base: null, mark: null, iv: null, block: null }),
  ),
  positionEvents: none,
  walletTracking: none,
  orderBooks: rows,
  largeOrders: rows,
  status: of(status),
  processes: none,
  accounts: none,
  alertRules: of(nullable<AlertRuleChange>({ rule: null })),
  alertEvents: of(alertEvents),
  alertDeliveries: of(nullable<AlertDelivery>({ status: null, error: null })),
  compute: none,
  chains: of([], { supplies: nullableOf(supplyRow), wallets: nullableOf(walletRow) }),
  defi: { number: 1, own: [], lists: ({ figure }) => figures.get(figure) ?? {} },
  marketIndicators: of(nullable<IndicatorReading>({ fields: null, lacks: null, live: null })),
  indicatorHistories: of(nullable<IndicatorHistory>({ recorded_from: null })),
  series: none,
};
