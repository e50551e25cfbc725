/** The options on an asset in short: implied volatility by strike, and max pain by expiry. */
import { h } from '../dom.ts';
import { painPart, smilePart } from '../options/parts.ts';
import type { Part } from '../part.ts';

const shared = {
  every: 30_000,
  refusal: (_: string, code: string) =>
    code === 'unknown_symbol' ? 'No exchange that is followed has options on it.' : undefined,
};

/** Implied volatility by strike, a line an expiry, with the way to all about the options. */
export const impliedPart = (symbol: string): Part =>
  smilePart(
    { symbol },
    {
      ...shared,
      title: 'Options: implied volatility',
      controls: [
        h('a', { href: `#/options/${encodeURIComponent(symbol)}` }, 'All about its options'),
      ],
    },
  );

export const maxPainPart = (symbol: string): Part =>
  painPart({ symbol }, { ...shared, title: 'Options: max pain' });
