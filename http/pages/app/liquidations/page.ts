/** Liquidations: their sums over time, as they happen, and by exchange and coin. */
import { h, symbolField } from '../dom.ts';
import { exchangeOption } from '../exchange-names.ts';
import { fill, headed } from '../part.ts';
import { pageChoice, reopen } from '../place.ts';
import { heatmapPart, mapPart, walletsMapPart } from './map.ts';
import { coinsPart, exchangesPart, pastPart, tapePart, treemapPart } from './sums.ts';

/** Those with a public feed. */
const ids = [
  'binance',
  'okx',
  'bybit',
  'bitget',
  'gate',
  'dydx',
  'aster',
  'lighter',
  'deribit',
  'bitfinex',
  'kraken',
  'htx',
] as const;
const exchanges = [['', 'all'], ...ids.map(exchangeOption)] as const;

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement, _about: string, chosen: URLSearchParams): () => void {
  const symbol = chosen.get('symbol') ?? '';
  const choice = pageChoice('Exchange', exchanges, 'exchange');
  const exchange = choice.get();
  const asked = { symbol, exchange };
  const field = symbolField(symbol, (next) => reopen({ symbol: next }), 'all');
  // What is of one symbol.
  const one = symbol || 'BTC';
  return fill(into, [
    headed('h1', 'Liquidations', field, choice.node),
    [
      pastPart({ symbol: one, exchange }),
      tapePart(asked),
      exchangesPart(asked),
      treemapPart(asked),
      coinsPart(asked),
    ],
    h('h2', {}, `Where positions in ${one} would be liquidated`),
    [mapPart(one, exchange || 'binance'), heatmapPart(one), walletsMapPart(one)],
  ]);
}
