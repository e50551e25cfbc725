/** Maps of tiles: an element whose tiles lead to a symbol each, and say what has room on them. */
import { h, setAttribute, setText } from './dom.ts';
import { type Box, treemapOfLargest } from './markets/map-layout.ts';
import { keyedRows } from './rows.ts';

/** Least side of a tile that can be pressed, px. */
const least = 26;
/** Sides from which a tile has room for its first text, and for its second one, px. */
const rooms = [
  { width: 56, height: 34 },
  { width: 84, height: 54 },
];

type Size = Pick<Box, 'width' | 'height'>;

/** What a tile shows. */
export interface Face {
  symbol: string;
  /** Where it leads. */
  href: string;
  /** What of it is shown under the symbol where there is room. */
  texts: readonly string[];
  /** All of it in words. */
  title: string;
  /** Its ground, as CSS. */
  ground: string;
  isOld?: boolean;
}

function tileView({ face }: { face: Face }) {
  const texts = [h('span', {}), h('span', { class: 'soft' })];
  const attributes = { class: 'tile', href: face.href };
  const node = h('a', attributes, h('strong', {}, face.symbol), ...texts);
  return {
    node,
    show({ face, box: { x, y, width, height } }: { face: Face; box: Box }) {
      node.style.translate = `${x.toFixed(1)}px ${y.toFixed(1)}px`;
      node.style.width = `${width.toFixed(1)}px`;
      node.style.height = `${height.toFixed(1)}px`;
      node.style.background = face.ground;
      node.classList.toggle('old', face.isOld === true);
      setAttribute(node, 'title', face.title);
      for (const [at, text] of texts.entries()) {
        const room = rooms[at] ?? { width: 0, height: 0 };
        const fits = width >= room.width && height >= room.height;
        setText(text, fits ? (face.texts[at] ?? '') : '');
      }
    },
  };
}

/** Boxes in a room as large as sizes, which fall: of the largest as many as can be pressed. */
export const boxesOf = (sizes: readonly number[], room: Size): Box[] =>
  treemapOfLargest(sizes, { ...room, least });

/** A map with a label; `resized` is called where it has another size: it has to be shown anew. */
export function tileMap(label: string, resized: () => void) {
  const node = h('div', { class: 'map', role: 'group', 'aria-label': label });
  const show = keyedRows(node, {
    name: ({ face }: { face: Face; box: Box }) => face.symbol,
    make: tileView,
  });
  const size = new ResizeObserver(resized);
  size.observe(node);
  return {
    node,
    end: () => size.disconnect(),
    /** Shows as many as have room in the boxes that `place` gives; their number. */
    show<T>(
      all: readonly T[],
      faceOf: (one: T) => Face,
      place: (room: Size) => readonly Box[],
    ): number {
      const { clientWidth: width, clientHeight: height } = node;
      if (width === 0 || height === 0) return 0;
      const boxes = place({ width, height });
      show(
        boxes.flatMap((box, at) => {
          const one = all[at];
          return one === undefined ? [] : [{ face: faceOf(one), box }];
        }),
      );
      return boxes.length;
    },
  };
}
