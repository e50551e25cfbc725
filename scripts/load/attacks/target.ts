/** What is attacked, and what an attack gives. */

export interface Target {
  url: URL;
  key: string;
  token: string | undefined;
  simulator: URL | undefined;
  /** Its Redis, as REDIS_URL has it. */
  redis: string | undefined;
}

/** What an attack measured, and whether that is within its bound. */
export interface Verdict {
  measured: string;
  bound: string;
  /** Null where the attack was left out. */
  ok: boolean | null;
}
