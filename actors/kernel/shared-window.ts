/** Sliding windows of weight that several processes share, and the pauses that upstreams ask for. */

/** No `per` ms of a window contain more than `weight`. The pause is that of all windows with the same `api`. */
export interface SharedWindow {
  readonly name: string;
  readonly api: string;
  readonly weight: number;
  readonly per: number;
}

/** Nothing is to be sent for `ms`. */
export interface SharedPause {
  readonly ms: number;
  readonly code: 'banned' | 'rate_limited';
}

/** What a process states of its part of a window, and what it wants of it. Weights are those of the window. */
export interface Part {
  /** Not that of any other process. */
  readonly id: string;
  /** What has ended since the last time: it counts for `per` ms from now. */
  readonly spent: number;
  /** Under way now. It counts until a later part of the same id states otherwise, or `life` ms are over. */
  readonly held: number;
  /** What it wants to hold in all, and the least of it that is of use: more than `held` where a request waits. */
  readonly want: number;
  readonly least: number;
  readonly life: number;
  /** A pause that the other processes do not know yet. */
  readonly pause: SharedPause | null;
}

/** The answer to a part. */
export interface Room {
  /** What the process holds now: at least what is under way. */
  readonly held: number;
  /** Ms after which there may be room for `least`; 0 where it is held. */
  readonly wait: number;
  readonly pause: SharedPause | null;
}

/** The store of the windows. */
export interface SharedWindows {
  /** Replaces the part of a process. Rejects when the store is away. */
  sync(window: SharedWindow, part: Part): Promise<Room>;
}
