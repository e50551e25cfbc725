/** What keeps leases for many processes. */

/**
 * The store of leases. `holder` differs with every attempt and begins with the process and a slash. Rejects when it cannot
 * answer.
 */
export interface LeaseStore {
  /**
   * The fencing number, strictly growing per name, or null when another holds it or stands by for it. `ttl`
   * in milliseconds.
   */
  acquire(name: string, holder: string, ttl: number): Promise<number | null>;
  /**
   * Restarts the ttl. False, without a change, when `holder` does not hold it. With `fence`, that of its holder, a lease that
   * has run out and that nobody has had since is held again.
   */
  renew(name: string, holder: string, ttl: number, fence?: number): Promise<boolean>;
  /** Does nothing when `holder` does not hold it. */
  release(name: string, holder: string): Promise<void>;
}

/** How a process stands by. */
export interface StandbyOptions {
  /** For how long, or for how long again, ms. */
  ttl: number;
  /** It can go on for the holder without a gap. */
  isReady?: boolean;
  /** The holder is about to end. */
  isLeft?: boolean;
}

/** Who holds a lease, and who stands by for it: processes, or null. */
export interface Held {
  holder: string | null;
  standby: string | null;
  isReady: boolean;
  /** A process has stood by within the last minute: none may begin now, unless the holder is about to end. */
  rests: boolean;
}

/** The one process that stands by for each lease, and gets it next. Each method rejects when the store cannot answer. */
export interface Standbys {
  /**
   * Makes a process the standby. False where another one is, or where one has been made within the last minute, unless the
   * holder is about to end (`isLeft`): this bounds how often a lease changes hands while its holder lives.
   */
  standBy(name: string, process: string, options: StandbyOptions): Promise<boolean>;
  /** Does nothing when the process does not stand by. */
  withdraw(name: string, process: string): Promise<void>;
  /** In the order of the names, one at least. */
  look(names: readonly string[]): Promise<Held[]>;
}
