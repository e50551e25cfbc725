import type { Bus, RedisLatency } from '../../actors/bus/bus.ts';

/** A server of Redis. */
export interface RedisServer {
  /** The environment variable that names it. */
  setting: string;
  state: ReturnType<Bus['state']>;
  /** What is wrong, and what to do; null while nothing is known to be. */
  problem: string | null;
}

/** The state of the process for its own pages. */
export interface Health {
  /** Calls `listener` after each change of what it says. */
  listen(listener: () => void): () => void;
  /**
   * `slow`: it answers after more than 500 ms; `read_only`: it answers and takes no writes (its memory or its disk is
   * full, or it is a replica).
   */
  redis(): ReturnType<Bus['state']>;
  /** Each server that has a setting of its own. */
  redisServers(): RedisServer[];
  /** What it has lost, and what to do; null while nothing is known to be lost. */
  redisProblem(): string | null;
  /** How long it takes to answer; null before its first answer. */
  redisLatency(): RedisLatency | null;
  /** Hosts whose clock differs from that of Redis by more than a second: by how much it is ahead, ms, negative where it is behind. */
  clocks(): { host: string; ahead_ms: number }[];
  /** Whether the data are those of the upstreams or of the simulator. */
  data(): 'live' | 'simulated';
  /** The store of recorded series, and what is wrong with it. */
  history(): { state: 'up' | 'failing' | 'down'; problem: string | null };
  /** When the newest reading was received, Unix milliseconds; null when there is none. */
  newest(): number | null;
  /** Whether every view has data, and the names of those that have none. */
  ready(): { ready: boolean; missing: string[] };
  /** Seconds since the process began. */
  uptime(): number;
}
