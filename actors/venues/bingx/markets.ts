/** The tables of BingX: spot, linear (in base) and inverse (in contracts) perpetuals. https://bingx-api.github.io/docs-v3 */
import { at, bulk, field, optional, positive, required, type WireRow } from '../../read.ts';
import { ticker as binanceTicker } from '../binance/form.ts';
import { byId, joined, type MarketForm, markets } from '../markets.ts';
import type { Facts } from '../rows.ts';
import { type InterestTable, sizeIn } from '../tables.ts';

export type Perpetuals = 'linear' | 'inverse';
export type PartName = 'spot' | Perpetuals;

/**
 * Whether a row is listed: 1 is online. 25 are contracts that take no new positions: those whose API is open are paused, as shares are
 * while their markets are closed, and have no ticker until they go on (2026-09).
 */
const isListed = ({ status, apiStateOpen, apiStateClose }: WireRow): boolean =>
  required(status) === 1 ||
  (required(status) === 25 && [apiStateOpen, apiStateClose].every((state) => state === 'true'));

/** The facts in an instrument list. Linear contracts are counted in base; `minTickSize` is the size of an inverse one in USD. */
export const factsOf =
  (part: PartName) =>
  (row: WireRow, market: string): Omit<Facts, 'market'> => {
    const [base = '', quote = ''] = market.split('-');
    const kind = part === 'spot' ? 'spot' : 'perpetual';
    const inverse = part === 'inverse';
    return {
      kind: isListed(row) ? kind : 'other',
      base,
      quote,
      contract: inverse ? positive(row.minTickSize) : 1,
      inverse,
    };
  };

/** Binance's ticker. The change is computed: `priceChangePercent` is rounded, and has a percent sign or not. */
const ticker = { ...binanceTicker, rows: 'data' } as const satisfies MarketForm;

export const tickers = {
  spot: markets(ticker),
  linear: markets(ticker),
  // `volume` is contracts; `quoteVolume` is base there.
  inverse: markets({
    ...ticker,
    price: { ...ticker.price, base: 'quoteVolume', quote: sizeIn('volume') },
  }),
};

/** `updateTime`, documented as that of the data, is the last settlement in the answers of 2026-09: a whole hour is no time of a row. */
const updated = ({ updateTime }: WireRow) =>
  (optional(updateTime) ?? 0) % 3_600_000 === 0 ? undefined : updateTime;

/** The running rate, charged at `nextFundingTime`; only linear markets state their hours. */
export const premiums = markets({
  rows: 'data',
  id: 'symbol',
  time: updated,
  derivative: {
    mark: 'markPrice',
    index: 'indexPrice',
    rate: 'lastFundingRate',
    hours: 'fundingIntervalHours',
    next: 'nextFundingTime',
  },
});

/** One row, in a list or not. */
function singleRow(body: unknown): unknown {
  const row = field(body, 'data');
  return Array.isArray(row) ? row[0] : row;
}

/**
 * One body a market; the marks, in bulk, go first. Linear markets state a value in quote (base by the documentation, quote by the
 * size of the numbers), inverse ones base. That it is one side is not stated.
 */
const interestOf = (interest: InterestTable) =>
  markets({
    rows([marks, ...bodies]) {
      const rows = bodies.filter((body) => body !== undefined).map(singleRow);
      return joined(rows, 'symbol', {
        rows: byId(bulk(at(marks, 'data'), 'marks'), '', 'symbol'),
        take: ['markPrice'],
      });
    },
    id: 'symbol',
    time: (row) => row.time ?? row.timestamp,
    interest,
  });

export const interest = {
  linear: interestOf({ value: 'openInterest', mark: 'markPrice' }),
  inverse: interestOf({ base: 'openInterest', mark: 'markPrice' }),
};
