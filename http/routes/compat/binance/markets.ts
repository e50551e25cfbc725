/** The markets of Binance in its own terms. */

import type { ListedRow } from '../../../../actors/topics/changing-reading.ts';
import type { Instrument } from '../../../../actors/topics/index.ts';
import { jsonText } from '../../../answers/json.ts';
import type { Dated, MarketRows } from '../../../views/market-rows.ts';
import { apiError, isApiError, kit, s, warmingUp } from '../../kit.ts';
import { decimal, decimalOrNull, exchange, form } from './form.ts';

export type Context = Pick<
  kit.RoutesContext,
  'instruments' | 'priceRows' | 'fundingRows' | 'interestRows' | 'markets' | 'clock'
>;

/** One of its APIs, and what it has the markets of. */
export interface Api {
  /** The path under which its own paths stand. */
  at: string;
  part: 'spot' | 'linear';
  kind: 'spot' | 'perpetual';
}

export const spot: Api = { at: '/compat/binance/api/v3', part: 'spot', kind: 'spot' };
export const contracts: Api = { at: '/compat/binance/fapi/v1', part: 'linear', kind: 'perpetual' };

/** Spot writes all prices and quantities with eight digits. */
const spotDigits = 8;

/** A market that is followed, with how its numbers are written. */
export class Listed {
  readonly instrument: Instrument;
  readonly #digits: { price?: number; quantity?: number };

  constructor(instrument: Instrument) {
    this.instrument = instrument;
    const isSpot = instrument.kind === 'spot';
    const eight = { price: spotDigits, quantity: spotDigits };
    this.#digits = isSpot ? eight : (instrument.decimals ?? {});
  }

  get id(): string {
    return this.instrument.market;
  }

  /** A price of one canonical unit in the exchange's own. */
  price(value: number | null, digits = this.#digits.price): string | null {
    return decimalOrNull(value === null ? null : value * this.instrument.scale, digits);
  }

  /** Canonical units in the exchange's own. */
  quantity(value: number | null): string | null {
    const { scale } = this.instrument;
    return decimalOrNull(value === null ? null : value / scale, this.#digits.quantity);
  }

  /** A level of a book. */
  level({ price, quantity }: { price: number; quantity: number }): [string, string] {
    const { scale } = this.instrument;
    const { price: digits, quantity: lot } = this.#digits;
    return [decimal(price * scale, digits), decimal(quantity / scale, lot)];
  }
}

const isFollowed = ({ kind, inverse }: Instrument, api: Api): boolean =>
  kind === api.kind && !inverse;

/** The markets of an API by their ids, made again after a new list. */
export class Listing {
  readonly #context: Pick<Context, 'instruments'>;
  readonly #api: Api;
  #all: ReadonlyMap<string, Listed> | null = null;

  constructor(context: Pick<Context, 'instruments'>, api: Api) {
    this.#context = context;
    this.#api = api;
    context.instruments.source.listen(undefined, () => {
      this.#all = null;
    });
  }

  all(): ReadonlyMap<string, Listed> {
    this.#all ??= new Map(
      this.#context.instruments
        .of(exchange)
        .filter((one) => isFollowed(one, this.#api))
        .map((one) => [one.market, new Listed(one)]),
    );
    return this.#all;
  }

  /** The market with this id; the error where there is none. */
  one(id: string): Listed | kit.ApiError {
    const all = this.all();
    if (all.size === 0) return warmingUp;
    return all.get(id) ?? apiError('unknown_symbol', `unknown symbol '${id}'`);
  }

  /** The markets of a list as clients write it: `["BTCUSDT","ETHUSDT"]`. */
  several(list: string): readonly Listed[] | kit.ApiError {
    const found = list
      .replaceAll(/[[\]"\s]/g, '')
      .split(',')
      .map((id) => this.one(id));
    const error = found.find((one): one is kit.ApiError => isApiError(one));
    return error ?? found.filter((one): one is Listed => !isApiError(one));
  }
}

const symbol = {
  type: 'string',
  required: true,
  maxLength: 64,
  description: "The exchange's own id of the market, in upper case.",
  example: 'BTCUSDT',
} as const satisfies kit.Param;
/** One market, by the parameter of this name: `listed`. */
export const marketOf = (listing: Listing, name = 'symbol') => ({
  ...symbol,
  resolve({ [name]: id }: kit.CheckedValues) {
    const listed = listing.one(String(id));
    return isApiError(listed) ? listed : { listed };
  },
});

export const anySymbol = {
  type: 'string',
  maxLength: 64,
  description: "The exchange's own id of one market, in upper case; all markets when absent.",
  example: 'BTCUSDT',
} as const satisfies kit.Param;

export const symbols = {
  type: 'string',
  maxLength: 3_300,
  description: 'Several markets as a JSON list: `["BTCUSDT","ETHUSDT"]`.',
} as const satisfies kit.Param;

/** One market, several where the API is asked so, or all: `listed`. */
export const marketsOf = (listing: Listing, { part }: Api) => ({
  symbol: {
    ...anySymbol,
    resolve({ symbol: id, symbols: list }: kit.CheckedValues) {
      const wanted = id ?? list;
      const listed =
        wanted === undefined ? [...listing.all().values()] : listing.several(String(wanted));
      return isApiError(listed) ? listed : { listed };
    },
  },
  ...(part === 'spot' && { symbols }),
});

/** Ready answers: that of all markets is about 500 kB. */
const bound = { entries: 2_000, bytes: 8 * 2 ** 20 };

export const oneOrAll = (one: s.TSchema): s.TSchema =>
  s.either(one, s.list(one), 'A list unless `symbol` names one market.');

/** Declares a row with what `read` makes of the newest rows of one market, of several, or of all. */
export function newest<Row extends ListedRow>(
  { rows, listing, api }: { rows: MarketRows<Row>; listing: Listing; api: Api },
  {
    answer,
    what,
    read,
    ...place
  }: Pick<kit.Route, 'path' | 'summary'> & {
    /** Of one market. */
    answer: s.TSchema;
    /** What a row states: `price`. */
    what: string;
    read(row: Dated<Row>, listed: Listed): object;
  },
): kit.Route {
  return kit.document<ReturnType<typeof marketsOf>, s.TSchema>({
    ...place,
    noEnvelope: form,
    params: marketsOf(listing, api),
    answer: oneOrAll(answer),
    source: rows.source,
    bound,
    keysOf({ symbol: name, listed }) {
      const assets = name === undefined ? [] : listed.map(({ instrument }) => instrument.symbol);
      return rows.keysOf(exchange, assets);
    },
    build({ symbol: name, listed }) {
      const found = listed.flatMap((one) => {
        const row = rows.one(exchange, api.part, one.id);
        return row === null ? [] : [{ made: read(row, one), received: row.received }];
      });
      const received = found.reduce((at, one) => Math.max(at, one.received), 0);
      const [first] = found;
      if (name === undefined)
        return first
          ? jsonText(
              found.map(({ made }) => made),
              received,
            )
          : null;
      if (first) return jsonText(first.made, received);
      return apiError('warming_up', `${name} has no ${what} at present`);
    },
  });
}
