import type { Logger } from '../../config/log.ts';
import type { Bus } from '../bus/bus.ts';
import type { Clock } from '../kernel/clock.ts';
import type { InstrumentBook } from './instruments.ts';
import type { Turnovers } from './rotation.ts';

/** What the sources of one process share. */
export interface SourceContext {
  bus: Pick<Bus, 'publish' | 'lastOf' | 'leases'>;
  book: InstrumentBook;
  turnovers: Turnovers;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  log: Logger;
  /** Base URL that every WebSocket goes through, as the requests do; none when null. */
  gateway: string | null;
  /** This process, as the leases and `/v1/status` name it. */
  process: string;
}
