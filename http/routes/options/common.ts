/** Parts of the rows of options. */
import { dateOf } from '../../../indicators/market/days.ts';
import * as chains from '../../../indicators/options/chain.ts';
import type { FoundOptions, OptionsView } from '../../views/options.ts';
import { apiError, isApiError, kit, params, s } from '../kit.ts';

export const common = { fails: ['upstream_failed'] } as const;

/** The view, and the exchanges that it may have. */
export type OptionsContext = kit.Needs<'options'> & { ids: readonly string[] };
/** With what is recorded of the days before. */
export type RecordedOptionsContext = OptionsContext & kit.Needs<'recorded'>;

/** Parameters of an answer about one asset. */
export const chainParams = ({ options, ids }: OptionsContext) => ({
  symbol: {
    ...params.symbolOrBitcoin,
    resolve({ symbol, exchange }: kit.CheckedValues) {
      const chain = chainOf(options, {
        symbol: String(symbol),
        exchange: exchange === undefined ? exchange : String(exchange),
      });
      return isApiError(chain) ? chain : { chain };
    },
  },
  exchange: params.exchange(ids, 'All of them when absent.'),
});

/** A day of expiry. */
export const expiryParam = (description: string) =>
  ({
    type: 'string',
    maxLength: 10,
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    description,
    example: '2026-12-25',
  }) as const satisfies kit.Param;

/** Fields of where an answer is from. */
export const origin = {
  exchanges: s.list(s.string(), 'All with these options, also where `exchange` chooses one.'),
  failed_exchanges: s.list(s.string(), 'Exchanges whose list is missing or over 3 minutes old.'),
  updated_at: s.unixMs('When the newest list was received.'),
  stale: s.optional(s.literal(true, 'No exchange answers: these are the last lists.')),
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

/** Columns that name an expiry. */
export const expiryCells = {
  expiry: s.unixMs(),
  date: [s.string('Its day, UTC.'), ({ expiry }: chains.Expiry) => dateOf(expiry)],
  days_to_expiry: [
    s.number('Days with their fraction.'),
    ({ years }: { years: number }) => years * 365,
  ],
} as const;

/** The options on an asset by expiry, soonest first, of which there is at least one. */
export interface AssetChain {
  head: s.Static<s.TObject<typeof headFields>>;
  expiries: readonly chains.Expiry<chains.ListedOption>[];
  /** Unix ms. */
  now: number;
}

/** Which chain is asked for. */
interface ChainQuery {
  symbol: string;
  exchange?: string | undefined;
}

/** The options that a query asks for, or why there are none. */
function chainOf(view: OptionsView, { symbol, exchange }: ChainQuery): AssetChain | kit.ApiError {
  const asset = symbol.toUpperCase();
  const found = view.find({ symbol: asset, exchange });
  if (isApiError(found)) return found;
  const { now } = view.source;
  const expiries = chains.expiriesOf(found.rows, now);
  const underlying_price = expiries[0]?.forward ?? 0;
  return { head: { symbol: asset, underlying_price, ...originOf(found) }, expiries, now };
}

type ChainParams = ReturnType<typeof chainParams> & { expiry?: ReturnType<typeof expiryParam> };

/** A row about the options on one asset, which may be about one expiry; `build` gives the fields behind the head. */
export const chainDocument = <P extends s.TProperties>(
  context: OptionsContext,
  {
    expiry,
    fields,
    build,
    ...row
  }: Pick<kit.Route, 'path' | 'summary' | 'list'> & {
    /** Description of the parameter `expiry`; there is none when absent. */
    expiry?: string;
    fields: P;
    build(
      chain: AssetChain,
      only: chains.Expiry<chains.ListedOption> | null,
    ): s.Static<s.TObject<P>>;
  },
) =>
  kit.document<ChainParams, s.TSchema>({
    ...common,
    ...row,
    params: {
      ...chainParams(context),
      ...(expiry !== undefined && { expiry: expiryParam(expiry) }),
    },
    answer: s.object({ ...headFields, ...fields }),
    source: context.options.source,
    build({ chain, expiry: date }) {
      const only = date === undefined ? null : expiryOn(chain, date);
      return only !== null && isApiError(only) ? only : { ...chain.head, ...build(chain, only) };
    },
  });

/** The expiry of a day; a bad parameter where nothing expires on it. */
export function expiryOn(
  { expiries }: AssetChain,
  date: string,
): chains.Expiry<chains.ListedOption> | kit.ApiError {
  const found = expiries.find(({ expiry }) => dateOf(expiry) === date);
  const dates = expiries.map(({ expiry }) => dateOf(expiry)).join(', ');
  return found ?? apiError('bad_parameter', `expiry must be one of ${dates}`);
}

/** By strike, then call before put, then by exchange and id. */
export const byStrike = (a: chains.ListedOption, b: chains.ListedOption): number =>
  a.strike - b.strike ||
  (a.type < b.type ? -1 : a.type > b.type ? 1 : 0) ||
  (a.exchange + a.market < b.exchange + b.market ? -1 : 1);

/** Columns of the open interest of calls and puts. */
export const sideCells = {
  call_oi_base: [s.number('One side.'), 'calls'],
  put_oi_base: [s.number('One side.'), 'puts'],
} as const;

export const strike = s.number('US dollars.');
export const instrument_count = s.integer('Options that are listed.');

/** Columns with what an option is called, and its terms. */
export const optionCells = {
  exchange: s.exchange,
  instrument: [s.ownId, 'market'],
  expiry: s.unixMs(),
  strike,
  type: s.oneOf(['call', 'put'], 'Right to buy, or to sell.'),
  settlement_currency: [s.string('The base asset, or USDC.'), 'settle'],
} as const;

/** A price in base units at the forward; null without one. */
export const inBase = (price: number | null, { underlying }: chains.OptionRow): number | null =>
  price === null ? null : price / underlying;
