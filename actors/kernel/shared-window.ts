/** Sliding windows of weight that several processes share. */

/** Weight that one process holds of a window: it counts in full until it is settled, or `life` ms are over. */
export interface Hold {
  /** Not that of any other hold, of any process. */
  readonly id: string;
  readonly weight: number;
  readonly life: number;
}

/** No `per` ms contain more than `weight`. */
export interface SharedWindow {
  readonly weight: number;
  readonly per: number;
}

/** The store of the windows, by name. */
export interface SharedWindows {
  /**
   * Holds weight where no `per` ms then contain more than the window has: 0 when it is held, else the ms after which there
   * may be room. A hold of the same id is replaced; it stays where there is no room. Rejects when the store is away.
   */
  hold(name: string, window: SharedWindow, wanted: Hold): Promise<number>;
  /**
   * Ends a hold, of which `spent` counts for `per` ms from now on. Where there is room, `next` is held, at once and under the
   * same id: true when it is. Rejects like `hold`.
   */
  settle(
    name: string,
    window: SharedWindow,
    ended: { id: string; spent: number; next: Omit<Hold, 'id'> | null },
  ): Promise<boolean>;
}
