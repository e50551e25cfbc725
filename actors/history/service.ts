/** The history: one process records, back-fills and answers; with a shared store the others answer too. */
import type { Logger } from '../../config/log.ts';
import { day } from '../../config/time.ts';
import type { Bus, Serving } from '../bus/bus.ts';
import { type Clock, within } from '../kernel/clock.ts';
import { leaseOf } from '../sources/lease.ts';
import type { MarketState } from '../state/market-state.ts';
import { historySource } from '../topics/index.ts';
import { SeriesAnswers } from './answers.ts';
import { type ArchiveOptions, Archives } from './archives.ts';
import { Backfiller } from './backfill.ts';
import { coverageAnswers } from './coverage-answers.ts';
import type { Series } from './define.ts';
import { deliveryAnswers, recordDeliveries } from './delivery-recorder.ts';
import { liquidationAnswers } from './liquidation-answers.ts';
import { recordLiquidations } from './liquidation-recorder.ts';
import { recordRows } from './record.ts';
import { Recorder } from './recorder.ts';
import { writeOf } from './rows.ts';
import { scorecardAnswers } from './scorecard-answers.ts';
import { funding, missedSettlements, runningFunding } from './series/funding.ts';
import { liquidations } from './series/liquidations.ts';
import { beginStatus, reportClosed } from './status.ts';
import { type Store, StoreError } from './store.ts';
import { Writer } from './writer.ts';

const source = historySource;
/** Questions in progress at once. */
const concurrency = 256;
/** Between two attempts to open the store, ms. */
const retry = 5_000;
/**
 * Longest that a stop waits for the store, ms: for the rows that wait, then for what is under way, then for its end. The process has ten
 * seconds, and a database may not answer for longer.
 */
const patience = 2_000;

interface Running {
  stop(): Promise<void>;
}

export interface HistoryOptions {
  bus: Bus;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  log: Logger;
  /** Id of the process. */
  process: string;
  series: readonly Series[];
  /** The state that the process follows. */
  market: MarketState;
  /** Whether several processes may use the store at once. */
  shared: boolean;
  /** The client that asks the archive of the past; null where it is not wanted. */
  archive: ArchiveOptions['client'] | null;
  /** Opens the store: at once where it is shared, else while the lease is held. Throws StoreError. */
  open(): Store;
}

/** Runs until stopped. */
export function startHistory(options: HistoryOptions): Running {
  const opened = options.shared ? options.open() : null;
  let recording: Recording | null = null;
  const want: Backfiller['want'] = (...asked) => recording?.want(...asked) ?? null;
  const answering = opened ? answer(options, opened, { want }) : null;
  const holder = () => {
    let own: Running | null = null;
    return {
      begin(fence: number) {
        recording = opened && record(options, opened, fence);
        own = recording ?? holdStore(options, fence);
      },
      async stop() {
        recording = null;
        await own?.stop();
      },
    };
  };
  const lease = leaseOf(source, options, { holder }).seek();
  return {
    async stop() {
      await Promise.all([lease.stop(), answering?.stop()]);
      if (opened) await within(options.clock, patience, opened.close());
    },
  };
}

/** Opens the store, repeating until that succeeds, and runs the service with it. */
function holdStore(options: HistoryOptions, fence: number): Running {
  const { bus, clock, log } = options;
  let held: { recording: Recording; serving: Serving; store: Store } | null = null;
  let cancel = () => {};
  const attempt = () => {
    try {
      const store = options.open();
      const recording = record(options, store, fence);
      held = { recording, serving: answer(options, store, recording), store };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      log.error({ err: error }, 'the history cannot be opened');
      reportClosed({ bus, clock, lease: { name: source, fence } }, error.message);
      cancel = clock.after(retry, attempt);
    }
  };
  attempt();
  return {
    async stop() {
      cancel();
      if (!held) return;
      await Promise.all([held.serving.stop(), held.recording.stop()]);
      await within(clock, patience, held.store.close());
    },
  };
}

function answer(
  { bus, clock, series }: HistoryOptions,
  store: Store,
  { want }: Pick<Partial<Recording>, 'want'>,
): Serving {
  const answers = new SeriesAnswers({ series, store, clock, ...(want && { want }) });
  const record = recordRows({ series, store, clock });
  const others = {
    ...liquidationAnswers(store, clock),
    ...scorecardAnswers(store, clock),
    ...coverageAnswers({ series, store, clock }),
    ...deliveryAnswers(store, clock),
  };
  const all = { ...answers.answers, ...others, record };
  return bus.serve(source, all, { concurrency });
}

interface Recording extends Running {
  want: Backfiller['want'];
}

/** Writes the settlements that no process has seen, as far as their rates are recorded; what is stored already stays. */
async function recoverSettlements(
  { series, clock, log }: HistoryOptions,
  store: Store,
  writer: Writer,
): Promise<void> {
  const [from, to] = [runningFunding, funding].map(({ name }) =>
    series.find((one) => one.name === name),
  );
  if (!from || !to) return;
  const [{ step }] = from.tiers;
  const now = clock.now();
  try {
    const samples = await store.scan(from, step, { from: now - day, to: now });
    const rows = missedSettlements(samples, { step, now });
    const how = { step: to.tiers[0].step, mode: 'fill' } as const;
    await writer.add({ writes: [writeOf(to, rows, how)] });
  } catch (error) {
    log.warn({ err: error }, 'settlements during a restart could not be looked for');
  }
}

function record(options: HistoryOptions, store: Store, fence: number): Recording {
  const { bus, clock, log, series, market, archive } = options;
  const writer = new Writer({ store, clock, log });
  void recoverSettlements(options, store, writer);
  const status = beginStatus({ bus, clock, writer, store, lease: { name: source, fence } });
  const recorder = new Recorder({
    ...{ series, store, writer, market, clock, log },
    onSampled: (rows, at) => status.sampled(rows, at),
  });
  const backfiller = new Backfiller({ series, bus, store, writer, market, clock, log });
  const archives =
    archive && new Archives({ client: archive, series, store, writer, market, clock, log });
  const events = recordLiquidations({
    ...{ bus, store, clock, log },
    onStored: (count, at) => status.sampled(new Map([[liquidations, count]]), at),
  });
  const deliveries = recordDeliveries({ bus, store, clock, log });
  return {
    want: (...asked) => backfiller.want(...asked),
    async stop() {
      // First, so that no question waits for a store that does not answer.
      await within(clock, patience, writer.stop());
      const parts = [recorder, backfiller, archives, events, deliveries];
      await within(clock, patience, Promise.all(parts.map((part) => part?.stop())));
      status.stop();
    },
  };
}
