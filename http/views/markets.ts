/** The one resolver of what clients call a market. */

import type { Instrument, PriceRow } from '../../actors/topics/index.ts';
import { sameCoin } from '../../config/assets/resolve.ts';
import { symbolsOfTicker } from '../../config/assets/symbols.ts';
import * as marketNames from '../../indicators/market/market-names.ts';
import { type ApiError, apiError } from '../wire/errors.ts';

/** A market of an exchange. */
export type Market = Pick<marketNames.NamedMarket, 'market' | 'kind' | 'symbol' | 'quote'>;

/** The views that the resolver needs. */
export interface MarketSources {
  instruments: { names(exchange: string): marketNames.MarketNames<Instrument> | undefined };
  prices: { marketFor(exchange: string, symbol: string, kind?: PriceRow['kind']): PriceRow | null };
}

/** Which markets may be meant, and the exchanges in the order in which they are looked at. */
interface Wanted {
  kind?: PriceRow['kind'] | undefined;
  exchanges: readonly string[];
}

/**
 * The base assets that a name can mean, in upper case: itself, the base of a pair, and what that means by the table of assets: XBT is
 * BTC, MATIC is POL, and TSLA, which is no coin, TSLA.STOCK.
 */
export const meaningsOf = (name: string): readonly string[] => {
  const own = name.toUpperCase();
  const base = marketNames.baseOf(marketNames.readName(own));
  return [...new Set([own, base, sameCoin(base), ...symbolsOfTicker(base)])];
};

/**
 * The base asset that a name means in an answer that is by asset: the first of its meanings that the answer has. Unlike `resolve` it
 * looks at what is answered, not at the markets of an exchange.
 */
export function assetAmong(has: (symbol: string) => boolean, name: string): string {
  const own = name.toUpperCase();
  return has(own)
    ? own
    : (meaningsOf(own).find(has) ?? marketNames.baseOf(marketNames.readName(own)));
}

/** Finds markets by the names that clients give them. */
export class Markets {
  readonly #sources: MarketSources;

  constructor(sources: MarketSources) {
    this.#sources = sources;
  }

  /**
   * The market that a name means on one exchange, in this order: its own symbol; a pair (`BTC/USDT`, `BTC/USDT:USDT`,
   * `BTC-USDT`, `BTC_USDT`, `BTCUSDT`, in any letter case); a base asset, which stands for its most traded dollar
   * market, spot first, and may be written as elsewhere or as before (XBT, MATIC). Null where no list has such a market. For answers about this very market: a pair in a quote that
   * the exchange lacks is unknown, which `resolve` takes for its base asset.
   */
  find(exchange: string, name: string, kind?: PriceRow['kind']): Market | null {
    return this.#find(exchange, name, { kind, anyQuote: false });
  }

  /**
   * The market that stands for a name in answers about an asset: that of `find`, where a pair in another quote than those of
   * the exchange stands for its base asset, on the first of the exchanges that has one; a ticker that no coin has there stands for what is no coin. The answer names the exchange; the error does, and the
   * nearest market, where there is one exchange only; before the markets of any of them are known it is `warming_up`.
   */
  resolve(name: string, { kind, exchanges }: Wanted): (Market & { exchange: string }) | ApiError {
    for (const word of [name, ...symbolsOfTicker(name.toUpperCase())])
      for (const exchange of exchanges) {
        const found = this.#find(exchange, word, { kind, anyQuote: true });
        if (found) return { ...found, exchange };
      }
    const { instruments } = this.#sources;
    if (exchanges.every((exchange) => instruments.names(exchange) === undefined)) {
      return apiError('warming_up', `the markets of ${exchanges.join(', ')} are not known yet`);
    }
    const [only, ...others] = exchanges;
    return only !== undefined && others.length === 0
      ? this.unknown(only, name)
      : apiError('unknown_symbol', `unknown symbol '${name}'`);
  }

  /**
   * The market to ask the exchange for: that of `find`, else the name itself, which a newer list may hold. What the exchange
   * then says of it is to be `explained`.
   */
  asked(
    exchange: string,
    name: string,
    kind?: PriceRow['kind'],
  ): { market: string; kind: PriceRow['kind'] | undefined } {
    const found = this.find(exchange, name, kind);
    if (found === null) return { market: name, kind };
    return {
      market: found.market,
      kind: marketNames.isFollowedKind(found.kind) ? found.kind : undefined,
    };
  }

  /** The error for a name that no market of the exchange has; it states the nearest one. */
  unknown(exchange: string, name: string): ApiError {
    const nearest = this.#sources.instruments.names(exchange)?.nearest(name);
    const hint = nearest ? `: the nearest is ${nearest.name ?? nearest.market}` : '';
    return apiError('unknown_symbol', `unknown symbol '${name}' for ${exchange}${hint}`);
  }

  /** The error of a query about a market, with the nearest name where the exchange does not know it. */
  explained(exchange: string, name: string): (error: ApiError) => ApiError {
    return (error) => (error.error === 'unknown_symbol' ? this.unknown(exchange, name) : error);
  }

  #find(
    exchange: string,
    name: string,
    { kind, anyQuote }: { kind: PriceRow['kind'] | undefined; anyQuote: boolean },
  ): Market | null {
    const named = this.#sources.instruments.names(exchange)?.named(name, kind);
    if (named) return named;
    const parts = marketNames.readName(name);
    const { word, quote, contract } = parts;
    if (contract && kind === 'spot') return null;
    const asked = contract ? 'perpetual' : kind;
    const found = quote === undefined ? this.#ofAsset(exchange, word, asked) : null;
    return found ?? (anyQuote ? this.#ofAsset(exchange, marketNames.baseOf(parts), asked) : null);
  }

  #ofAsset(exchange: string, symbol: string, kind: PriceRow['kind'] | undefined): Market | null {
    const { instruments, prices } = this.#sources;
    const usual = sameCoin(symbol);
    return (
      prices.marketFor(exchange, symbol, kind) ??
      instruments.names(exchange)?.ofAsset(symbol, kind) ??
      (usual === symbol ? null : this.#ofAsset(exchange, usual, kind))
    );
  }
}
