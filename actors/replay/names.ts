/** How Tardis names exchanges and symbols. https://docs.tardis.dev/downloadable-csv-files */
import type { Venue } from '../sources/venue.ts';
import type { Instrument } from '../topics/index.ts';

/** By exchange and part, where the name does not follow the rule: the id of spot, and that with `-futures` of everything else. */
const names: Readonly<Record<string, string>> = {
  'binance/inverse': 'binance-delivery',
  'okx/spot': 'okex',
  'okx/swap': 'okex-swap',
  'bybit/spot': 'bybit-spot',
  'bybit/linear': 'bybit',
  'bybit/inverse': 'bybit',
  'gate/spot': 'gate-io',
  'gate/usdt': 'gate-io-futures',
  'gate/btc': 'gate-io-futures',
  'gate/usd1': 'gate-io-futures',
  'kraken/futures': 'cryptofacilities',
  'coinbase/perpetual': 'coinbase-international',
  'htx/spot': 'huobi',
  'htx/linear': 'huobi-dm-linear-swap',
  'htx/inverse': 'huobi-dm-swap',
  'hyperliquid/spot': 'hyperliquid',
  'hyperliquid/perp': 'hyperliquid',
  'hyperliquid/builders': 'hyperliquid',
  'dydx/perp': 'dydx-v4',
  'deribit/spot': 'deribit',
  'deribit/linear': 'deribit',
  'deribit/inverse': 'deribit',
  'phemex/spot': 'phemex',
  'phemex/linear': 'phemex',
  'phemex/inverse': 'phemex',
  'woo/spot': 'woo-x',
  'woo/perp': 'woo-x',
  'lighter/all': 'lighter',
  'cryptocom/all': 'crypto-com',
  'bitstamp/markets': 'bitstamp',
};

/** The name of the exchange of a market, such as `binance-futures`. */
export function exchangeName(source: string, part: string, { kind }: Pick<Instrument, 'kind'>) {
  const known = names[`${source}/${part}`];
  if (known !== undefined) return known;
  if (source === 'bitfinex') return kind === 'spot' ? source : 'bitfinex-derivatives';
  return kind === 'spot' ? source : `${source}-futures`;
}

/** Whether a part of an exchange has markets of the exchange of this name: `binance-futures` is no part of spot markets. */
export const isNamed = (
  { id, kinds }: { id: string; kinds: readonly Instrument['kind'][] },
  part: string,
  name: string,
): boolean =>
  kinds.some(
    (kind) => (kind === 'spot' || part !== 'spot') && exchangeName(id, part, { kind }) === name,
  );

/** The exchange that a name of ours or of Tardis is about, and its parts of that name; null for another name. */
export function venueNamed(
  venues: readonly Venue[],
  name: string,
): { venue: Venue; parts: ReadonlySet<string> } | null {
  for (const venue of venues) {
    const parts = venue.parts.filter((part) => venue.id === name || isNamed(venue, part, name));
    if (parts.length > 0) return { venue, parts: new Set(parts) };
  }
  return null;
}

/** The name of a market in files. */
export const symbolName = (market: string): string => market.toUpperCase().replaceAll(/[/:]/g, '-');
