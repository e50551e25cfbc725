/** ccxt as the second reader of recorded answers; it never touches the network. */
import type { Exchange } from 'ccxt';

type Endpoint = (params?: Record<string, unknown>) => Promise<unknown>;

/**
 * The library with some of its endpoints (`publicGetTickers`) answered from here, its markets read from
 * them.
 */
export async function replay(
  venue: 'deribit' | 'bitfinex' | 'cryptocom',
  endpoints: Readonly<Record<string, Endpoint>>,
): Promise<Exchange> {
  const { default: ccxt } = await import('ccxt');
  const exchange: Exchange = new ccxt[venue]();
  Object.assign(exchange, endpoints);
  exchange.setMarkets(await exchange.fetchMarkets());
  return exchange;
}
