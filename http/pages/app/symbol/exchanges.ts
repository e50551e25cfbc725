/** The markets of an asset side by side, and where its reference rate comes from. */
import { h, setText } from '../dom.ts';
import { compact, duration, fixed, percent, price, signOf } from '../format.ts';
import { curlButton, wordsFor } from '../panel.ts';
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
function pairRow(pair: Pair, mean: number, interest: number): HTMLElement {
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
  '24 h',
  'Volume',
  'Open interest',
  'Share',
  'Funding 8 h',
  'Age',
];

type Of = Pick<Market, 'symbol' | 'kind'>;

/** Follows the markets of an asset; `heard` gets them all. */
export function exchangesPanel(
  of: Of,
  heard: (pairs: readonly Pair[]) => void,
): { node: HTMLElement; end: () => void } {
  const path = `/v1/${of.kind === 'spot' ? 'spot' : 'futures'}/pairs-markets?symbol=${encodeURIComponent(of.symbol)}&limit=100`;
  const body = h('tbody', {});
  const words = h('p', { class: 'soft' }, 'The markets come in a moment.');
  const node = h(
    'section',
    {},
    h(
      'div',
      { class: 'bar' },
      h('h2', {}, 'Exchanges'),
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
      body.replaceChildren(...items.map((one) => pairRow(one, mean, interest)));
      heard(items);
    },
    missing(message, code) {
      words.hidden = false;
      setText(words, wordsFor(code, message));
    },
  });
  return { node, end };
}

interface Reference {
  rate: number | null;
  reason: string | null;
  method: string;
  used: number;
  venues: readonly {
    exchange: string;
    market: string;
    price: number | null;
    weight: number | null;
    deviation_percent: number | null;
    status: string;
    age_ms: number | null;
  }[];
}

/** Follows the reference rate of an asset, with every input. */
export function referencePanel(symbol: string): { node: HTMLElement; end: () => void } {
  const path = `/v1/reference-rate?symbol=${encodeURIComponent(symbol)}`;
  const rate = h('strong', { class: 'rate' });
  const about = h('p', { class: 'soft' });
  const body = h('tbody', {});
  const table = scroller(
    'Inputs of the reference rate',
    headRow(['Exchange', 'Market', 'Price', 'Weight', 'Deviation', 'Age', 'State'], 2),
    body,
  );
  table.hidden = true;
  const node = h(
    'section',
    {},
    h(
      'div',
      { class: 'bar' },
      h('h2', {}, 'Reference rate'),
      rate,
      curlButton(() => path),
    ),
    about,
    table,
  );
  const end = follow(path, {
    data(data) {
      const { rate: value, reason, method, used, venues } = data as Reference;
      setText(rate, price(value));
      setText(
        about,
        value === null
          ? `There is no rate now: ${reason}.`
          : `${method} of ${used} of ${venues.length} spot markets against dollars.`,
      );
      table.hidden = false;
      body.replaceChildren(
        ...venues.map((one) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, one.exchange),
            h('td', { class: 'soft' }, one.market),
            cell(price(one.price)),
            cell(one.weight === null ? '–' : `${fixed(one.weight * 100, 1)} %`),
            cell(percent(one.deviation_percent, 3), signOf(one.deviation_percent, 0.0005)),
            cell(one.age_ms === null ? '–' : duration(one.age_ms)),
            cell(one.status.replaceAll('_', ' '), one.status === 'used' ? '' : 'warn'),
          ),
        ),
      );
    },
    missing(message, code) {
      table.hidden = true;
      setText(rate, '');
      setText(about, wordsFor(code, message));
    },
  });
  return { node, end };
}
