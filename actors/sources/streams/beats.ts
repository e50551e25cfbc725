/** When the channels of a connection brought data, and how often they do: one that has stopped is told from one that is quiet. */

/** Data within this time count as one beat: trades come in bursts. */
const beatMs = 1_000;
/** Beats after which the mean time between them says something. */
const enough = 8;
/** The mean follows a change over about so many beats. */
const smoothing = 16;
/** Data are absent after so many times the mean: a quiet market is asked for again once in a long time at most. */
const times = 20;

interface Beat {
  last: number;
  /** Mean time between two, ms. */
  gap: number;
  count: number;
}

function note(beats: Map<string, Beat>, name: string, now: number): void {
  const beat = beats.get(name);
  if (!beat) beats.set(name, { last: now, gap: 0, count: 1 });
  else if (now - beat.last >= beatMs) {
    beat.gap += (now - beat.last - beat.gap) / Math.min(beat.count, smoothing);
    beat.count += 1;
    beat.last = now;
  }
}

/** All markets of a topic. */
const all = '';

/** Times are by the monotonic clock, ms. */
export class Beats {
  /** By topic and market. */
  readonly #topics = new Map<string, Map<string, Beat>>();

  /** How many markets have brought data. */
  get markets(): number {
    const found = new Set([...this.#topics.values()].flatMap((beats) => [...beats.keys()]));
    found.delete(all);
    return found.size;
  }

  /** Whether data of any topic come regularly. */
  get areSteady(): boolean {
    return [...this.#topics.values()].some((beats) => (beats.get(all)?.count ?? 0) >= enough);
  }

  /** Data of a market have come. */
  note(now: number, topic: string, market: string): void {
    const known = this.#topics.get(topic);
    const beats = known ?? new Map<string, Beat>();
    if (!known) this.#topics.set(topic, beats);
    note(beats, all, now);
    note(beats, market, now);
  }

  /** Forgets these markets. */
  forget(markets: Iterable<string>): void {
    for (const market of markets) for (const beats of this.#topics.values()) beats.delete(market);
  }

  /**
   * For how long data are absent that came regularly, ms: those of a topic and, with `each`, those of a market of it. `least` is the
   * shortest absence. Null while none are.
   */
  quiet(now: number, least: number, each: boolean): number | null {
    for (const beats of this.#topics.values())
      for (const [market, { last, gap, count }] of beats) {
        const isLong = count >= enough && now - last >= Math.max(least, times * gap);
        if (isLong && (each || market === all)) return now - last;
      }
    return null;
  }
}
