/** When the channels of a connection brought data, and how often they do: one that has stopped is told from one that is quiet. */
import type { InstrumentMap } from '../define.ts';

/** Data within this time count as one beat: trades come in bursts. */
const beatMs = 1_000;
/** Beats after which the mean time between them says something. */
const enough = 8;
/** The mean follows a change over about so many beats. */
const smoothing = 16;
/** Data are absent after so many times the mean: a quiet market is asked for again once in a long time at most. */
const times = 20;

class Beat {
  last: number;
  #gap = 0;
  #count = 1;

  constructor(now: number) {
    this.last = now;
  }

  get isSteady(): boolean {
    return this.#count >= enough;
  }

  note(now: number): void {
    const gap = now - this.last;
    if (gap < beatMs) return;
    this.#gap += (gap - this.#gap) / Math.min(this.#count, smoothing);
    this.#count += 1;
    this.last = now;
  }

  /** Whether it has stopped; the pause is `least` ms at least. */
  hasStopped(now: number, least: number): boolean {
    return this.isSteady && now - this.last >= Math.max(least, times * this.#gap);
  }
}

/** All markets of a topic. */
const all = '';

export class Beats {
  readonly #opened: number;
  #any: Beat | null = null;
  /** By topic and market. */
  readonly #topics = new Map<string, Map<string, Beat>>();

  /** `opened`: by the monotonic clock, ms, as all times here. */
  constructor(opened: number) {
    this.#opened = opened;
  }

  /** Markets that have brought data. */
  get markets(): number {
    const found = new Set([...this.#topics.values()].flatMap((topic) => [...topic.keys()]));
    return found.size - (found.has(all) ? 1 : 0);
  }

  /** Data come regularly. */
  get isSteady(): boolean {
    return this.#any?.isSteady === true;
  }

  /** Any data have come. */
  noteAny(now: number): void {
    if (this.#any) this.#any.note(now);
    else this.#any = new Beat(now);
  }

  /** A market has brought data of a topic. */
  note(market: string, topic: string, now: number): void {
    const known = this.#topics.get(topic);
    const beats = known ?? new Map<string, Beat>();
    if (!known) this.#topics.set(topic, beats);
    for (const one of [market, all]) {
      const beat = beats.get(one);
      if (beat) beat.note(now);
      else beats.set(one, new Beat(now));
    }
  }

  /** Forgets all markets but these. */
  keep(markets: InstrumentMap): void {
    for (const beats of this.#topics.values())
      for (const market of beats.keys())
        if (market !== all && !markets.has(market)) beats.delete(market);
  }

  /**
   * For how long data are absent that should come, ms: any, those of a topic or, with `each`, those of a market. Null while none
   * are. `first` is how long the first data may take.
   */
  quiet(now: number, { least, first, each }: { least: number; first: number; each: boolean }) {
    const since = now - (this.#any?.last ?? this.#opened);
    if (this.isSteady ? this.#any?.hasStopped(now, least) : since >= first) return since;
    for (const beats of this.#topics.values())
      for (const [market, beat] of beats)
        if ((each || market === all) && beat.hasStopped(now, least)) return now - beat.last;
    return null;
  }
}
