/** The colours of the page as a canvas needs them, and pictures of canvases. */
import { h } from './dom.ts';
import { stamp } from './format.ts';

/** Of words on a canvas. */
export const axisFont = '11px system-ui, sans-serif';

const names = ['text', 'soft', 'line', 'page', 'raised', 'accent', 'up', 'down', 'warn'] as const;
export type Colour = (typeof names)[number];
/** By name, as `rgb(…)`. */
export type Colours = Readonly<Record<Colour, string>>;

/** Whether the reader prefers a dark page; its event is the moment to draw again. */
export const dark = matchMedia('(prefers-color-scheme: dark)');

let known: { isDark: boolean; colours: Colours } | null = null;

/** The colours of the scheme that is shown. They are read once for each: every reading lays out the page anew. */
export function palette(): Colours {
  if (known?.isDark !== dark.matches) known = { isDark: dark.matches, colours: readColours() };
  return known.colours;
}

function readColours(): Colours {
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

/** A colour for a line among many, seen on light and on dark ground: neighbours differ most. Blue looks darker than it counts, so it is lighter. */
export function hueOf(place: number): string {
  const hue = Math.round(190 + place * 137.5) % 360;
  const blueness = Math.max(0, Math.cos(((hue - 245) * Math.PI) / 180)) ** 2;
  return `hsl(${hue} 62% ${Math.round(48 + 18 * blueness)}%)`;
}

/** Part of a colour in a ground, percent: words on it must stay readable. */
const grounds = { least: 8, most: 45 };

/** A ground of a colour for words of the page, as CSS, the stronger the larger `part` is, from 0 to 1. */
export function groundIn(colour: string, part: number): string {
  const share = grounds.least + Math.min(1, part) * (grounds.most - grounds.least);
  return `color-mix(in srgb, var(--${colour}) ${share.toFixed(0)}%, var(--page))`;
}

const margin = 12;
const lineHeight = 18;

/** A drawing on the ground of the page, under its title with the time, and the names of its lines. */
export function titled(
  drawn: HTMLCanvasElement,
  title: string,
  names: readonly { name: string; colour: string }[] = [],
): HTMLCanvasElement | null {
  const ratio = devicePixelRatio;
  const top = margin + lineHeight * (names.length === 0 ? 1 : 2) + 6;
  const made = h('canvas', {});
  made.width = drawn.width + 2 * margin * ratio;
  made.height = drawn.height + (top + margin) * ratio;
  const context = made.getContext('2d');
  if (context === null) return null;
  const { page, text, soft } = palette();
  context.fillStyle = page;
  context.fillRect(0, 0, made.width, made.height);
  context.drawImage(drawn, margin * ratio, top * ratio);
  context.scale(ratio, ratio);
  context.font = '600 13px system-ui, sans-serif';
  context.fillStyle = text;
  context.fillText(`${title}, ${stamp(Date.now())}`, margin, margin + 12, drawn.width / ratio);
  context.font = axisFont;
  let left = margin;
  for (const { name, colour } of names) {
    context.fillStyle = colour;
    context.fillRect(left, margin + lineHeight + 3, 10, 10);
    context.fillStyle = soft;
    context.fillText(name, left + 14, margin + lineHeight + 12);
    left += 30 + context.measureText(name).width;
  }
  return made;
}
