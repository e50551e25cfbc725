/** Dated futures of HTX, coin- and USDT-margined: their names, and their tables. https://www.htx.com/en-us/opend */
import { asRow, at, isRecord, list, positive, text, time, type WireRow } from '../../read.ts';
import { byId, type MarketForm, markets } from '../markets.ts';
import type { Facts } from '../rows.ts';
import { byCode, interest, isListed, marketIn, markIn, statedIn, turnover } from './markets.ts';

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
  kind: isListed(row) ? 'future' : 'other',
  base: text(row.symbol),
  quote: 'USD',
  contract: positive(row.contract_size),
  inverse: true,
  expiry: time(row.delivery_time),
});

/** The tables of dated futures; `traded` is the `amount` of a ticker. */
const datedTables = {
  ...byCode,
  dated: true,
  price: {
    last: 'close',
    quote: ({ traded, ...row }, market) => turnover({ ...row, amount: traded }, market),
  },
  derivative: { mark: 'mark', index: 'index_price' },
  interest,
} as const satisfies MarketForm;

/** A row in a body that may be missing. */
const rowAt = (body: unknown, key: string): WireRow =>
  asRow(isRecord(body) ? body[key] : undefined);

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
  ...datedTables,
});

/** `BTC-USDT` of `BTC-USDT-260327`. */
export const pairOf = (market: string): string => market.split('-').slice(0, 2).join('-');

/**
 * USDT-margined futures. Bodies: `swap_index` of all pairs, then of each market its newest mark price candle, `detail/merged` and
 * `v5/market/open_interest`, of which the last two may be missing.
 */
export const linearFutures = markets({
  rows([indices, ...answers]) {
    const ofPair = byId(indices, 'data', 'contract_code');
    const rows: WireRow[] = [];
    for (let i = 0; i < answers.length; i += 3) {
      const [candle, merged, interests] = answers.slice(i, i + 3);
      if (candle === undefined) continue;
      const contract_code = marketIn(candle);
      const { index_price } = asRow(ofPair.get(pairOf(contract_code)));
      const { close, trade_turnover, amount: traded } = rowAt(merged, 'tick');
      const { amount, volume, value } = rowAt(interests, 'data');
      rows.push({
        ...{ contract_code, ts: statedIn(candle), mark: markIn(candle), index_price },
        ...{ close, trade_turnover, traded, amount, volume, value },
      });
    }
    return rows;
  },
  ...datedTables,
});
