/** Tiles of a map: their place, their ground, and what has room on them. */
import type { Box } from './markets/map-layout.ts';

/** Part of the colour in the ground of a tile, percent: words on it must stay readable. */
const ground = { least: 8, most: 45 };

/** Whether a box is as large as what shall stand in it. */
export const hasRoom = (
  { width, height }: Box,
  least: Readonly<Pick<Box, 'width' | 'height'>>,
): boolean => width >= least.width && height >= least.height;

/** Puts a tile where its box is. */
export function placeIn({ style }: HTMLElement, { x, y, width, height }: Box): void {
  style.translate = `${x.toFixed(1)}px ${y.toFixed(1)}px`;
  style.width = `${width.toFixed(1)}px`;
  style.height = `${height.toFixed(1)}px`;
}

/** The ground of a tile of a tone, the stronger the larger `part` is, from 0 to 1. */
export function groundIn(tone: string, part: number): string {
  const share = ground.least + part * (ground.most - ground.least);
  return `color-mix(in srgb, var(--${tone}) ${share.toFixed(0)}%, var(--page))`;
}
