/** Liquidations: their sums over time, as they happen, and by exchange and coin. */
import { choice, h, symbolField } from '../dom.ts';
import { Slot, showParts } from '../part.ts';
import { reopen } from '../place.ts';
import { heatmapPart, mapPart, walletsMapPart } from './map.ts';
import { coinsPart, exchangesPart, pastPart } from './sums.ts';
import { type Asked, tapePart } from './tape.ts';
import { treemapPart } from './treemap.ts';

/** Exchanges with a public feed. */
const exchanges = [
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
const choices = [['', 'all'] as const, ...exchanges.map((id) => [id, id] as const)];

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement, _about: string, chosen: URLSearchParams): () => void {
  const symbol = chosen.get('symbol') ?? '';
  const exchange = exchanges.find((id) => id === chosen.get('exchange')) ?? '';
  const asked: Asked = { symbol, exchange };
  // What is of one symbol.
  const one = symbol || 'BTC';
  into.append(
    h(
      'div',
      { class: 'bar' },
      h('h1', {}, 'Liquidations'),
      symbolField(symbol, (next) => reopen({ symbol: next }), 'all'),
      choice('Exchange', choices, {
        chosen: exchange,
        choose: (next) => reopen({ exchange: next }),
      }),
    ),
  );
  const ends = [
    showParts(into, [
      pastPart({ symbol: one, exchange }),
      tapePart(asked),
      exchangesPart(asked),
      treemapPart(asked),
      coinsPart(asked),
    ]),
  ];
  into.append(h('h2', {}, `Where positions in ${one} would be liquidated`));
  ends.push(
    showParts(into, [
      new Slot(() => mapPart(one, exchange || 'binance')),
      new Slot(() => heatmapPart(one)),
      new Slot(() => walletsMapPart(one), 'whole'),
    ]),
  );
  return () => {
    for (const end of ends) end();
  };
}
