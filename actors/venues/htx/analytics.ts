/**
 * Histories of HTX contracts: the largest accounts, open interest, settled funding. Of the largest accounts the paths of v5 come first;
 * where they give nothing, those of v1 are asked. https://www.htx.com/en-us/opend
 */
import { hour } from '../../../config/time.ts';
import { intervals } from '../../../indicators/market/intervals.ts';
import { field, isRecord, required, type WireRow } from '../../read.ts';
import type {
  History,
  HistoryParams,
  LongShortParams,
  LongShortPoint,
} from '../../topics/index.ts';
import type { Query } from '../../upstream/request.ts';
import { mayFail } from '../apis.ts';
import { fundings } from '../fundings.ts';
import { rowsIn, wordOf } from '../histories.ts';
import { basis, interest, longShort } from '../series.ts';
import { unitWords, type Words } from '../words.ts';
import { type Ask, contracts } from './api.ts';
import { isDated, pairOf } from './futures.ts';

const words: Words = {
  ...unitWords({ m: 'min' })('5m', '15m', '30m'),
  '1h': '60min',
  '4h': '4hour',
  '1d': '1day',
};

/** `data` is the list on v5, and holds it at `key` on v1. */
const rowsAt =
  (key: string) =>
  (bodies: readonly unknown[]): readonly WireRow[] =>
    bodies.flatMap((body) => {
      if (body === undefined) return [];
      const data = field(body, 'data');
      return rowsIn(isRecord(data) ? data[key] : data, 'data');
    });

const v1Folder = { linear: '/linear-swap-api/v1', inverse: '/swap-api/v1' } as const;
const folderOf = (part: string) => (part === 'inverse' ? v1Folder.inverse : v1Folder.linear);

const names = { top_accounts: 'elite_account_ratio', top_positions: 'elite_position_ratio' };

type SharesAsked = LongShortParams & { part: string };

function v1Ratio({ part, market, interval, of }: SharesAsked): Ask[] {
  const path = `${folderOf(part)}/swap_${of === 'top_positions' ? names.top_positions : names.top_accounts}`;
  return [contracts(path, { contract_code: market, period: wordOf(words, interval) })];
}

const shares = longShort<Ask>({
  page: 200,
  thinned: true,
  words: ({ part, of }) => (part === 'spot' || of === 'accounts' ? null : words),
  requests(asked) {
    const { part, market, interval, of } = asked;
    if (part !== 'linear' || of === 'accounts') return v1Ratio(asked);
    const query = { contract_code: market, period: wordOf(words, interval) };
    return [mayFail(contracts(`/v5/market/${names[of]}`, query))];
  },
  rows: rowsAt('list'),
  at: 'ts',
  columns: { long: 'buy_ratio', short: 'sell_ratio', locked: 'locked_ratio' },
});

const interestWords: Words = { '1h': '60min', '4h': '4hour', '12h': '12hour', '1d': '1day' };
/** Ways to count: contracts, base units. */
const amountTypes = { contracts: 1, base: 2 } as const;

/** Rows count both sides. Linear ones state base units and dollars, inverse ones contracts. */
const openInterestHistory = interest<Ask>({
  page: 200,
  thinned: true,
  words: ({ part }) => (part === 'spot' ? null : interestWords),
  requests({ part, market, interval }, { limit }) {
    const more: Query =
      part === 'inverse'
        ? { amount_type: amountTypes.contracts }
        : { contract_type: 'swap', amount_type: amountTypes.base };
    return [
      contracts(`${folderOf(part)}/swap_his_open_interest`, {
        contract_code: market,
        period: wordOf(interestWords, interval),
        size: limit,
        ...more,
      }),
    ];
  },
  rows: rowsAt('tick'),
  at: 'ts',
  columns: {
    sides: 2,
    contracts: ({ volume }, { instrument }) => (instrument.inverse ? required(volume) : null),
    base: ({ volume }, { instrument }) => (instrument.inverse ? null : required(volume)),
    usd: ({ value }, { instrument }) => (instrument.inverse ? null : required(value)),
  },
});

/** Rows of a page of coin-margined fundings. */
const pageRows = 50;
/** Coin-margined swaps are charged every eight hours. */
const inverseStep = 8 * hour;

/** Pages are counted from the newest on: those of a hundred rows up to the end of a range. */
function inverseFundings({ market, to, now }: HistoryParams & { now: number }): Ask[] {
  const newer = to === undefined ? 0 : Math.max(0, Math.floor((now - to) / inverseStep) - 1);
  const first = Math.floor(newer / pageRows) + 1;
  return [first, first + 1, ...(newer % pageRows === 0 ? [] : [first + 2])].map((page_index) =>
    contracts(`${v1Folder.inverse}/swap_historical_funding_rate`, {
      contract_code: market,
      page_index,
      page_size: pageRows,
    }),
  );
}

const fundingHistory = fundings<Ask>({
  page: 100,
  requests(asked, { limit, range }) {
    if (asked.part !== 'linear') return inverseFundings(asked);
    const times = range && { start_time: range.start, end_time: range.end };
    const query = { contract_code: asked.market, limit, ...times };
    return [contracts('/v5/market/funding_rate_history', query)];
  },
  rows: rowsAt('data'),
  at: 'funding_time',
  columns: { rate: 'funding_rate' },
});

const priceFolder = '/index/market/history';
/** Mark price candles; those of dated coin-margined contracts name their contract otherwise. */
const marks = (part: string, market: string, steps: Query): Ask =>
  isDated(market)
    ? contracts(`${priceFolder}/mark_price_kline`, { symbol: market, ...steps })
    : contracts(`${priceFolder}/${part === 'inverse' ? 'swap' : 'linear_swap'}_mark_price_kline`, {
        contract_code: market,
        ...steps,
      });
/** `BTC-USDT` of `BTC-USDT-260327`, `BTC-USD` of `BTC-USD` and of `BTC260327`. */
const indexOf = (market: string): string =>
  isDated(market) ? market.replace(/\d{6}$/, '-USD') : pairOf(market);
/** Its days begin at 16:00 UTC. */
const { '1d': _, ...basisWords } = words;
/** Rows of an answer. */
const basisRows = 2000;

/** Candles of the mark price and of the index of the pair: the newest rows, as neither takes a range. https://www.htx.com/en-us/opend */
const basisHistory = basis<Ask>({
  ...{ page: basisRows, most: basisRows },
  words: ({ part }) => (part === 'spot' ? null : basisWords),
  requests({ part, market, interval, now }, { limit, range }) {
    const behind = range === null ? 0 : Math.ceil((now - range.start) / intervals[interval]) + 1;
    const size = Math.min(basisRows, Math.max(limit, behind));
    const steps = { period: wordOf(words, interval), size };
    return [
      marks(part, market, steps),
      contracts(`${priceFolder}/index`, { symbol: indexOf(market), ...steps }),
    ];
  },
  ...{ rows: 'data', at: 'id', unit: 1000, close: 'close' },
});

export const histories = {
  basisHistory,
  longShort: {
    ...shares,
    /** The paths of v1, where the first page is empty. */
    more: (asked: SharesAsked, pages: readonly History<LongShortPoint>[]): readonly Ask[] =>
      pages.length === 1 && pages[0]?.points.length === 0 ? v1Ratio(asked) : [],
  },
  openInterestHistory,
  fundingHistory,
};
