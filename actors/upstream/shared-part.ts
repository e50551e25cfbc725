/** The part of this process in a window that all processes share. */
import { type Clock, late, within } from '../kernel/clock.ts';
import type { Part, SharedPause, SharedWindow, SharedWindows } from '../kernel/shared-window.ts';

/** How long an answer is waited for, how long the store is then left alone, and for how long an answer holds, ms. */
const patience = { answer: 250, away: 1_000, fresh: 1_000 } as const;
/** How long what is held for the next request counts, ms. */
const aheadLife = 30_000;

export interface SharedPartOptions {
  /** Absent where no other process uses the window. */
  shared: SharedWindows | undefined;
  window: SharedWindow;
  clock: Clock;
  /** What is under way, how much is held for the next request, and the latest end of both, monotonic ms. */
  state(): { held: number; ahead: number; last: number };
  /** There may be room now; none before `wait` ms, and a pause that another process was asked for. */
  onRoom(wait: number, pause: SharedPause | null): void;
}

/**
 * Costs one script of Redis for the requests of a turn, after their end, which also holds as much for the next one. A request
 * waits for it where none was made within a second, or where more is wanted: so that each process knows of a pause.
 */
export class SharedPart {
  readonly #options: SharedPartOptions;
  readonly #id = crypto.randomUUID();
  #held = 0;
  #fresh = Number.NEGATIVE_INFINITY;
  #away = Number.NEGATIVE_INFINITY;
  #spent = 0;
  #pause: { until: number; code: SharedPause['code'] } | null = null;
  #isUnderWay = false;
  #isPlanned = false;

  constructor(options: SharedPartOptions) {
    this.#options = options;
  }

  /** Whether `weight` may be under way. While the store is away the window of this process decides. */
  allows(weight: number): boolean {
    const now = this.#options.clock.monotonic();
    if (!this.#options.shared || now < this.#away) return true;
    return now < this.#fresh && weight <= this.#held;
  }

  /** What has ended, and a pause that the other processes do not know: told later, since the answer of the request goes first. */
  tell(spent: number, pause = this.#pause): void {
    this.#spent += spent;
    this.#pause = pause;
    if (this.#isPlanned || !this.#options.shared) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      void this.ask(0, 0);
    });
  }

  /** Asks for `want` beyond what is under way, of which `least` is needed. One exchange at a time; `onRoom` is its end. */
  async ask(least: number, want: number): Promise<void> {
    const { shared, window, clock, state, onRoom } = this.#options;
    const now = clock.monotonic();
    if (!shared || this.#isUnderWay || now < this.#away) return;
    this.#isUnderWay = true;
    const [spent, news] = [this.#spent, this.#pause];
    this.#spent = 0;
    const { held, ahead, last } = state();
    const life = Math.max(aheadLife, last - now);
    const pause = news && { ms: news.until - now, code: news.code };
    const wanted = { least: held + least, want: held + (least > 0 ? want : ahead) };
    const part: Part = { id: this.#id, spent, held, ...wanted, life, pause };
    const asked = shared.sync(window, part).catch((): typeof late => late);
    const room = await within(clock, patience.answer, asked);
    this.#isUnderWay = false;
    if (room === late) {
      this.#spent += spent;
      this.#away = clock.monotonic() + patience.away;
      return onRoom(0, null);
    }
    if (this.#pause === news) this.#pause = null;
    this.#held = room.held;
    this.#fresh = clock.monotonic() + patience.fresh;
    if (this.#spent > 0 || this.#pause) this.tell(0);
    onRoom(room.wait, room.pause);
  }
}
