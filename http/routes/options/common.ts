/** What the rows of options share. */
import * as s from '../../../actors/topics/schema.ts';
import { dateOf } from '../../../indicators/market/days.ts';
import {
  type Expiry,
  expiriesOf,
  type ListedOption,
  type OptionRow,
} from '../../../indicators/options/chain.ts';
import type { Param } from '../../endpoints/route.ts';
import type { FoundOptions, OptionsView } from '../../views/options.ts';
import { type ApiError, apiError, isApiError } from '../../wire/errors.ts';
import { assetOf, symbolOrBitcoin } from '../analytics/common.ts';
import type { RoutesContext } from '../context.ts';
import * as params from '../params.ts';

export const common = {
  method: 'GET',
  group: 'Options',
  access: 'key',
  fails: ['upstream_failed'],
} as const;

/** The view, and the exchanges that it may have. */
export type OptionsContext = Pick<RoutesContext, 'options'> & { ids: readonly string[] };
/** With what is recorded of the days before. */
export type RecordedOptionsContext = OptionsContext & Pick<RoutesContext, 'recorded'>;

/** Parameters of an answer about one asset. */
export const chainParams = (ids: readonly string[]) => ({
  symbol: symbolOrBitcoin,
  exchange: { ...params.exchange(ids), description: 'Exchange id. All of them when absent.' },
});

export const expiryParam = {
  type: 'string',
  maxLength: 10,
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'Day of expiry, `YYYY-MM-DD`.',
  example: '2026-12-25',
} as const satisfies Param;

/** Which chain is asked for. */
export interface ChainQuery {
  symbol: string;
  exchange?: string | undefined;
  expiry?: string | undefined;
}

export const variantOf = ({ symbol, exchange = '', expiry = '' }: ChainQuery): string =>
  `${assetOf(symbol)} ${exchange} ${expiry}`;

/** Fields of where an answer is from. */
export const origin = {
  exchanges: s.list(
    s.string(),
    'Exchanges with these options; all of them also where `exchange` chooses one.',
  ),
  failed_exchanges: s.list(
    s.string(),
    'Exchanges of which a list of options is missing or older than three minutes.',
  ),
  updated_at: s.unixMs('When the newest list was received, Unix ms.'),
  stale: s.optional(
    s.literal(true, 'No exchange answers at present: these are the last lists. Absent otherwise.'),
  ),
};

export const originOf = ({ exchanges, failed, received, stale }: FoundOptions) => ({
  exchanges,
  failed_exchanges: failed,
  updated_at: received,
  ...(stale && { stale }),
});

/** Fields at the head of an answer about one asset. */
export const headFields = {
  symbol: s.string('Base asset.'),
  underlying_price: s.number('Forward price of the nearest expiry, US dollars.'),
  ...origin,
};

/** Fields that name an expiry. */
export const expiryFields = {
  expiry: s.unixMs('Unix ms.'),
  date: s.string('Its day, UTC.'),
  days_to_expiry: s.number('Days, with their fraction.'),
};

export const expiryOf = ({ expiry, years }: Expiry) => ({
  expiry,
  date: dateOf(expiry),
  days_to_expiry: years * 365,
});

/** The options on an asset by expiry, soonest first, of which there is at least one. */
export interface AssetChain {
  head: s.Static<s.TObject<typeof headFields>>;
  expiries: readonly Expiry<ListedOption>[];
  /** Unix ms. */
  now: number;
}

/** The options that a query asks for, or why there are none. */
export function chainOf(
  view: OptionsView,
  { symbol, exchange }: ChainQuery,
): AssetChain | ApiError {
  const asset = symbol.toUpperCase();
  const found = view.find({ symbol: asset, exchange });
  if (isApiError(found)) return found;
  const { now } = view;
  const expiries = expiriesOf(found.rows, now);
  const underlying_price = expiries[0]?.forward ?? 0;
  return { head: { symbol: asset, underlying_price, ...originOf(found) }, expiries, now };
}

/** The expiry of a day; a bad parameter where nothing expires on it. */
export function expiryOn({ expiries }: AssetChain, date: string): Expiry<ListedOption> | ApiError {
  const found = expiries.find(({ expiry }) => dateOf(expiry) === date);
  const dates = expiries.map(({ expiry }) => dateOf(expiry)).join(', ');
  return found ?? apiError('bad_parameter', `expiry must be one of ${dates}`);
}

/** By strike, then call before put, then by exchange and id. */
export const byStrike = (a: ListedOption, b: ListedOption): number =>
  a.strike - b.strike ||
  (a.type < b.type ? -1 : a.type > b.type ? 1 : 0) ||
  (a.exchange + a.market < b.exchange + b.market ? -1 : 1);

export const strike = s.number('US dollars.');
export const instrument_count = s.integer('Options that are listed.');

/** What an option is called, and its terms. */
export const optionFields = {
  exchange: s.exchange,
  instrument: s.string("The exchange's own id."),
  expiry: s.unixMs('Unix ms.'),
  strike,
  type: s.oneOf(['call', 'put'], 'Right to buy, or to sell.'),
  settlement_currency: s.string('The base asset, or USDC.'),
};

export const termsOf = ({ exchange, market, expiry, strike, type, settle }: ListedOption) => ({
  ...{ exchange, instrument: market, expiry, strike, type, settlement_currency: settle },
});

/** A price in base units at the forward; null without one. */
export const inBase = (price: number | null, { underlying }: OptionRow): number | null =>
  price === null ? null : price / underlying;
