/** The recorder of a feed process. */
import type { Bus } from '../../actors/bus/bus.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import type { InstrumentBook } from '../../actors/sources/instruments.ts';
import { Recorder } from '../../actors/sources/recording/recorder.ts';
import type { Config } from '../../config/config.ts';
import type { Logger } from '../../config/log.ts';
import { makeFolder, recordingsFolder } from './folder.ts';

/** The recorder that the settings ask for, if they ask for one. */
export function recordingOf(
  config: Config,
  { id, book, bus, log }: { id: string; book: InstrumentBook; bus: Bus; log: Logger },
): { recorder?: Recorder } {
  if (config.record.length === 0) return {};
  const recorder = new Recorder({
    folder: makeFolder(config.dataDir, recordingsFolder),
    types: new Set(config.record),
    exchanges: config.recordExchanges,
    symbols: config.recordSymbols,
    keepDays: config.recordKeep,
    mostBytes: config.recordMostGb * 1e9,
    process: id,
    clock,
    log,
    listed: (source, part) => book.part(source, part),
    // A row that was not published is followed by the next one.
    publish: (row) => void bus.publish('status', `recorder/recording/${row.part}`, row),
  });
  return { recorder };
}
