/** The colours of the page as a canvas needs them. */
import { h } from './dom.ts';

/** Of words on a canvas. */
export const axisFont = '11px system-ui, sans-serif';

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

/** How light a colour is, from 0 to 255: by the weights of ITU-R BT.601. */
function lightness(colour: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(colour);
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/** Of two colours the one that is read better on a ground. */
export function readable(ground: string, a: string, b: string): string {
  const distance = (colour: string) => Math.abs(lightness(colour) - lightness(ground));
  return distance(a) >= distance(b) ? a : b;
}

/** A colour between two of the palette: 0 is the first, 1 the second. */
export function mixed(from: string, to: string, part: number): string {
  const ends = partsOf(to);
  const parts = partsOf(from)
    .slice(0, 3)
    .map((value, at) => Math.round(value + ((ends[at] ?? 0) - value) * part));
  return `rgb(${parts.join(', ')})`;
}

/** A colour for a line among many, seen on light and on dark ground: neighbours differ most. */
export const hueOf = (place: number): string =>
  `hsl(${Math.round(190 + place * 137.5) % 360} 62% 48%)`;
