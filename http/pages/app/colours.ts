/** The colours of the page as a canvas needs them. */
import { h } from './dom.ts';

const names = ['text', 'soft', 'line', 'page', 'raised', 'accent', 'up', 'down', 'warn'] as const;
export type Colour = (typeof names)[number];
/** By name, as `rgb(…)`. */
export type Colours = Readonly<Record<Colour, string>>;

/** Whether the reader prefers a dark page; its event is the moment to draw again. */
export const dark = matchMedia('(prefers-color-scheme: dark)');

/** The colours of the scheme that is shown. */
export function palette(): Colours {
  const probe = h('span', { hidden: true });
  document.body.append(probe);
  const read = (name: Colour) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = Object.fromEntries(names.map((name) => [name, read(name)]));
  probe.remove();
  return colours as Colours;
}

/** A colour of the palette that lets half of its ground through. */
export const faint = (colour: string): string => colour.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.5)');

const partsOf = (colour: string): number[] => (colour.match(/[\d.]+/g) ?? []).map(Number);

/** A colour between two of the palette: 0 is the first, 1 the second. */
export function mixed(from: string, to: string, part: number): string {
  const ends = partsOf(to);
  const parts = partsOf(from)
    .slice(0, 3)
    .map((value, at) => Math.round(value + ((ends[at] ?? 0) - value) * part));
  return `rgb(${parts.join(', ')})`;
}
