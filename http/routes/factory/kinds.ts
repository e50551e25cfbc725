/** Rows of which there is one about spot markets and one about perpetuals. */
import type { FollowedKind } from '../../../indicators/market/market-names.ts';
import type { Route } from '../../endpoints/route.ts';

/** A kind of market, with its part of a path and its names in a sentence. */
const kinds = [
  { kind: 'spot', place: 'spot', market: 'spot market', markets: 'spot markets' },
  { kind: 'perpetual', place: 'futures', market: 'perpetual', markets: 'perpetuals' },
] as const satisfies readonly { kind: FollowedKind; [words: string]: string }[];
export type KindOfRow = (typeof kinds)[number];

/** The rows of both kinds. */
export const ofBothKinds =
  <C>(rows: (context: C, of: KindOfRow) => Route | readonly Route[]) =>
  (context: C): Route[] =>
    kinds.flatMap((one) => rows(context, one));
