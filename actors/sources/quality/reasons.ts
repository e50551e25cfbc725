/** Why a row is missing, or a part of it: every reason that `/v1/status` and the metrics count, and who finds it. */
import type { ValidFunding } from '../../../indicators/derivatives/funding.ts';

/** Found by a parser, of a poll or of a stream. */
type Unread =
  /** It cannot be read: the last good row stands, until it is too old for its topic. */
  | 'bad_row'
  /** No instrument list has its market. */
  | 'unknown_instrument'
  /** The markets beyond the last page that is asked for. */
  | 'list_cut_off';

/** Found in a row by itself (rows.ts): the row is used without the values named here. */
type Impossible =
  /** A further row of its market, which is not used at all. */
  | 'duplicate'
  /** The bid is above the ask. */
  | 'crossed_quotes'
  /** Bid and ask are far from the price. */
  | 'bad_quotes'
  /** The low is above the high, or the price outside of both. */
  | 'bad_range'
  /** The change is from a price outside of the range of the day. */
  | 'bad_change'
  /** The turnover contradicts the price and the volume. */
  | 'bad_turnover'
  /** A mark or an index that is no price. */
  | 'bad_mark'
  /** The time that the upstream states is ahead of ours. */
  | 'time_ahead'
  | NonNullable<ValidFunding['refused']>;

/** Found beside the last row, other fields of it and other exchanges (guards.ts). */
type Unconfirmed =
  /** It jumped, and is held back until it is confirmed: the last good row stands. */
  | 'suspect'
  /** Units, or the price of the conversion, contradict the value of an open interest. */
  | 'bad_units';

/** Why a row of a good body, or a part of it, was not used. */
export type DropCode = Unread | Impossible | Unconfirmed;

/** A body of which more than this share of the rows is bad is rejected whole. */
export const maxDroppedShare = 0.2;
