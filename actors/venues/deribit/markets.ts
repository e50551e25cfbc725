/** The tables of Deribit: instruments and book summaries. https://docs.deribit.com */
import { minute } from '../../../config/time.ts';
import { at, bulk, list, positive, required, text, time, type WireRow } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Instrument } from '../../topics/index.ts';
import type { Faults } from '../../upstream/faults.ts';
import { codesOf, getter } from '../apis.ts';
import { numberOr } from '../cells.ts';
import { listing } from '../listings.ts';
import { type MarketForm, markets } from '../markets.ts';
import type { Cell } from '../tables.ts';

/** JSON-RPC errors, with HTTP 400 as a rule; the code decides. https://docs.deribit.com/#rpc-error-codes */
const faults: Faults = {
  name: 'Deribit',
  at: 'error.code',
  type: 'number',
  codes: codesOf(
    ['unknown_instrument', 10020, 13020],
    ['rate_limited', 10028, 10047],
    ['unavailable', 10040, 10041, 11051, 11094],
  ),
  message: 'error.data.param',
  patterns: [
    // "Invalid params": of all parameters only the instrument is a client's.
    { code: /^-32602$/, text: /^instrument_name$/, means: 'unknown_instrument' },
  ],
};

const unknown = required(undefined);

const hosts = ['https://www.deribit.com'] as const;

export const apis = {
  rest: {
    hosts,
    budgets: {
      // 500 credits a call, 10,000 of them a second, three of the twenty calls for `options`; instruments: a burst of 5,
      // then one in 10 s.
      default: { weight: 17, per: 1000 },
      instruments: { weight: 5, per: 50_000 },
    },
    faults,
    maxBody: 16 * 2 ** 20,
  },
  // By itself, so that failing lists of options open no breaker of the prices.
  options: { hosts, budgets: { default: { weight: 3, per: 1000 } }, faults, maxBody: 16 * 2 ** 20 },
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;

export const get = getter<RequestOf<typeof apis, 'rest'>>('rest', '/api/v2/public/');
export const getOptions = getter<RequestOf<typeof apis, 'options'>>('options', '/api/v2/public/');

/** Linear perpetuals settle in USDC, inverse ones in their coin. */
export type PartName = 'spot' | 'linear' | 'inverse';

/** Rows of all bodies; one currency may have none, all of them may not. */
const rows = (bodies: readonly unknown[]): readonly unknown[] =>
  bulk(
    bodies.flatMap((body) => list(at(body, 'result'), 'result')),
    'result',
  );

const kindIn = (part: PartName): string => (part === 'spot' ? 'spot' : 'future');

const closed: ReadonlySet<unknown> = new Set(['halted', 'closed', 'inactive', 'terminated']);

function kindOf(row: WireRow, part: PartName): Instrument['kind'] {
  if (row.is_active !== true || closed.has(row.state)) return 'other';
  if (part === 'spot') return 'spot';
  if ((text(row.kind) || 'future') !== 'future') return 'other';
  return row.settlement_period === 'perpetual' ? 'perpetual' : 'future';
}

const instrumentsOf = (part: PartName, ...currencies: readonly string[]) =>
  listing({
    venue: 'deribit',
    requests: () =>
      currencies.map((currency) =>
        get('get_instruments', { currency, kind: kindIn(part), expired: 'false' }, 'instruments'),
      ),
    rows,
    id: 'instrument_name',
    read: (row) => ({
      kind: kindOf(row, part),
      base: text(row.base_currency),
      // `quote_currency` of an option is that of its premium.
      quote: text(row.counter_currency),
      contract: 1,
      inverse: part === 'inverse',
      expiry: time(row.expiration_timestamp),
    }),
    tick: 'tick_size',
  });

export const instruments = {
  spot: instrumentsOf('spot', 'any'),
  linear: instrumentsOf('linear', 'USDC'),
  inverse: instrumentsOf('inverse', 'BTC', 'ETH'),
};

/** `volume_notional`, and `volume_usd` in its place in older answers. */
const turnoverIn = ({ volume_notional, volume_usd, volume, last }: WireRow): number =>
  numberOr(volume_notional, numberOr(volume_usd, required(volume) * positive(last)));

/** `volume` is in base, of inverse contracts too. */
const summary = {
  rows,
  id: 'instrument_name',
  time: 'creation_timestamp',
  price: {
    last: 'last',
    bid: 'bid_price',
    ask: 'ask_price',
    high: 'high',
    low: 'low',
    base: 'volume',
    quote: turnoverIn,
    percent: 'price_change',
    untraded: 'volume',
  },
} as const satisfies MarketForm;

/** The delivery price is the mean of the index over the last half hour. https://www.deribit.com/kb/settlement */
const settlesFor = 30 * minute;
const indexIn: Cell = ({ estimated_delivery_price }, { expiry = Infinity }, { received }) =>
  expiry - received > settlesFor ? estimated_delivery_price : unknown;

const withRates = {
  ...summary,
  // The rate is per 8 hours and accrues all the time, so that there is no next funding. The estimated delivery price is the
  // index until the delivery begins.
  derivative: {
    mark: 'mark_price',
    index: indexIn,
    rate: 'current_funding',
    hours: () => 8,
  },
  // One side: US dollars on inverse contracts, base on linear ones.
  interest: { contracts: 'open_interest', mark: 'mark_price' },
} as const satisfies MarketForm;

export const tickers = {
  spot: markets(summary),
  linear: markets({ ...withRates, dated: true }),
  inverse: markets({ ...withRates, dated: true }),
};

const summaries =
  (part: PartName, ...currencies: readonly string[]) =>
  () =>
    currencies.map((currency) =>
      get('get_book_summary_by_currency', { currency, kind: kindIn(part) }),
    );

// Whether a pair is listed under its base, its quote or both is not documented.
const pairs = tickers.spot.poll(summaries('spot', 'USDC', 'USDT', 'BTC', 'ETH'));

/** Each pair once, of those that are listed under both of their currencies. */
export const spotPrices = {
  ...pairs,
  parse(bodies, context) {
    const { rows: found, dropped } = pairs.parse(bodies, context).prices;
    const once = new Map(found.map((row) => [row.market, row]));
    return { prices: { rows: [...once.values()], dropped } };
  },
} satisfies typeof pairs;

export const contracts = {
  linear: tickers.linear.poll(summaries('linear', 'USDC')),
  inverse: tickers.inverse.poll(summaries('inverse', 'BTC', 'ETH')),
};
