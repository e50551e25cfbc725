/** The tables of HTX. Contract volumes and open interest count buyer and seller: halved here. https://www.htx.com/en-us/opend */
import { hour } from '../../../config/time.ts';
import {
  asRow,
  at,
  bulk,
  field,
  isRecord,
  list,
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

/** `v1/common/symbols`: lower-case names; `underlying` marks a leveraged token. */
export const pair = (row: WireRow): Omit<Facts, 'market'> => ({
  kind: row.state === 'online' && row.underlying === undefined ? 'spot' : 'other',
  base: text(row['base-currency']).toUpperCase(),
  quote: text(row['quote-currency']).toUpperCase(),
});

/** `BTC-USDT` and `BTC-USD`: any longer code is dated. Status 1 is trading; inverse lists have no business type. */
const isPerpetual = (row: WireRow, more: readonly string[]): boolean =>
  more.length === 0 &&
  row.contract_status === 1 &&
  (text(row.business_type) || 'swap') === 'swap' &&
  (text(row.contract_type) || 'swap') === 'swap';

/** `swap_contract_info`: `contract_size` is base per contract when linear, USD per contract when inverse. */
export function contract(row: WireRow, market: string, inverse: boolean): Omit<Facts, 'market'> {
  const [base = '', quote = '', ...more] = market.split('-');
  return {
    kind: isPerpetual(row, more) ? 'perpetual' : 'other',
    base,
    quote,
    contract: positive(row.contract_size),
    inverse,
  };
}

/** Weekly and quarterly futures are asked by a word of their own, which passes on to the next contract at each expiry. */
const words: Readonly<Record<string, string>> = {
  this_week: 'CW',
  next_week: 'NW',
  quarter: 'CQ',
  next_quarter: 'NQ',
};

/** `BTC_CQ`. */
const wordOf = ({ symbol, contract_type }: WireRow): string =>
  `${text(symbol)}_${words[text(contract_type)] ?? ''}`;

/** The words of the contracts on the coins of these ids, such as `BTC260327`. */
export const wordsOf = (ids: readonly string[]): string[] => {
  const coins = new Set(ids.map((id) => id.replace(/\d{6}$/, '')));
  return [...coins].flatMap((coin) => Object.values(words).map((word) => `${coin}_${word}`));
};

/** `BTC260327` is dated. */
export const isDated = (market: string): boolean => /^[A-Z0-9]+\d{6}$/.test(market);

/** `contract_contract_info`: `contract_size` is USD per contract, `delivery_time` Unix ms. */
export const future = (row: WireRow): Omit<Facts, 'market'> => ({
  kind: row.contract_status === 1 ? 'future' : 'other',
  base: text(row.symbol),
  quote: 'USD',
  contract: positive(row.contract_size),
  inverse: true,
  expiry: time(row.delivery_time),
});

/** What tickers of spot and of contracts have. */
const ticker = {
  last: 'close',
  open: 'open',
  high: 'high',
  low: 'low',
  untraded: 'amount',
} as const;

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
function turnover(row: WireRow, { inverse, contract: size }: Instrument): number {
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
function markIn(body: unknown): number {
  const newest = dataIn(body).at(-1);
  return positive(isRecord(newest) ? newest.close : null);
}

/** The market of a channel such as `market.BTC-USD.mark_price.1min`. */
const marketIn = (body: unknown): string =>
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

const byCode = { id: 'contract_code', time: 'ts' } as const satisfies MarketForm;

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
const interest: InterestTable = {
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

/** Bodies: as its channel names it, `market.BTC_CQ.mark_price.1min`. */
const marksIn = (bodies: readonly unknown[]) =>
  new Map(
    bodies.map((body) => [marketIn(body).replace('-', '_'), { mark: markIn(body) }] as const),
  );

/**
 * Coin-margined futures. Bodies: `contract_open_interest` of all, which names the word of each, `batch_merged`, `contract_index`
 * of all coins, then a mark price candle for each word, of which some may be missing.
 */
export const futures = markets({
  rows([interests, tickers, indices, ...marks]) {
    const byWord = marksIn(marks.filter((body) => body !== undefined));
    const ticks = byId(tickers, 'ticks', 'symbol');
    const ofCoin = byId(indices, 'data', 'symbol');
    const ts = statedIn(interests);
    return list(at(interests, 'data'), 'open interest').map((value) => {
      const row = asRow(value);
      const word = wordOf(row);
      const { index_price } = asRow(ofCoin.get(text(row.symbol)));
      const { close, number_of, amount: traded } = asRow(ticks.get(word));
      const { mark } = asRow(byWord.get(word));
      return { ...row, ts, index_price, mark, close, number_of, traded };
    });
  },
  id: 'contract_code',
  time: 'ts',
  dated: true,
  price: {
    last: 'close',
    quote: ({ close, number_of, traded }, market) =>
      turnover({ close, number_of, amount: traded }, market),
  },
  derivative: { mark: 'mark', index: 'index_price' },
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
