/** The values of a chart as a table that a reader opens. */
import { h } from './dom.ts';
import { dash, fixed, time } from './format.ts';
import type { Rows } from './panel.ts';
import { scroller } from './rows.ts';

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

/** A table that is filled while it is open only; times are Unix ms under a name that ends with `time` or `timestamp`. */
export function valuesOf(name: string, rows: () => Rows): { node: HTMLElement; news(): void } {
  const place = h('div', {});
  const node = h('details', { class: 'values' }, h('summary', {}, 'Values'), place);
  const fill = () => {
    if (!node.open) return;
    const [names = [], ...all] = rows();
    const heads = names.map((one) => h('th', { scope: 'col' }, String(one)));
    const lines = all
      .slice(0, most)
      .map((row) =>
        h('tr', {}, ...row.map((one, at) => h('td', {}, shownValue(String(names[at]), one)))),
      );
    const table = [h('thead', {}, h('tr', {}, ...heads)), h('tbody', {}, ...lines)];
    // The place to which the reader has scrolled stays.
    const known = place.querySelector('table');
    if (known === null) place.replaceChildren(scroller(`Values: ${name}`, ...table));
    else known.replaceChildren(...table);
  };
  node.addEventListener('toggle', fill);
  return { node, news: fill };
}
