/** The line of a price in a cell. */
import { h } from '../dom.ts';
import type { Points } from './lines.ts';

const namespace = 'http://www.w3.org/2000/svg';
const minutes = 1440;
const height = 20;

/**
 * The path of points `[minutes before now, value]` in a box of `minutes` by 20; a null breaks it. Empty where no two neighbours
 * are known.
 */
export function pathOf(points: Points): string {
  const values = points.flatMap(([, value]) => (value === null ? [] : [value]));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = high - low || 1;
  let path = '';
  let before: string | null = null;
  let isOpen = false;
  for (const [ago, value] of points) {
    const at: string | null =
      value === null
        ? null
        : `${minutes - ago} ${(1 + ((high - value) / span) * (height - 2)).toFixed(1)}`;
    if (at !== null && before !== null) path += `${isOpen ? '' : `M${before}`}L${at}`;
    isOpen = at !== null && before !== null;
    before = at;
  }
  return path;
}

/** An empty line for a cell, and what draws another one into it. */
export function lineCell(): { node: HTMLElement; draw(points: Points, tone: string): void } {
  const svg = document.createElementNS(namespace, 'svg');
  const path = document.createElementNS(namespace, 'path');
  svg.setAttribute('viewBox', `0 0 ${minutes} ${height}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(path);
  const node = h('span', { class: 'line' });
  node.append(svg);
  return {
    node,
    draw(points, tone) {
      path.setAttribute('d', pathOf(points));
      svg.setAttribute('class', tone);
    },
  };
}
