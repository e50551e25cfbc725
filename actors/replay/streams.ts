/** The streams of an exchange by the names that recordings have of them. */

import type { InstrumentMap } from '../sources/define.ts';
import { streamsOf } from '../sources/feeds.ts';
import type {
  BookStream,
  EachStream,
  LatestStream,
  TradeStream,
} from '../sources/streams/stream.ts';
import type { Venue } from '../sources/venue.ts';
import type { Liquidation, LiveTopic } from '../topics/index.ts';

/** A stream, and what its messages hold. */
export type ReplayedStream =
  | { kind: 'trades'; stream: TradeStream }
  | { kind: 'books'; stream: BookStream }
  | { kind: 'liquidations'; stream: EachStream<Liquidation> }
  | { kind: 'rows'; stream: LatestStream<LiveTopic>; topics: readonly LiveTopic[] };

/** A connection of a recording. */
export interface Peer {
  part: string;
  name: string;
  of: ReplayedStream;
  /** It was made to the address behind the first. */
  isBehind: boolean;
  send(): void;
}

/** The lists of a part: as they are, and in the units of the exchange itself. */
export interface Lists {
  listed: InstrumentMap;
  native: InstrumentMap;
  /** As `native`, but contracts that are worth so much of the quote stay that. */
  contracts: InstrumentMap;
}

/** By name; those of the address behind the first, where there is one, by name and URL. */
export function replayedStreams({
  books = {},
  trades = {},
  events = {},
  live,
}: Venue): ReadonlyMap<string, ReplayedStream> {
  const found = new Map<string, ReplayedStream>();
  const add = (name: string, of: ReplayedStream, behind?: ReplayedStream) => {
    found.set(name, of);
    if (behind) found.set(`${name} ${behind.stream.url}`, behind);
  };
  for (const [part, stream] of Object.entries(books)) {
    const behind = stream?.behind && ({ kind: 'books', stream: stream.behind } as const);
    if (stream) add(`books/${part}`, { kind: 'books', stream }, behind);
  }
  for (const [part, stream] of Object.entries(trades)) {
    const behind = stream?.behind && ({ kind: 'trades', stream: stream.behind } as const);
    if (stream) add(`trades/${part}`, { kind: 'trades', stream }, behind);
  }
  for (const [part, stream] of Object.entries(events.liquidations ?? {}))
    found.set(`liquidations/${part}`, { kind: 'liquidations', stream });
  for (const { name, topics, stream } of streamsOf(live ?? {}))
    found.set(name, { kind: 'rows', topics, stream });
  return found;
}
