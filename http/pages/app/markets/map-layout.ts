/** Where the tiles of a map of the markets stand. */

/** In px. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The worst ratio of the sides of areas that stand in a line beside a side of such a length. */
function worstRatio(areas: readonly number[], side: number): number {
  const sum = areas.reduce((total, area) => total + area, 0);
  const thickness = sum / side;
  return Math.max(...areas.map((area) => Math.max(thickness ** 2 / area, area / thickness ** 2)));
}

/** Areas in a line along the shorter side of a room, and the room that is left. */
function lineUp(areas: readonly number[], room: Box): { boxes: Box[]; rest: Box } {
  const { x, y, width, height } = room;
  const sum = areas.reduce((total, area) => total + area, 0);
  let done = 0;
  if (width >= height) {
    const thickness = sum / height;
    const boxes = areas.map((area) => {
      const box = { x, y: y + done, width: thickness, height: area / thickness };
      done += box.height;
      return box;
    });
    return { boxes, rest: { x: x + thickness, y, width: width - thickness, height } };
  }
  const thickness = sum / width;
  const boxes = areas.map((area) => {
    const box = { x: x + done, y, width: area / thickness, height: thickness };
    done += box.width;
    return box;
  });
  return { boxes, rest: { x, y: y + thickness, width, height: height - thickness } };
}

/**
 * Tiles whose areas are as their sizes, which are above 0 and fall: a squarified treemap (Bruls, Huizing and van Wijk, 2000,
 * https://www.win.tue.nl/~vanwijk/stm.pdf).
 */
export function treemap(sizes: readonly number[], width: number, height: number): Box[] {
  const sum = sizes.reduce((total, size) => total + size, 0);
  const boxes: Box[] = [];
  let room: Box = { x: 0, y: 0, width, height };
  let line: number[] = [];
  const close = () => {
    const { boxes: made, rest } = lineUp(line, room);
    boxes.push(...made);
    room = rest;
    line = [];
  };
  for (const size of sizes) {
    const area = (size / sum) * width * height;
    const side = Math.min(room.width, room.height);
    if (line.length > 0 && worstRatio([...line, area], side) > worstRatio(line, side)) close();
    line.push(area);
  }
  if (line.length > 0) close();
  return boxes;
}

/** A treemap of as many of the largest as have room; none is smaller than `least` px on a side. */
export function treemapOfLargest(
  sizes: readonly number[],
  { width, height, least }: { width: number; height: number; least: number },
): Box[] {
  let count = sizes.length;
  for (;;) {
    const boxes = treemap(sizes.slice(0, count), width, height);
    if (boxes.every((box) => Math.min(box.width, box.height) >= least)) return boxes;
    count = Math.floor(count * 0.9);
  }
}

/** Equal tiles in lines, as many as have room. */
export function grid(
  count: number,
  {
    width,
    height,
    tile,
  }: { width: number; height: number; tile: { width: number; height: number } },
): Box[] {
  const columns = Math.max(1, Math.floor(width / tile.width));
  const lines = Math.max(1, Math.floor(height / tile.height));
  const size = { width: width / columns, height: height / lines };
  return Array.from({ length: Math.min(count, columns * lines) }, (_, at) => ({
    x: (at % columns) * size.width,
    y: Math.floor(at / columns) * size.height,
    ...size,
  }));
}
