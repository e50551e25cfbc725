/** The tables of HTX. Contract volumes and open interest count buyer and seller: halved here. https://www.htx.com/en-us/opend */
import { hour } from '../../../config/time.ts';
import {
  at,
  bulk,
  field,
  isRecord,
  positive,
  required,
  text,
  time,
  type WireRow,
} from '../../read.ts';
import type { Instrument } from '../../topics/index.ts';
import { byId, joined, type MarketForm, markets } from '../markets.ts';
import type { Facts } from '../rows.ts';
import type { Cell, DerivativeTable, InterestTable } from '../tables.ts';

/** Answers and messages state their time once, beside the rows. */
export const statedIn = (body: unknown): number | null => time(field(body, 'ts'));

/** `v1/common/symbols`: lower-case names. */
export const pair = (row: WireRow): Omit<Facts, 'market'> => ({
  kind: row.state === 'online' ? 'spot' : 'other',
  base: text(row['base-currency']).toUpperCase(),
  quote: text(row['quote-currency']).toUpperCase(),
});

/**
 * Whether a contract is listed: 1 is trading, 5 a settlement and 7 the end of one, which all contracts pass through at once every eight
 * hours. Others are before the listing, suspended or delisted.
 */
export const isListed = ({ contract_status }: WireRow): boolean =>
  [1, 5, 7].includes(required(contract_status));

/** Inverse lists have no business type. */
const isPerpetual = (row: WireRow, more: readonly string[]): boolean =>
  more.length === 0 &&
  isListed(row) &&
  (text(row.business_type) || 'swap') === 'swap' &&
  (text(row.contract_type) || 'swap') === 'swap';

/** `BTC-USDT` and `BTC-USD` are perpetual, `BTC-USDT-260327` is dated. */
function kindOf(row: WireRow, more: readonly string[]): Instrument['kind'] {
  if (isPerpetual(row, more)) return 'perpetual';
  const isFuture = more.length === 1 && /^\d{6}$/.test(more[0] ?? '');
  return isFuture && isListed(row) ? 'future' : 'other';
}

/**
 * `swap_contract_info`: `contract_size` is base per contract when linear, USD per contract when inverse; `delivery_time` of dated ones
 * is Unix ms.
 */
export function contract(row: WireRow, market: string, inverse: boolean): Omit<Facts, 'market'> {
  const [base = '', quote = '', ...more] = market.split('-');
  return {
    kind: kindOf(row, more),
    base,
    quote,
    contract: positive(row.contract_size),
    inverse,
    expiry: time(row.delivery_time),
  };
}

/**
 * What tickers of spot and of contracts have: volumes of 24 h. Their open, high and low are of the day that began at 00:00 UTC+8,
 * and are not read.
 */
const ticker = { last: 'close', untraded: 'amount' } as const;

/** Spot: `amount` base, `vol` quote, both counted once. */
export const pairs = markets({
  rows: 'data',
  stated: 'ts',
  id: 'symbol',
  price: { ...ticker, bid: 'bid', ask: 'ask', base: 'amount', quote: 'vol' },
});

const half =
  (key: string): Cell =>
  (row) =>
    required(row[key]) / 2;

/** The price of `[price, contracts]`, the best level of a side. */
const best =
  (key: string): Cell =>
  ({ [key]: side }) =>
    Array.isArray(side) ? side[0] : side;

/**
 * One side's turnover: `trade_turnover` (quote, linear) or `number_of` contracts of `contract` USD (inverse), where
 * they are there and within a factor of two of base times close; else that. `vol` is in contracts in some answers
 * and in quote in others, so it is not used.
 */
export function turnover(row: WireRow, { inverse, contract: size }: Instrument): number {
  const rough = required(row.amount) * positive(row.close);
  const exact = inverse ? required(row.number_of) * size : required(row.trade_turnover);
  const isPlausible = !(rough >= 0) || (exact >= rough / 2 && exact <= rough * 2);
  return (isPlausible ? exact : rough) / 2;
}

/** Linear and inverse contracts; `amount` is base of both sides. */
export const tickers = markets({
  rows: 'ticks',
  id: 'contract_code',
  time: 'ts',
  price: { ...ticker, bid: best('bid'), ask: best('ask'), base: half('amount'), quote: turnover },
});

const none: readonly unknown[] = [];
const dataIn = (body: unknown): readonly unknown[] =>
  isRecord(body) && Array.isArray(body.data) ? body.data : none;

/** The close of the newest one-minute mark price candle. */
export function markIn(body: unknown): number {
  const newest = dataIn(body).at(-1);
  return positive(isRecord(newest) ? newest.close : null);
}

/** The market of a channel such as `market.BTC-USD.mark_price.1min`. */
export const marketIn = (body: unknown): string =>
  isRecord(body) ? (text(body.ch).split('.')[1] ?? '') : '';

/** `swap_index` of all contracts; none are known without it. */
const indicesIn = (body: unknown) => ({
  rows: byId(body, 'data', 'contract_code'),
  take: ['index_price'],
});

/** The interval of coin-margined swaps, where the time after the next one is null. */
const inverseHours = 8;

/** `funding_rate` is charged at `funding_time`. */
const derivative: DerivativeTable = {
  mark: 'mark',
  index: 'index_price',
  rate: 'funding_rate',
  hours({ funding_time, next_funding_time }, { inverse }) {
    const hours = (required(next_funding_time) - required(time(funding_time))) / hour;
    return hours > 0 || !inverse ? hours : inverseHours;
  },
  next: 'funding_time',
};

/** The answers about one market: its funding row, or none of it, with the mark price beside. */
function linearRow(funding: unknown, candle: unknown): WireRow {
  const [row] = dataIn(funding);
  const known = isRecord(row) ? row : {};
  const answer = [funding, candle].find((body) => body !== undefined);
  const contract_code = text(known.contract_code) || marketIn(candle);
  const ts = isRecord(answer) ? statedIn(answer) : null;
  return { ...known, contract_code, mark: markIn(candle), ts };
}

export const byCode = { id: 'contract_code', time: 'ts' } as const satisfies MarketForm;

/** Bodies: `swap_index` of all, then `v5/market/funding_rate` and a mark price candle for each market. */
export const linearFundings = markets({
  ...byCode,
  rows([index, ...answers]) {
    const rows: WireRow[] = [];
    for (let i = 0; i < answers.length; i += 2) {
      const [funding, candle] = answers.slice(i, i + 2);
      if (funding !== undefined || candle !== undefined) rows.push(linearRow(funding, candle));
    }
    return joined(rows, 'contract_code', indicesIn(index));
  },
  derivative,
});

/** Bodies: `swap_batch_funding_rate`, `swap_index`, then a mark price candle for each market. */
export const inverseFundings = markets({
  rows: ([funding, index, ...candles]) =>
    joined(
      bulk(at(funding, 'data'), 'funding rates'),
      'contract_code',
      {
        rows: new Map(candles.map((body) => [marketIn(body), { mark: markIn(body) }])),
        take: ['mark'],
      },
      indicesIn(index),
    ),
  stated: 'ts',
  id: 'contract_code',
  derivative,
});

/** Both sides in `amount` (base), `volume` (contracts) and, linear only, `value` (quote). */
export const interest: InterestTable = {
  base: half('amount'),
  value: ({ volume, value }, { inverse, contract: size }) =>
    (inverse ? required(volume) * size : required(value)) / 2,
};

/** Bodies: `v5/market/open_interest` of one market each. */
export const linearInterests = markets({
  ...byCode,
  rows: (bodies) =>
    bodies
      .filter((body) => body !== undefined)
      .map((body) =>
        isRecord(body) && isRecord(body.data) ? { ...body.data, ts: statedIn(body) } : {},
      ),
  interest,
});

/** Body: `swap_open_interest` of all. */
export const inverseInterests = markets({
  rows: 'data',
  stated: 'ts',
  id: 'contract_code',
  interest,
});

/**
 * Marks, indices and funding of contracts by stream, each with messages of its own. `funding_rate` is the running estimate of
 * what is charged at `settlement_time` (`funding_time` is that of the estimate). The hours are as polled.
 */
export const streamed = markets({
  id: 'contract_code',
  derivative: { mark: 'mark', index: 'index', rate: 'funding_rate', next: 'settlement_time' },
});
