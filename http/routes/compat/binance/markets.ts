/** The markets of Binance in its own terms. */
import type { Instrument } from '../../../../actors/topics/index.ts';
import { apiError, isApiError, type kit, warmingUp } from '../../kit.ts';
import { decimal, decimalOrNull, exchange } from './form.ts';

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

  /** The asset of a market, by which its changes are announced; none of no market. */
  assetOf(id: string | undefined): string[] {
    const found = id === undefined ? undefined : this.all().get(id);
    return found ? [found.instrument.symbol] : [];
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

export const symbol = {
  type: 'string',
  required: true,
  maxLength: 64,
  description: "The exchange's own id of the market, in upper case.",
  example: 'BTCUSDT',
} as const satisfies kit.Param;

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
