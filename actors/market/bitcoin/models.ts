/** The job that publishes the models: the live ones every minute, the others on a new day or close. */
import { setImmediate } from 'node:timers/promises';
import { minute } from '../../../config/time.ts';
import { type Failure, failed } from '../../failure.ts';
import type { JobContext } from '../../sources/context.ts';
import type { Job, Round } from '../../sources/job.ts';
import type { IndicatorName } from '../../topics/indicator-names.ts';
import { type IndicatorDocument, mostHistory } from '../../topics/market-indicators.ts';
import { closesModels } from './closes-models.ts';
import { dailyModels } from './daily-models.ts';
import type { Book, Current, Live, Model, Moment } from './model.ts';

/** Interval of the check for new inputs, so that the data of a first start is published at once. */
const every = 5_000;
const job = 'models';

export interface ModelsOptions {
  context: Pick<JobContext, 'publish' | 'last'>;
  book: Book;
  /** Null while the price is unknown. */
  live(now: number): Live | null;
}

/** The published reading and chart of one model since the lease was gained. */
interface Sent {
  /** Of the newest reading, of an earlier life too, Unix ms. */
  updated: number;
  /** The inputs of the published reading and of the published chart. */
  reading: readonly unknown[];
  chart: readonly unknown[];
}

const same = (a: readonly unknown[], b: readonly unknown[]) =>
  a.length === b.length && a.every((one, at) => one === b[at]);

/** The reading that the front gets. */
export function readingOf<N extends IndicatorName>(
  { name, what, cadence }: Model<N>,
  current: Current<N>,
): IndicatorDocument<N> {
  const { found, source, updated_at, received_at } = current;
  const { fields, live } = found.ok ? found.value : { fields: null, live: null };
  const lacks = found.ok ? null : { what, needs: found.needs, has: found.has };
  return { name, fields, lacks, source, updated_at, received_at, stale_after: 3 * cadence, live };
}

class Models {
  readonly #options: ModelsOptions;
  readonly #sent = new Map<Model, Sent>();

  constructor(options: ModelsOptions) {
    this.#options = options;
  }

  async run({ now, signal }: Round): Promise<Failure | null> {
    const { live } = this.#options;
    const moment: Moment = { now, live: live(now) };
    const failures: Failure[] = [];
    for (const model of [...closesModels, ...dailyModels]) {
      if (signal.aborted) return failed('stopped', `${job}: stopped`).failure;
      const failure = await this.#tell(model, moment);
      if (failure) failures.push(failure);
    }
    return failures[0] ?? null;
  }

  async #tell(model: Model, moment: Moment): Promise<Failure | null> {
    const { book, context } = this.#options;
    const sent = await this.#sentOf(model, moment.now);
    const inputs = model.inputs(book);
    if (!same(sent.chart, inputs)) {
      const rows = model.history(book).slice(-mostHistory);
      const days = model.days(book);
      const chart = { name: model.name, rows, recorded_from: null, days };
      // An empty reading does not replace the published one.
      const failure =
        rows.length === 0 ? null : await context.publish('indicatorHistories', model.name, chart);
      if (failure) return failure;
      sent.chart = inputs;
      // A chart of years takes up to 30 ms: frames of streams go between two of them.
      await setImmediate();
    }
    return this.#tellReading(model, sent, moment);
  }

  /** A reading older than the published one is dropped: without a live price the published one is shown as stale. */
  async #tellReading(model: Model, sent: Sent, moment: Moment): Promise<Failure | null> {
    const { book, context } = this.#options;
    const { now, live } = moment;
    const time = model.received
      ? [model.received(book)]
      : [Math.floor(now / minute), live === null];
    const inputs = [...model.inputs(book), ...time];
    if (same(sent.reading, inputs)) return null;
    const current = model.current(book, moment);
    if (!current || current.updated_at < sent.updated) return null;
    const reading = readingOf(model, current);
    const failure = await context.publish('marketIndicators', model.name, reading);
    if (failure) return failure;
    sent.reading = inputs;
    sent.updated = reading.updated_at;
    return null;
  }

  async #sentOf(model: Model, now: number): Promise<Sent> {
    const known = this.#sent.get(model);
    if (known) return known;
    const last = await this.#options.context.last('marketIndicators', model.name);
    const updated = Math.min(last?.updated_at ?? 0, now);
    const sent: Sent = { updated, reading: [], chart: [] };
    this.#sent.set(model, sent);
    return sent;
  }
}

/** Publishes the readings and charts of the models. */
export function modelsJob(options: ModelsOptions): Job {
  const models = new Models(options);
  return { name: job, every, run: (round) => models.run(round) };
}
