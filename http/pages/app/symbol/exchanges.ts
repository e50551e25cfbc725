/** The markets of an asset side by side. */
import { h, setText } from '../dom.ts';
import { compact, duration, fixed, percent, price, signOf } from '../format.ts';
import { csvButton, curlButton, wordsFor } from '../panel.ts';
import { cell, headRow, scroller } from '../rows.ts';
import { follow } from '../stream.ts';
import type { Market } from './candles.ts';

/** A market in `/v1/futures/pairs-markets` or `/v1/spot/pairs-markets`. */
export interface Pair {
  exchange: string;
  symbol: string;
  /** The exchange's own id of a perpetual, or of a spot market. */
  contract?: string;
  pair?: string;
  margin_type?: 'linear' | 'inverse';
  quote: string;
  price: number;
  price_change_24h_percent: number | null;
  volume_24h_usd: number | null;
  open_interest_usd?: number | null;
  funding_rate_8h?: number | null;
  updated_at: number;
}

/** The name by which a market is asked for: an id of an exchange may be of a spot market and of a perpetual. */
export function marketName({ symbol, quote, pair, margin_type: margin }: Pair): string {
  if (pair !== undefined) return `${symbol}/${quote}`;
  return margin === 'inverse' ? `${symbol}/${quote}:${symbol}` : `${symbol}/${quote}:${quote}`;
}

const oldAfter = 90_000;

/** Price, distance from the mean by turnover, and the rest of each market. */
function pairRow(
  pair: Pair,
  { mean, interest, spread }: { mean: number; interest: number; spread: number | null },
): HTMLElement {
  const { exchange, contract = pair.pair ?? '', volume_24h_usd: volume } = pair;
  const change = pair.price_change_24h_percent;
  const held = pair.open_interest_usd ?? null;
  const rate = pair.funding_rate_8h ?? null;
  const off = pair.quote.startsWith('USD') ? (pair.price / mean - 1) * 100 : null;
  const age = Date.now() - pair.updated_at;
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, exchange),
    h('td', { class: 'soft' }, contract),
    cell(price(pair.price)),
    cell(percent(off, 3), signOf(off, 0.0005)),
    cell(spread === null ? '–' : `${fixed(spread, 4)} %`),
    cell(percent(change), signOf(change)),
    cell(compact(volume)),
    cell(compact(held)),
    cell(held === null || interest === 0 ? '–' : `${fixed((held / interest) * 100, 1)} %`),
    cell(rate === null ? '–' : percent(rate * 100, 4), signOf(rate, 5e-7)),
    cell(age < oldAfter ? '' : duration(age), 'warn'),
  );
}

const heads = [
  'Exchange',
  'Market',
  'Price',
  'From mean',
  'Spread',
  '24 h',
  'Volume',
  'Open interest',
  'Share',
  'Funding 8 h',
  'Age',
];

type Of = Pick<Market, 'symbol' | 'kind'>;

/** Names of the fields of a market in a file. */
const names = [
  'exchange',
  'contract',
  'pair',
  'price',
  'price_change_24h_percent',
  'volume_24h_usd',
  'open_interest_usd',
  'funding_rate_8h',
  'updated_at',
] as const;

/** Percent of the middle, by exchange and market, of the books that are kept live. */
function followSpreads({ symbol, kind }: Of, heard: (spreads: Map<string, number>) => void) {
  const path = `/v1/liquidity?symbol=${encodeURIComponent(symbol)}&kind=${kind}`;
  interface Item {
    exchange: string;
    market: string;
    spread_percent: number | null;
  }
  return follow(
    path,
    {
      data(data) {
        const { items } = data as { items: readonly Item[] };
        const known = items.flatMap(({ exchange, market, spread_percent: spread }) =>
          spread === null ? [] : [[`${exchange} ${market}`, spread] as const],
        );
        heard(new Map(known));
      },
      missing: () => {},
    },
    { every: 3_000 },
  );
}

/** Follows the markets of an asset; `heard` gets them all. */
export function exchangesPanel(
  of: Of,
  heard: (pairs: readonly Pair[]) => void,
): { node: HTMLElement; end: () => void } {
  const path = `/v1/${of.kind === 'spot' ? 'spot' : 'futures'}/pairs-markets?symbol=${encodeURIComponent(of.symbol)}&limit=100`;
  const body = h('tbody', {});
  const words = h('p', { class: 'soft' }, 'The markets come in a moment.');
  let spreads = new Map<string, number>();
  let pairs: readonly Pair[] = [];
  const spreadOf = ({ exchange, contract, pair }: Pair) =>
    spreads.get(`${exchange} ${contract ?? pair}`) ?? null;
  const csv = () => [
    [...names, 'spread_percent'],
    ...pairs.map((one) => [...names.map((name) => one[name]), spreadOf(one)]),
  ];
  const node = h(
    'section',
    { class: 'figure' },
    h(
      'div',
      { class: 'bar' },
      h('h2', {}, 'Exchanges'),
      csvButton(`${of.symbol}-exchanges`, csv),
      curlButton(() => path),
    ),
    words,
    scroller('Exchanges', headRow(heads, 2), body),
  );
  const end = follow(path, {
    data(data) {
      const { items } = data as { items: readonly Pair[] };
      const dollars = items.filter(({ quote }) => quote.startsWith('USD'));
      const turnover = dollars.reduce((sum, one) => sum + (one.volume_24h_usd ?? 0), 0);
      const mean =
        dollars.reduce((sum, one) => sum + one.price * (one.volume_24h_usd ?? 0), 0) / turnover;
      const interest = items.reduce((sum, one) => sum + (one.open_interest_usd ?? 0), 0);
      words.hidden = true;
      pairs = items;
      body.replaceChildren(
        ...items.map((one) => pairRow(one, { mean, interest, spread: spreadOf(one) })),
      );
      heard(items);
    },
    missing(message, code) {
      words.hidden = false;
      setText(words, wordsFor(code, message));
    },
  });
  const endSpreads = followSpreads(of, (found) => {
    spreads = found;
  });
  return {
    node,
    end() {
      end();
      endSpreads();
    },
  };
}
