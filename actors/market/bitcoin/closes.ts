/** The job that stores Bitcoin's daily closes: filled once from several sources, then one day a day. */
import { hour, minute } from '../../../config/time.ts';
import {
  agrees,
  type DayRange,
  extend,
  gaps,
  type HistoryDay,
  missing,
  prepend,
  type RefusedDay,
  type SourceDays,
} from '../../../indicators/market/daily-closes.ts';
import { type DayClose, dateOf, dayOf } from '../../../indicators/market/days.ts';
import { type Failure, failed } from '../../failure.ts';
import { blockchainInfo } from '../../providers/blockchain-info.ts';
import { coingecko } from '../../providers/coingecko.ts';
import type { JobContext } from '../../sources/context.ts';
import type { Poll } from '../../sources/define.ts';
import type { Job, Round } from '../../sources/job.ts';
import { askPoll } from '../../sources/polling/ask.ts';
import { bitcoinMarkets } from '../../venues/daily-markets.ts';
import type { StoredSeries } from '../stored-series.ts';
import { venueDays } from '../venue-days.ts';

/** The first day of the history: blockchain.com has no price before it. */
export const firstClose = dayOf('2010-08-16');

interface DaySource {
  upstream: string;
  /** The first day that it has. */
  since: number;
  poll: Poll<DayClose>;
}

/** Which source's close of a day is preferred, best first. */
export const daySources: readonly DaySource[] = [
  ...bitcoinMarkets.map(({ venue, market, since }) => ({
    upstream: venue.id,
    since,
    poll: venueDays(venue, market),
  })),
  {
    upstream: blockchainInfo.id,
    since: firstClose,
    poll: blockchainInfo.polls.bitcoinDays,
  },
];

/** Has the last 365 days only, and few calls a minute. */
const lastResort: DaySource = {
  upstream: coingecko.id,
  since: firstClose,
  poll: coingecko.polls.bitcoinDays,
};

/** Whole histories take several pages, which budgets spread. */
const deadline = minute;
/** Between two attempts to get days before the first stored one. */
const olderEvery = hour;
const job = 'days';

export interface ClosesOptions {
  context: JobContext;
  stored: StoredSeries<HistoryDay>;
  /** Bitcoin's price now, US dollars; null while it is unknown. */
  price(now: number): number | null;
}

class Closes {
  readonly #options: ClosesOptions;
  #olderAt = 0;

  constructor(options: ClosesOptions) {
    this.#options = options;
  }

  /** Every minute, so that a day is stored within a minute of 00:10 UTC; without a day missing nothing is asked. */
  async run(round: Round): Promise<Failure | null> {
    const { stored } = this.#options;
    // Without a history process the days go on: they are stored when there is one.
    const unsaved = await stored.settle();
    const wanted = missing(stored.rows, round.now, firstClose);
    const failure = wanted && (await this.#append(wanted, round));
    if (failure) return failure;
    if (missing(stored.rows, round.now, firstClose) === null) stored.confirm(round.now);
    return (await this.#older(round)) ?? unsaved;
  }

  async #append(range: DayRange, round: Round): Promise<Failure | null> {
    const { stored, context } = this.#options;
    const first = stored.rows.length === 0;
    const history = first ? await this.#fill(range, round) : await this.#follow(range, round);
    if (round.signal.aborted) return failed('stopped', `${job}: stopped`).failure;
    if (history.length === stored.rows.length) {
      return failed('unavailable', `${job}: no source has ${dateOf(range.from)}`).failure;
    }
    return stored.save(history, context.clock.now());
  }

  /** The first fill: all sources at once, and the last resort where none of them can be used. */
  async #fill(range: DayRange, round: Round): Promise<readonly HistoryDay[]> {
    const { status } = this.#options.context;
    const answers = await this.#askAll(daySources, range, round);
    let used = this.#trusted(answers, this.#reference(answers, round.now));
    if (used.length > 0) status.standby(job, [lastResort.upstream]);
    else {
      used = this.#trusted(
        await this.#askAll([lastResort], range, round),
        this.#options.price(round.now),
      );
    }
    const { history, refused } = extend([], used, range);
    this.#note(refused);
    return history;
  }

  /** The days after the last one: the next source is asked for days that the earlier ones lack or have wrong. */
  async #follow(range: DayRange, round: Round): Promise<readonly HistoryDay[]> {
    const { stored, context } = this.#options;
    const sources = [...daySources, lastResort];
    const given: SourceDays[] = [];
    let history: readonly HistoryDay[] = stored.rows;
    for (const [at, source] of sources.entries()) {
      const answer = await this.#ask(source, range, round);
      if (round.signal.aborted) return stored.rows;
      if (!answer) continue;
      given.push(answer);
      const tried = extend(stored.rows, given, range);
      history = tried.history;
      const lie = tried.refused.find((refused) => refused.source === source.upstream);
      if (lie) this.#doubt(source.upstream, wordsOf(lie));
      const dated = history.slice(stored.rows.length).filter(({ filled }) => !filled);
      if (gaps(dated, range).length > 0) continue;
      context.status.standby(
        job,
        sources.slice(at + 1).map(({ upstream }) => upstream),
      );
      break;
    }
    return history;
  }

  /** Days before the first stored one, from time to time, until a source that has all of them gave them. */
  async #older(round: Round): Promise<Failure | null> {
    const { stored, context } = this.#options;
    const [first] = stored.rows;
    if (!first || first.day <= firstClose || first.source === blockchainInfo.id) return null;
    if (round.now < this.#olderAt) return null;
    this.#olderAt = round.now + olderEvery;
    const sources = daySources.filter(({ since }) => since < first.day);
    const answers = await this.#askAll(sources, { from: firstClose, to: first.day }, round);
    if (round.signal.aborted) return null;
    const used = this.#trusted(answers, first.close);
    const { history, refused } = prepend(stored.rows, used, firstClose);
    this.#note(refused);
    return history === stored.rows ? null : stored.save(history, context.clock.now());
  }

  /** The reference of the newest close: the live price, else the median of three sources or more. */
  #reference(answers: readonly SourceDays[], now: number): number | null {
    const newest = answers.flatMap(({ rows }) => rows.at(-1)?.close ?? []).sort((a, b) => a - b);
    const middle = newest.length < 3 ? null : (newest[Math.floor(newest.length / 2)] ?? null);
    return this.#options.price(now) ?? middle;
  }

  /** The answers whose newest close is plausible at this price; all where no price is known. */
  #trusted(answers: readonly SourceDays[], price: number | null): readonly SourceDays[] {
    if (price === null) return answers;
    return answers.filter((answer) => {
      if (agrees(answer, price)) return true;
      this.#doubt(answer.source, `its newest close cannot be of a market at ${price} USD`);
      return false;
    });
  }

  async #askAll(
    sources: readonly DaySource[],
    range: DayRange,
    round: Round,
  ): Promise<readonly SourceDays[]> {
    const answers = await Promise.all(sources.map((source) => this.#ask(source, range, round)));
    return answers.filter((answer) => answer !== null);
  }

  async #ask(
    { upstream, since, poll }: DaySource,
    { from, to }: DayRange,
    { signal }: Round,
  ): Promise<SourceDays | null> {
    const { context } = this.#options;
    const plan = { from: Math.max(from, since), to };
    const found = await askPoll(context, { upstream, poll, plan, deadline }, signal);
    if (signal.aborted) return null;
    if (!found.ok) {
      context.status.failure(job, upstream, found.failure);
      return null;
    }
    const { asked, received, dropped, rows } = found.value;
    context.status.success(job, upstream, { asked, received, dropped, rows: rows.length });
    const inside = rows.filter(({ day }) => day >= from && day <= to);
    return { source: upstream, rows: inside.sort((a, b) => a.day - b.day) };
  }

  #note(refused: readonly RefusedDay[]): void {
    const examples = refused.slice(0, 5).map((one) => `${one.source}: ${wordsOf(one)}`);
    if (refused.length > 0)
      this.#options.context.log.warn({ count: refused.length, examples }, 'closes refused');
  }

  #doubt(upstream: string, why: string): void {
    const { failure } = failed('shape', why);
    this.#options.context.status.failure(job, upstream, failure);
  }
}

const wordsOf = ({ day, why }: RefusedDay) => `the close of ${dateOf(day)} is refused: ${why}`;

/** Keeps the closes of all days that are over. */
export function closesJob(options: ClosesOptions): Job {
  const closes = new Closes(options);
  return { name: job, every: minute, run: (round) => closes.run(round) };
}
