/** The markets as tiles: a treemap by turnover, or a heatmap of equal tiles. */
import { oldAfter } from '../age.ts';
import { groundIn } from '../colours.ts';
import { compact, duration, price } from '../format.ts';
import { hashOf } from '../place.ts';
import { boxesOf, type Face, tileMap } from '../tile.ts';
import type { MapKind } from './choices.ts';
import type { Column } from './columns.ts';
import type { Asset } from './data.ts';
import { grid } from './map-layout.ts';

/** Of a tile of the heatmap, px. */
const tile = { width: 88, height: 56 };

/** The ground of a tile: redder or greener the further its value is from 0. */
function groundOf(column: Column, asset: Asset): string {
  const value = Number(column.value(asset));
  const tone = column.tone?.(asset) ?? '';
  if (tone === '') return 'var(--raised)';
  return groundIn(tone, Math.abs(value) / (column.full ?? 1));
}

function faceOf(asset: Asset, column: Column): Face {
  const { symbol, price: last, volume_24h_usd: volume, updated_at: at } = asset;
  const age = Date.now() - at;
  const [isOld, text] = [age >= oldAfter, column.text(asset)];
  const old = isOld ? `; ${duration(age)} old` : '';
  return {
    symbol,
    href: hashOf({ page: 'symbol', about: symbol, chosen: new URLSearchParams() }),
    texts: [text, price(last)],
    title: `${symbol}: ${price(last)} USD, ${column.shown} ${text}, volume ${compact(volume)} USD${old}`,
    ground: groundOf(column, asset),
    isOld,
  };
}

/** `resized` is called where it has another size: it has to be shown anew. */
export function marketMap(resized: () => void) {
  const { node, end, show } = tileMap('Map of the markets', resized);
  return {
    node,
    end,
    /** Shows as many as have room: the largest by turnover, or the first. Their number. */
    show(rows: readonly Asset[], kind: MapKind, column: Column): number {
      const faceIn = (asset: Asset) => faceOf(asset, column);
      if (kind === 'heatmap')
        return show(rows, faceIn, (room) => grid(rows.length, { ...room, tile }));
      const shown = rows
        .filter(({ volume_24h_usd: volume }) => volume > 0)
        .toSorted((a, b) => b.volume_24h_usd - a.volume_24h_usd);
      const sizes = shown.map(({ volume_24h_usd: volume }) => volume);
      return show(shown, faceIn, (room) => boxesOf(sizes, room));
    },
  };
}
