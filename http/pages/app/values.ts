/** The values of a chart as a table that a reader opens. */
import { cellOf, together } from './columns.ts';
import { h } from './dom.ts';
import { dash, fixed, time } from './format.ts';
import type { Rows } from './panel.ts';
import { keyedRows, scroller, type View } from './rows.ts';

/** Rows of the table at most. */
const most = 200;

/** A value as people read it: eight digits of a number, a moment as such. */
function shownValue(name: string, value: unknown): string {
  if (typeof value !== 'number')
    return value === null || value === undefined ? dash : String(value);
  if (/time(stamp)?$/.test(name)) return time(value, 'minute');
  const size = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  const places = Math.max(0, Math.min(12, 7 - size));
  return Number.isInteger(value) ? fixed(value, 0) : fixed(Number(value.toPrecision(8)), places);
}

/** Values at a place of the table. */
interface Line {
  at: number;
  values: readonly unknown[];
}

function lineOf(names: readonly unknown[]): View<Line> {
  const cells = names.map((name, at) => {
    const of = ({ values }: Line) => shownValue(String(name), values[at]);
    return cellOf<Line>({ head: String(name), of }, false);
  });
  return together('tr', cells);
}

/** A table that is filled while it is open only; times are Unix ms under a name that ends with `time` or `timestamp`. */
export function valuesOf(name: string, rows: () => Rows): { node: HTMLElement; news(): void } {
  const place = h('div', {});
  const node = h('details', { class: 'values' }, h('summary', {}, 'Values'), place);
  let shown = '';
  let show: (rows: readonly Line[]) => void = () => {};
  const fill = () => {
    if (!node.open) return;
    const [names = [], ...all] = rows();
    if (names.join() !== shown) {
      shown = names.join();
      const heads = names.map((one) => h('th', { scope: 'col' }, String(one)));
      const body = h('tbody', {});
      show = keyedRows(body, { name: ({ at }) => String(at), make: () => lineOf(names) });
      place.replaceChildren(
        scroller(`Values: ${name}`, h('thead', {}, h('tr', {}, ...heads)), body),
      );
    }
    show(all.slice(0, most).map((values, at) => ({ at, values })));
  };
  node.addEventListener('toggle', fill);
  return { node, news: fill };
}
