/** The resolver of market names over given instruments. */
import type { Instrument } from '../../actors/topics/index.ts';
import { InstrumentsView } from '../../http/views/instruments.ts';
import { Markets } from '../../http/views/markets.ts';
import { PricesView } from '../../http/views/prices.ts';

/** Views of instruments and prices of one part of each exchange, with the resolver over them. */
export function listedMarkets(lists: Readonly<Record<string, Instrument[]>>) {
  const instruments = new InstrumentsView();
  const prices = new PricesView();
  for (const [source, rows] of Object.entries(lists)) {
    instruments.accept({ source, part: 'all', asked: 1, received: 1, rows });
  }
  return { instruments, prices, markets: new Markets({ instruments, prices }) };
}

/** A market of BTC against USDT. */
export const instrument = (market: string, kind: Instrument['kind']): Instrument => ({
  market,
  kind,
  symbol: 'BTC',
  quote: 'USDT',
  scale: 1,
  contract: 1,
  inverse: false,
  funding_hours: null,
});

/** A resolver that knows no market. */
export const noMarkets = (): Markets => listedMarkets({}).markets;
