/** The tables of OKX: spot, and perpetual swaps, linear and inverse in one list. https://www.okx.com/docs-v5/en */
import { asRow, at, bulk, list, positive, required, text, time, type WireRow } from '../../read.ts';
import type { Instrument } from '../../topics/index.ts';
import { listing } from '../listings.ts';
import { byId, joined, markets } from '../markets.ts';
import { type Facts, unlisted } from '../rows.ts';
import type { Cell, InterestTable, PriceTable } from '../tables.ts';
import { get } from './api.ts';

const unknown = required(undefined);

/** The parts of the id: `BTC-USDT` is spot, `BTC-USD-SWAP` a perpetual, any longer form is dated. */
function named(market: string): Pick<Facts, 'kind' | 'base' | 'quote'> | null {
  const [base, quote, type, ...more] = market.split('-');
  if (!base || !quote) return null;
  const kind = type === undefined ? 'spot' : 'perpetual';
  const isDated = more.length > 0 || (type !== undefined && type !== 'SWAP');
  return { kind: isDated ? 'other' : kind, base, quote };
}

function fromId(market: string): Instrument | null {
  const facts = named(market);
  return facts && unlisted(market, facts);
}

/**
 * `instCategory` 1 is crypto, 3 and above shares, metals, currencies; older answers have none.
 * `USD_UM` is a quote of the US venue and `xperp` a dated contract.
 */
const isTraded = (row: WireRow, quote: string): boolean =>
  row.state === 'live' &&
  row.ruleType !== 'xperp' &&
  quote !== 'USD_UM' &&
  (text(row.instCategory) || '1') === '1';

/** NaN when a contract that trades does not state its size; before its opening none does, and none is needed. */
function contractOf(row: WireRow): number {
  if (row.instType === 'SPOT') return 1;
  const known = row.ctType === 'linear' || row.ctType === 'inverse';
  const size = known ? positive(positive(row.ctVal) * positive(row.ctMult)) : unknown;
  return row.state === 'live' || size > 0 ? size : 1;
}

/** What a row of `instruments` says. */
function facts(row: WireRow, market: string): Omit<Facts, 'market'> | null {
  const found = named(market);
  return (
    found && {
      ...found,
      kind: isTraded(row, found.quote) ? found.kind : 'other',
      contract: contractOf(row),
      inverse: row.ctType === 'inverse',
    }
  );
}

const listOf = (instType: string) => get('/public/instruments', 'instruments', { instType });

export const instruments = {
  spot: listing({ requests: listOf('SPOT'), rows: 'data', id: 'instId', read: facts }),
  // Dated contracts are listed for the size of their liquidations only, so that swaps are served without them.
  swap: listing({
    requests: () => [listOf('SWAP'), { ...listOf('FUTURES'), optional: true as const }],
    rows([swaps, dated]) {
      const more = dated === undefined ? [] : list(at(dated, 'data'), 'data');
      return [...bulk(at(swaps, 'data'), 'data'), ...more];
    },
    id: 'instId',
    read: facts,
  }),
};

/** `volCcy24h` is quote on spot and base on swaps, both linear and inverse. */
const price: PriceTable = {
  last: 'last',
  open: 'open24h',
  bid: 'bidPx',
  ask: 'askPx',
  high: 'high24h',
  low: 'low24h',
  base: ({ vol24h, volCcy24h }, { kind }) => (kind === 'spot' ? vol24h : volCcy24h),
  quote: ({ volCcy24h, last }, { kind }) =>
    required(volCcy24h) * (kind === 'spot' ? 1 : positive(last)),
  untraded: 'vol24h',
};

/** Of spot pairs and of swaps. */
export const tickers = markets({ rows: 'data', id: 'instId', fromId, time: 'ts', price });

/** The fields of the lists beside the marks. An index has the id of its spot pair. */
export const indexOf = (market: string): string => market.replace('-SWAP', '');
export const rateFields = ['fundingRate', 'fundingTime', 'nextFundingTime'];

const hour = 3_600_000;

/** `fundingRate` is charged at `fundingTime`, the one after it at `nextFundingTime`. */
const derivative = {
  mark: 'markPx',
  index: 'idxPx',
  rate: 'fundingRate',
  hours: ({ fundingTime, nextFundingTime }: WireRow) =>
    (positive(nextFundingTime) - positive(time(fundingTime))) / hour,
  next: 'fundingTime',
} as const;

/** Base units of contracts, each worth `contract` base units, or US dollars where the market is inverse. */
const counted: Cell = ({ oi, markPx }, { contract, inverse }) =>
  (required(oi) * contract) / (inverse ? positive(markPx) : 1);

/** One side: `oiCcy` in base, `oi` in contracts. `oiUsd` is in dollars, not in the quote: used where no mark is known. */
const interest = {
  base: 'oiCcy',
  value: ({ oiUsd, markPx }) => (positive(markPx) > 0 ? unknown : oiUsd),
  mark: 'markPx',
  again: counted,
} satisfies InterestTable;

const swaps = { instType: 'SWAP' };
const markPrices = get('/public/mark-price', 'marks', swaps);
/** An index is asked by its quote. */
const indexRequests = ['USDT', 'USD', 'USDC'].map((quoteCcy) => ({
  ...get('/market/index-tickers', 'indices', { quoteCcy }),
  optional: true as const,
}));

/** The rows of all answers that are there, which may be empty but for one, by their id. */
function indicesIn(bodies: readonly unknown[]): ReadonlyMap<string, WireRow> {
  const rows = bodies.flatMap((body) =>
    body === undefined ? [] : list(at(body, 'data'), 'indices'),
  );
  if (bodies.some((body) => body !== undefined)) bulk(rows, 'indices');
  return new Map(rows.map(asRow).map((row) => [text(row.instId), row]));
}

/** Rates of every swap; marks are served without. */
export const derivatives = markets({
  rows: ([marks, funding, ...indices]) =>
    joined(
      bulk(at(marks, 'data'), 'marks'),
      'instId',
      { rows: byId(funding, 'data', 'instId'), take: rateFields },
      { rows: indicesIn(indices), take: ['idxPx'], idOf: indexOf },
    ),
  id: 'instId',
  fromId,
  time: 'ts',
  derivative,
}).poll(() => [
  markPrices,
  { ...get('/public/funding-rate', 'funding', { instId: 'ANY' }), optional: true as const },
  ...indexRequests,
]);

export const openInterest = markets({
  rows: ([body, marks]) =>
    joined(bulk(at(body, 'data'), 'open interest'), 'instId', {
      rows: byId(marks, 'data', 'instId'),
      take: ['markPx'],
    }),
  id: 'instId',
  fromId,
  time: 'ts',
  interest,
}).poll(() => [
  get('/public/open-interest', 'interest', swaps),
  { ...markPrices, optional: true as const },
]);

/** Swaps by stream, where every channel has some of the columns. The time of a mark is its own, under `marked`. */
export const swap = markets({
  id: 'instId',
  fromId,
  time: 'ts',
  price,
  derivative: { ...derivative, stated: 'marked' },
  interest,
});
