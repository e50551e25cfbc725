import type { Exchange } from 'ccxt';

type Params = Readonly<Record<string, unknown>>;

/** The library with every request answered by `answer`, its markets loaded from there; it never touches the network. */
export async function replayed(
  venue: 'bybit' | 'bitget' | 'gate' | 'bingx',
  answer: (path: string, params: Params) => unknown,
): Promise<Exchange> {
  const { default: ccxt } = await import('ccxt');
  const exchange: Exchange = new ccxt[venue]();
  const request = async (path: string, _api: string, _method: string, params: Params = {}) =>
    structuredClone(answer(path, params));
  Object.assign(exchange, { request });
  exchange.setMarkets(await exchange.fetchMarkets());
  return exchange;
}
