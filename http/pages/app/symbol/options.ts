/** The options on an asset in short: implied volatility by strike, and max pain by expiry. */
import { askAgain } from '../ask.ts';
import { h } from '../dom.ts';
import { figure, type Rows } from '../figure.ts';
import { compact, fixed, percent, price } from '../format.ts';
import { LineChart, type LineData } from '../line-chart.ts';
import { wordsFor } from '../panel.ts';
import type { Part } from '../part.ts';
import { cell, headRow, rowHead, scroller } from '../rows.ts';

interface Surface {
  expiries: readonly {
    date: string;
    atm_iv: number | null;
    points: readonly { strike: number; iv: number | null }[];
  }[];
}
interface Pains {
  expiries: readonly {
    date: string;
    max_pain_price: number | null;
    distance_percent: number | null;
    put_call_ratio: number | null;
    open_interest_usd: number | null;
  }[];
}

/** Expiries that are drawn. */
const most = 6;
const every = 30_000;
const iv = (value: number) => `${fixed(value * 100, 1)} %`;

const without = (message: string, code: string): string =>
  code === 'unknown_symbol'
    ? 'No exchange that is followed has options on it.'
    : wordsFor(code, message);

function smilesOf(expiries: Surface['expiries']): LineData {
  const strikes = new Set(expiries.flatMap(({ points }) => points.map(({ strike }) => strike)));
  const places = [...strikes].sort((a, b) => a - b);
  const lines = expiries.map(({ points }) => {
    const values = new Map(points.map((one) => [one.strike, one.iv]));
    return places.map((strike) => values.get(strike) ?? null);
  });
  return [places, ...lines];
}

/** Implied volatility by strike, a line an expiry. */
function surfacePart(symbol: string): Part {
  const path = `/v1/options/surface?symbol=${encodeURIComponent(symbol)}`;
  let rows: Rows = [];
  let chart: LineChart | null = null;
  let dates = '';
  const of = figure({
    heading: 'Options: implied volatility',
    name: `${symbol}-volatility-surface`,
    about: `By strike, the next ${most} expiries`,
    path: () => path,
    rows: () => rows,
    picture: () => chart?.picture() ?? null,
    tools: [h('a', { href: `#/options/${encodeURIComponent(symbol)}` }, 'All about its options')],
  });
  const end = askAgain(path, every, {
    data(data) {
      const expiries = (data as Surface).expiries.slice(0, most);
      rows = [
        ['expiry', 'strike', 'iv'],
        ...expiries.flatMap(({ date, points }) => points.map((one) => [date, one.strike, one.iv])),
      ];
      const shown = expiries.map(({ date }) => date).join();
      if (shown !== dates) {
        dates = shown;
        chart?.end();
        chart = new LineChart({
          label: `Implied volatility of options on ${symbol} by strike`,
          lines: expiries.map(({ date }) => ({ name: date })),
          at: { text: price },
          value: iv,
        });
        of.body.replaceChildren(chart.node);
      }
      of.say(null);
      chart?.show(smilesOf(expiries));
      of.news();
    },
    missing: (message, code) => of.say(without(message, code)),
  });
  return {
    node: of.node,
    end() {
      end();
      chart?.end();
    },
  };
}

/** Max pain of each expiry. */
function painPart(symbol: string): Part {
  const path = `/v1/options/max-pain?symbol=${encodeURIComponent(symbol)}`;
  let rows: Rows = [];
  const body = h('tbody', {});
  const of = figure({
    heading: 'Options: max pain',
    name: `${symbol}-max-pain`,
    about: 'The price at which the holders of all options get least',
    path: () => path,
    rows: () => rows,
  });
  const heads = ['Expiry', 'Max pain', 'From price', 'Put/call', 'Open interest'];
  of.body.append(scroller('Max pain', headRow(heads, 1), body));
  const end = askAgain(path, every, {
    data(data) {
      const { expiries } = data as Pains;
      const names = [
        'date',
        'max_pain_price',
        'distance_percent',
        'put_call_ratio',
        'open_interest_usd',
      ] as const;
      rows = [names, ...expiries.map((one) => names.map((name) => one[name]))];
      body.replaceChildren(
        ...expiries.map((one) =>
          h(
            'tr',
            {},
            rowHead(one.date),
            cell(price(one.max_pain_price)),
            cell(percent(one.distance_percent)),
            cell(fixed(one.put_call_ratio, 2)),
            cell(compact(one.open_interest_usd)),
          ),
        ),
      );
      of.say(null);
    },
    missing: (message, code) => of.say(without(message, code)),
  });
  return { node: of.node, end };
}

/** Both side by side. */
export function optionsPart(symbol: string): Part {
  const parts = [surfacePart(symbol), painPart(symbol)];
  return {
    node: h('div', { class: 'halves' }, ...parts.map(({ node }) => node)),
    end() {
      for (const part of parts) part.end();
    },
  };
}
