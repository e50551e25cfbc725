import type { Bus } from '../bus/bus.ts';
import type { HoldingContext } from './holding.ts';
import type { InstrumentBook } from './instruments.ts';
import type { Turnovers } from './rotation.ts';

/** What the sources of one process share. */
export interface SourceContext extends HoldingContext {
  bus: Pick<Bus, 'publish' | 'lastOf' | 'leases'>;
  book: InstrumentBook;
  turnovers: Turnovers;
  /** Base URL that every WebSocket goes through, as the requests do; none when null. */
  gateway: string | null;
}
