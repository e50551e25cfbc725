/** Pictures of charts, as files have them. */
import { axisFont, palette } from './colours.ts';
import { h } from './dom.ts';

const margin = 12;
const lineHeight = 18;

/** A drawing on the ground of the page, under its title and the names of its lines. */
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
  context.fillText(title, margin, margin + 12);
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
