/** How WOO X's rows are read: names, contracts that are gone, a day out of hours. https://docs.woox.io */
import { ShapeError } from '../../failure.ts';
import {
  bulk,
  field,
  isRecord,
  list,
  optional,
  optionalNonZero,
  positive,
  required,
  text,
  time,
  type WireRow,
} from '../../read.ts';
import type { Parsed } from '../../sources/define.ts';
import type { MarketPoll } from '../../sources/venue.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import {
  by,
  changeOf,
  derivativeOf,
  instrument,
  instrumentRows,
  marketRows,
  openInterestOf,
  priceOf,
  type Reader,
} from '../rows.ts';
import { pairOf } from '../symbols.ts';
import { neverTradedBy } from '../wire.ts';

/** The rows of an answer. */
export const rowsOf = (body: unknown): unknown => field(field(body, 'data'), 'rows');

/** How the ids of a part begin. */
export const prefixes = { spot: 'SPOT_', perp: 'PERP_' } as const;
export type PartName = keyof typeof prefixes;

const kinds = { spot: 'spot', perp: 'perpetual' } as const;

/** `SPOT_BTC_USDT`, `PERP_BTC_USDT`; quantities are in base on both. */
const fromIdOf =
  (part: PartName) =>
  (
    market: string,
    more: Pick<Instrument, 'kind'> & { fundingHours?: number | null } = { kind: kinds[part] },
  ) => {
    const prefix = prefixes[part];
    const pair = market.startsWith(prefix) ? pairOf(market.slice(prefix.length), '_') : null;
    return pair && instrument({ market, ...pair, ...more });
  };

/** A multiplier other than 1 is not explained anywhere; no market has one. */
const isTraded = (row: WireRow): boolean =>
  row.status === 'TRADING' && (optional(row.baseAssetMultiplier) ?? 1) === 1;

/** Both parts stand in one list; the rows of the other are skipped. */
export function readInstruments(
  part: PartName,
  body: unknown,
  hours: ReadonlyMap<string, number | null>,
): Parsed<Instrument> {
  const own = list(rowsOf(body), 'instruments').filter(
    (row) => !isRecord(row) || text(row.symbol).startsWith(prefixes[part]),
  );
  return instrumentRows(bulk(own, 'instruments'), 'symbol', (row, market) =>
    fromIdOf(part)(market, {
      kind: isTraded(row) ? kinds[part] : 'other',
      fundingHours: optionalNonZero(hours.get(market)),
    }),
  );
}

/** Hours between fundings by market: 4 or 8, beside the rates only. */
export function fundingHours(body: unknown): ReadonlyMap<string, number> {
  const rows = list(rowsOf(body), 'funding rates').filter(isRecord);
  return new Map(rows.map((row) => [text(row.symbol), positive(row.estFundingIntervalHours)]));
}

const hour = 3_600_000;

/**
 * Rows of `futures`. Those of contracts that are gone stay in it, without an index or with a funding
 * time that has passed; for a moment after each funding that of a live one has too.
 */
function futures(body: unknown): { rows: readonly unknown[]; stated: number | null } {
  const stated = time(field(body, 'timestamp'));
  const isLive = (row: unknown) =>
    !isRecord(row) ||
    (row.indexPrice !== null && !(required(row.nextFundingTime) + hour < required(stated)));
  return { rows: bulk(rowsOf(body), 'futures').filter(isLive), stated };
}

type RowReader<Row> = (row: WireRow, market: Instrument, stated: number | null) => Row | null;

/** Parses `futures`; its rows have no time, the answer has one. */
export const parseFutures =
  <Row>(
    read: RowReader<Row>,
    isUntraded?: Reader<Instrument, Row>['isUntraded'],
  ): MarketPoll<Row>['parse'] =>
  ([body], { instruments }) => {
    const { rows, stated } = futures(body);
    return marketRows(rows, instruments, {
      id: by('symbol'),
      fromId: fromIdOf('perp'),
      read: (row, market) => read(row, market, stated),
      ...(isUntraded && { isUntraded }),
    });
  };

export const perpPrice: RowReader<PriceRow> = (row, market, stated) => {
  const last = positive(row['24hClose']);
  const change = changeOf(last, positive(row['24hOpen']));
  return priceOf(market, {
    ...{ last, volume: required(row['24hAmount']), change, stated },
    ...{ high: positive(row['24hHigh']), low: positive(row['24hLow']) },
    base: required(row['24hVolume']),
  });
};

/** `estFundingRate` is what `nextFundingTime` will charge, a fraction per interval of the market. */
export const derivative: RowReader<DerivativeRow> = (row, market, stated) =>
  derivativeOf(market, {
    mark: positive(row.markPrice),
    index: positive(row.indexPrice),
    rate: required(row.estFundingRate),
    hours: required(market.funding_hours),
    next: time(row.nextFundingTime),
    stated,
  });

/** In base, and taken as one side. */
export const interest: RowReader<OpenInterestRow> = (row, market, stated) =>
  openInterestOf(market, {
    base: required(row.openInterest),
    value: required(null),
    mark: positive(row.markPrice),
    stated,
  });

/** Hourly candles that cover 24 hours, the running one among them. */
export const hoursInDay = 25;

/**
 * The ticker that spot lacks, from the candles of its last day: of the oldest hour as much turnover counts as lies
 * within 24 hours. Without a readable candle it has no name, and is dropped.
 */
function dayOf(body: unknown): WireRow {
  const { data, timestamp } = isRecord(body) ? body : {};
  const rows = isRecord(data) && Array.isArray(data.rows) ? data.rows.filter(isRecord) : [];
  const from = required(timestamp) - 24 * hour;
  let newest: WireRow = {};
  let latest = 0;
  let volume = 0;
  for (const row of rows) {
    const start = positive(row.startTimestamp);
    // Without its time there is no telling which hour is the last.
    if (!(start > 0)) return { symbol: row.symbol };
    if (start > latest) [latest, newest] = [start, row];
    volume += required(row.amount) * Math.min(1, Math.max(0, (start + hour - from) / hour));
  }
  return { symbol: newest.symbol, last: newest.close, volume, timestamp };
}

const days: Reader<Instrument, PriceRow> = {
  id: by('symbol'),
  fromId: fromIdOf('spot'),
  read: (row, market) =>
    priceOf(market, {
      last: positive(row.last),
      volume: required(row.volume),
      change: required(null),
      stated: time(row.timestamp),
    }),
};

/** True where a market has no candle at all: it was never traded. */
function isEmpty(body: unknown): boolean {
  const rows = isRecord(body) && isRecord(body.data) ? body.data.rows : undefined;
  return Array.isArray(rows) && rows.length === 0;
}

/** Spot prices out of one body of candles a market; none where its request failed or it was never traded. */
export const parseDays: MarketPoll<PriceRow>['parse'] = (bodies, { instruments }) => {
  const answers = bodies.filter((body) => body !== undefined);
  const traded = answers.filter((body) => !isEmpty(body));
  if (answers.length > 0 && traded.length === 0) throw new ShapeError('no market has candles');
  return marketRows(traded.map(dayOf), instruments, days);
};

/** True for a perpetual that was never traded. */
export const isUntraded = neverTradedBy('24hClose', '24hVolume');
