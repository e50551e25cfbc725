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

const isSteady = (beat: Beat | undefined): boolean => beat !== undefined && beat.count >= enough;

/** All topics, and all markets of a topic. */
const all = '';

/** Times are by the monotonic clock, ms. */
export class Beats {
  /** By topic and market. */
  readonly #topics = new Map<string, Map<string, Beat>>();

  /** Markets that have brought data. */
  get markets(): number {
    const found = new Set([...this.#topics.values()].flatMap((topic) => [...topic.keys()]));
    found.delete(all);
    return found.size;
  }

  /** Data come regularly. */
  get areSteady(): boolean {
    return isSteady(this.#topics.get(all)?.get(all));
  }

  /** Data have come: of any topic, of a topic, or of a market of it. */
  note(now: number, topic = all, market = all): void {
    const known = this.#topics.get(topic);
    const beats = known ?? new Map<string, Beat>();
    if (!known) this.#topics.set(topic, beats);
    const beat = beats.get(market);
    if (!beat) beats.set(market, { last: now, gap: 0, count: 1 });
    else if (now - beat.last >= beatMs) {
      beat.gap += (now - beat.last - beat.gap) / Math.min(beat.count, smoothing);
      beat.count += 1;
      beat.last = now;
    }
    if (market !== all) this.note(now, topic);
  }

  /** Forgets all markets but these. */
  keep(markets: ReadonlyMap<string, unknown>): void {
    for (const beats of this.#topics.values())
      for (const market of beats.keys())
        if (market !== all && !markets.has(market)) beats.delete(market);
  }

  /**
   * For how long data are absent that should come, ms: any at all or those of a topic and, with `each`, those of a market, where
   * they came regularly; `least` is the shortest absence. Null while none are.
   */
  quiet(now: number, least: number, each: boolean): number | null {
    for (const beats of this.#topics.values())
      for (const [market, beat] of beats) {
        const since = now - beat.last;
        const isLong = isSteady(beat) && since >= Math.max(least, times * beat.gap);
        if (isLong && (each || market === all)) return since;
      }
    return null;
  }

  /** When any data came last; null before the first. */
  get last(): number | null {
    return this.#topics.get(all)?.get(all)?.last ?? null;
  }
}
