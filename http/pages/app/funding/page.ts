/** Funding rates of all exchanges side by side, and the pairs of perpetuals that differ most. */
import { h, setText } from '../dom.ts';
import { compact, fixed, percent } from '../format.ts';
import { csvButton, curlButton, wordsFor } from '../panel.ts';
import { cell, headRow, rowHead, scroller } from '../rows.ts';
import { follow } from '../stream.ts';

interface Rate {
  exchange: string;
  contract: string;
  funding_rate_8h: number | null;
  annualized: number | null;
  interval_hours: number | null;
  open_interest_usd: number | null;
}

interface Symbols {
  items: readonly { symbol: string; median_rate_8h: number | null; rates: readonly Rate[] }[];
}

/** An annual rate, as a fraction, from which the colour is the strongest. */
const strongest = 0.5;
const every = 5_000;

/** Of the contracts of each exchange the one with the largest open interest. */
function byExchange(rates: readonly Rate[]): Map<string, Rate> {
  const found = new Map<string, Rate>();
  for (const rate of rates) {
    const known = found.get(rate.exchange);
    const isLarger = (rate.open_interest_usd ?? 0) > (known?.open_interest_usd ?? -1);
    if (known === undefined || isLarger) found.set(rate.exchange, rate);
  }
  return found;
}

/** A rate with a ground whose strength is its size. */
function rateCell(rate: Rate | undefined): HTMLElement {
  const annual = rate?.annualized ?? null;
  const made = cell(annual === null ? '' : fixed(annual * 100, 1));
  if (rate === undefined || annual === null) return made;
  const part = Math.min(1, Math.abs(annual) / strongest) * 38;
  made.style.backgroundColor = `color-mix(in srgb, var(--${annual < 0 ? 'down' : 'up'}) ${part.toFixed(0)}%, transparent)`;
  const eight =
    rate.funding_rate_8h === null ? '' : `, ${percent(rate.funding_rate_8h * 100, 4)} per 8 h`;
  made.title = `${rate.contract} on ${rate.exchange}: ${percent(annual * 100, 2)} a year${eight}`;
  return made;
}

interface Part {
  node: HTMLElement;
  end: () => void;
}

function heatmap(): Part {
  const path = '/v1/funding-rates?limit=40&detail=full';
  const words = h('p', { class: 'soft' }, 'Rates come in a moment.');
  const heads = h('div', { class: 'bar' });
  const place = h('div', { class: 'heat' });
  let rows: unknown[][] = [];
  heads.append(
    h('h2', {}, 'Rates'),
    h(
      'small',
      {},
      'Percent a year, of the contract with the largest open interest; empty: no such contract',
    ),
    csvButton('funding', () => rows),
    curlButton(() => path),
  );
  const end = follow(
    path,
    {
      data(data) {
        const { items } = data as Symbols;
        const found = items.map(({ symbol, rates }) => ({ symbol, rates: byExchange(rates) }));
        const counts = new Map<string, number>();
        for (const { rates } of found)
          for (const id of rates.keys()) counts.set(id, (counts.get(id) ?? 0) + 1);
        const ids = [...counts.keys()].sort(
          (a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || a.localeCompare(b),
        );
        rows = [
          ['symbol', ...ids],
          ...found.map(({ symbol, rates }) => [
            symbol,
            ...ids.map((id) => rates.get(id)?.annualized ?? null),
          ]),
        ];
        const body = found.map(({ symbol, rates }) =>
          h('tr', {}, rowHead(symbol), ...ids.map((id) => rateCell(rates.get(id)))),
        );
        const known = place.querySelector('.wide');
        const table = scroller(
          'Funding rates',
          headRow(['Symbol', ...ids], 1),
          h('tbody', {}, ...body),
        );
        // The place to which the reader has scrolled stays.
        if (known) known.replaceChildren(...table.childNodes);
        else place.replaceChildren(table);
        words.hidden = true;
      },
      missing(message, code) {
        words.hidden = false;
        setText(words, wordsFor(code, message));
      },
    },
    { every },
  );
  return { node: h('section', {}, heads, words, place), end };
}

interface Leg {
  exchange: string;
  contract: string;
  annualized: number;
  mark_price: number | null;
  volume_24h_usd: number | null;
}

interface Arbitrage {
  note: string;
  total: number;
  items: readonly { symbol: string; long: Leg; short: Leg }[];
}

function arbitrage(): Part {
  const path = '/v1/funding-arbitrage?limit=50';
  const note = h('p', { class: 'soft' }, 'Pairs come in a moment.');
  const body = h('tbody', {});
  const names = [
    'Symbol',
    'Long on',
    'Short on',
    'Long, a year',
    'Short, a year',
    'Difference',
    'Marks differ',
    'Least volume',
  ];
  const end = follow(
    path,
    {
      data(data) {
        const { items, note: words, total } = data as Arbitrage;
        setText(note, total === 0 ? 'No pair differs by 10 % a year now.' : words);
        body.replaceChildren(
          ...items.map(({ symbol, long, short }) => {
            const [a, b] = [long.mark_price, short.mark_price];
            const volume = Math.min(long.volume_24h_usd ?? 0, short.volume_24h_usd ?? 0);
            return h(
              'tr',
              {},
              rowHead(symbol),
              h('td', { title: long.contract }, long.exchange),
              h('td', { title: short.contract }, short.exchange),
              cell(percent(long.annualized * 100)),
              cell(percent(short.annualized * 100)),
              cell(percent((short.annualized - long.annualized) * 100), 'up'),
              cell(a === null || b === null ? '–' : percent((b / a - 1) * 100, 3)),
              cell(compact(volume)),
            );
          }),
        );
      },
      missing: (message, code) => setText(note, wordsFor(code, message)),
    },
    { every },
  );
  const head = h(
    'div',
    { class: 'bar' },
    h('h2', {}, 'Arbitrage'),
    curlButton(() => path),
  );
  return {
    node: h('section', {}, head, note, scroller('Arbitrage', headRow(names, 3), body)),
    end,
  };
}

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement): () => void {
  const parts = [heatmap(), arbitrage()];
  into.append(h('h1', {}, 'Funding'), ...parts.map(({ node }) => node));
  return () => {
    for (const { end } of parts) end();
  };
}
