/** What keeps leases for many processes. */

/**
 * The store of leases. `holder` differs with every attempt and begins with the process and a slash. Rejects when it cannot
 * answer.
 */
export interface LeaseStore {
  /**
   * The fencing number, strictly growing per name, or null when another holds it or is its successor. `ttl` in
   * milliseconds.
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

/** The successors of holders: the only processes that get a lease next. Each method rejects when the store cannot answer. */
export interface Successors {
  /**
   * Makes a process the successor for `ttl` ms, or for so long again. False where another one is, or where one has been made
   * within the last minute, unless the holder is about to end (`isLeft`): this bounds how often a lease changes hands while its
   * holder lives.
   */
  reserve(name: string, process: string, ttl: number, isLeft?: boolean): Promise<boolean>;
  /** Does nothing when the process is not the successor. */
  withdraw(name: string, process: string): Promise<void>;
  /** Null without any. */
  successor(name: string): Promise<string | null>;
}
