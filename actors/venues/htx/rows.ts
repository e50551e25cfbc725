/** Readers of HTX's rows. Contract volumes and open interest count buyer and seller: halved here. */
import { ShapeError } from '../../failure.ts';
import { bulk, field, isRecord, positive, required, text, time, type WireRow } from '../../read.ts';
import type { Bar } from '../../sources/candles.ts';
import type { InstrumentMap, Parsed } from '../../sources/define.ts';
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
import { neverTradedBy } from '../wire.ts';

/** Answers state their time once, beside the rows. */
export const statedIn = (body: unknown): number | null => time(field(body, 'ts'));

/** `v1/common/symbols`: lower-case names; `underlying` marks a leveraged token. */
export const spotInstruments = (body: unknown): Parsed<Instrument> =>
  instrumentRows(bulk(field(body, 'data'), 'symbols'), 'symbol', (row, market) =>
    instrument({
      market,
      kind: row.state === 'online' && row.underlying === undefined ? 'spot' : 'other',
      base: text(row['base-currency']).toUpperCase(),
      quote: text(row['quote-currency']).toUpperCase(),
    }),
  );

/** `BTC-USDT` and `BTC-USD`: any longer code is dated. Status 1 is trading; inverse lists have no business type. */
const isPerpetual = (row: WireRow, more: readonly string[]) =>
  more.length === 0 &&
  row.contract_status === 1 &&
  (text(row.business_type) || 'swap') === 'swap' &&
  (text(row.contract_type) || 'swap') === 'swap';

/** `swap_contract_info`: `contract_size` is base per contract when linear, USD per contract when inverse. */
export const contractInstruments = (body: unknown, inverse: boolean): Parsed<Instrument> =>
  instrumentRows(bulk(field(body, 'data'), 'contracts'), 'contract_code', (row, market) => {
    const [base = '', quote = '', ...more] = market.split('-');
    const kind = isPerpetual(row, more) ? 'perpetual' : 'other';
    const contract = positive(row.contract_size);
    return instrument({ market, kind, base, quote, contract, inverse });
  });

/** Spot: `amount` base, `vol` quote, both counted once. */
export const spotTickers = (stated: number | null): Reader<Instrument, PriceRow> => ({
  id: by('symbol'),
  isUntraded: neverTradedBy('close', 'amount'),
  read(row, market) {
    const last = positive(row.close);
    const change = changeOf(last, positive(row.open));
    return priceOf(market, {
      ...{ last, volume: required(row.vol), change, stated },
      ...{ bid: positive(row.bid), ask: positive(row.ask), base: required(row.amount) },
      ...{ high: positive(row.high), low: positive(row.low) },
    });
  },
});

/**
 * One side's turnover: `trade_turnover` (quote, linear) or `number_of` contracts of `contract` USD (inverse), where
 * they are there and within a factor of two of base times close; else that. `vol` is in contracts in some answers
 * and in quote in others, so it is not used.
 */
function contractTurnover(row: WireRow, { inverse, contract }: Instrument, last: number): number {
  const rough = required(row.amount) * last;
  const exact = inverse ? required(row.number_of) * contract : required(row.trade_turnover);
  const isPlausible = !(rough >= 0) || (exact >= rough / 2 && exact <= rough * 2);
  return (isPlausible ? exact : rough) / 2;
}

/** Price of `[price, contracts]`, the best level of a side; NaN where there is none. */
const bestOf = (side: unknown): number => positive(Array.isArray(side) ? side[0] : side);

/** Linear and inverse contracts; `amount` is base of both sides. */
export const contractTickers: Reader<Instrument, PriceRow> = {
  id: by('contract_code'),
  isUntraded: neverTradedBy('close', 'amount'),
  read(row, market) {
    const last = positive(row.close);
    const change = changeOf(last, positive(row.open));
    const volume = contractTurnover(row, market, last);
    return priceOf(market, {
      ...{ last, volume, change, stated: time(row.ts) },
      ...{ bid: bestOf(row.bid), ask: bestOf(row.ask) },
      ...{ high: positive(row.high), low: positive(row.low), base: required(row.amount) / 2 },
    });
  },
};

const none: readonly unknown[] = [];
const rowsIn = (body: unknown): readonly unknown[] =>
  isRecord(body) && Array.isArray(body.data) ? body.data : none;

/** Body: `swap_index` of all contracts; none are known without it. */
function indicesIn(body: unknown): Map<string, number> {
  if (body === undefined) return new Map();
  const found = bulk(field(body, 'data'), 'indices').filter(isRecord);
  return new Map(found.map((row) => [text(row.contract_code), positive(row.index_price)]));
}

/** Close of the newest one-minute mark price candle. */
function markIn(body: unknown): number {
  const newest = rowsIn(body).at(-1);
  return positive(isRecord(newest) ? newest.close : null);
}

const hour = 3_600_000;

/**
 * A funding row that the time of its answer and a mark price were added to. `funding_rate` is charged at
 * `funding_time`. Where the time after it is null (inverse), the interval is the 8 hours of coin-margined swaps.
 */
const fundingsWith = (
  indices: ReadonlyMap<string, number>,
  always: number,
): Reader<Instrument, DerivativeRow> => ({
  id: by('contract_code'),
  read(row, market) {
    const next = time(row.funding_time);
    const hours = (required(row.next_funding_time) - required(next)) / hour;
    return derivativeOf(market, {
      mark: required(row.mark),
      index: indices.get(market.market) ?? required(null),
      rate: required(row.funding_rate),
      hours: hours > 0 ? hours : always,
      next,
      stated: time(row.ts),
    });
  },
});

/** Every market was asked by itself: when no row is readable, the form is wrong. */
function someOf<Row>(parsed: Parsed<Row>, what: string): Parsed<Row> {
  if (parsed.rows.length === 0) throw new ShapeError(`${what}: none is readable`);
  return parsed;
}

/** Market of a channel such as `market.BTC-USD.mark_price.1min`. */
const marketIn = (body: unknown) => (isRecord(body) ? (text(body.ch).split('.')[1] ?? '') : '');

/** One market's answers: its funding row, or none of it, with the mark price beside. */
function linearRow(funding: unknown, candle: unknown): WireRow {
  const [row] = rowsIn(funding);
  const known = isRecord(row) ? row : {};
  const answer = [funding, candle].find((body) => body !== undefined);
  const contract_code = text(known.contract_code) || marketIn(candle);
  const ts = isRecord(answer) ? statedIn(answer) : null;
  return { ...known, contract_code, mark: markIn(candle), ts };
}

/** Bodies: `swap_index` of all, then `v5/market/funding_rate` and a mark price candle for each market. */
export function linearDerivatives(
  [index, ...answers]: readonly unknown[],
  instruments: InstrumentMap,
): Parsed<DerivativeRow> {
  const rows: WireRow[] = [];
  for (let at = 0; at < answers.length; at += 2) {
    const [funding, candle] = answers.slice(at, at + 2);
    if (funding !== undefined || candle !== undefined) rows.push(linearRow(funding, candle));
  }
  const reader = fundingsWith(indicesIn(index), required(null));
  return someOf(marketRows(rows, instruments, reader), 'funding rates and marks');
}

/** Bodies: `swap_batch_funding_rate`, `swap_index`, then a mark price candle for each market. */
export function inverseDerivatives(
  [funding, index, ...candles]: readonly unknown[],
  instruments: InstrumentMap,
): Parsed<DerivativeRow> {
  const marks = new Map(candles.map((body) => [marketIn(body), markIn(body)]));
  const ts = statedIn(funding);
  const rows = bulk(field(funding, 'data'), 'funding rates').map((row) =>
    isRecord(row) ? { ...row, mark: marks.get(text(row.contract_code)), ts } : row,
  );
  return marketRows(rows, instruments, fundingsWith(indicesIn(index), 8));
}

/** Both sides in `amount` (base), `volume` (contracts) and, linear only, `value` (quote). */
const interests = (inverse: boolean): Reader<Instrument, OpenInterestRow> => ({
  id: by('contract_code'),
  read: (row, market) =>
    openInterestOf(market, {
      base: required(row.amount) / 2,
      value: (inverse ? required(row.volume) * market.contract : required(row.value)) / 2,
      mark: required(null),
      stated: time(row.ts),
    }),
});

/** Bodies: `v5/market/open_interest` of one market each. */
export function linearOpenInterest(
  bodies: readonly unknown[],
  instruments: InstrumentMap,
): Parsed<OpenInterestRow> {
  const rows = bodies
    .filter((body) => body !== undefined)
    .map((body) =>
      isRecord(body) && isRecord(body.data) ? { ...body.data, ts: statedIn(body) } : {},
    );
  return someOf(marketRows(rows, instruments, interests(false)), 'open interest');
}

/** Body: `swap_open_interest` of all. */
export function inverseOpenInterest(
  body: unknown,
  instruments: InstrumentMap,
): Parsed<OpenInterestRow> {
  const ts = statedIn(body);
  const rows = bulk(field(body, 'data'), 'open interest').map((row) =>
    isRecord(row) ? { ...row, ts } : row,
  );
  return marketRows(rows, instruments, interests(true));
}

const candle = (row: WireRow, volume: number, turnover: number | null): Bar => ({
  timestamp: required(row.id) * 1000,
  open: positive(row.open),
  high: positive(row.high),
  low: positive(row.low),
  close: positive(row.close),
  volume,
  turnover,
});

export const spotCandle = (row: WireRow): Bar =>
  candle(row, required(row.amount), required(row.vol));

/** `amount` base, `vol` contracts, `trade_turnover` quote (linear only). */
export const contractCandle =
  (inverse: boolean, contract: number) =>
  (row: WireRow): Bar => {
    const turnover = inverse ? required(row.vol) * contract : required(row.trade_turnover);
    return candle(row, required(row.amount) / 2, turnover / 2);
  };
