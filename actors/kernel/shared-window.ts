/** Sliding windows of weight that all processes behind one address share, and the pauses that upstreams ask for. */

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

/** What a request wants of a window: it has ended `life` ms from now at the latest. */
export interface WindowClaim {
  readonly weight: number;
  readonly life: number;
}

/** Whether there is room. */
export interface Room {
  /** Where it stands in the window; null without room, or where the window does not know of it. */
  readonly place: number | null;
  /** Ms before which there is none; 0 where there is, or where a pause decides. */
  readonly wait: number;
  readonly pause: SharedPause | null;
}

/** A request that has ended. */
export interface Ended {
  readonly place: number | null;
  readonly weight: number;
  /** For how long it counts from now, ms; 0 where it was not sent. */
  readonly keep: number;
  /** Whether the upstream has answered without asking for silence. */
  readonly isAnswer: boolean;
  /** The weight that the upstream counts itself; 0 where it does not say. */
  readonly stated: number;
}

/** The store of the windows. Everything rejects when it is away. */
export interface SharedWindows {
  /** After the end of a pause one request is let through, and the others after its answer. */
  take(window: SharedWindow, claim: WindowClaim): Promise<Room>;
  end(window: SharedWindow, ended: Ended): Promise<void>;
  /** Never shortens a pause. */
  pause(api: string, pause: SharedPause): Promise<void>;
}
