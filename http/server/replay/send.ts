/** How recordings leave: at the pace of who reads them, and of its quota. */
import { type Clock, late, sleep, within } from '../../../actors/kernel/clock.ts';
import type { Texts } from '../../answers/replay.ts';
import { type ApiError, apiError } from '../../wire/errors.ts';
import type { Shared } from '../handling.ts';

/** Bytes that count as one request. */
const perRequest = 2 ** 20;
/** Bytes that may wait for a client, and the longest time that it takes nothing, ms. */
export const most = { waiting: 2 ** 20, idle: 30_000 };
/** Before the quota is asked again, ms. */
const pause = 1_000;

/** Replays of one client address at once: each reads and parses as fast as it can. */
const mostOfAddress = 8;

const tooMany = apiError(
  'too_many_requests',
  `${mostOfAddress} replays of your address are under way`,
  { retryAfter: 10 },
);

/** Takes the place of a replay of a client address; the error where it has none left. */
export function enterReplay(
  { inFlight }: Pick<Shared, 'inFlight'>,
  address: string,
): (() => void) | ApiError {
  const name = `replay:${address}`;
  return inFlight.enter(name, mostOfAddress) ? () => inFlight.leave(name) : tooMany;
}

/** Who gets the texts of a replay. */
export interface Reader {
  signal: AbortSignal;
  /** Writes a text; false where the next one has to wait. */
  write(text: string): boolean;
  /** Resolves when it takes more. */
  drained(): Promise<void>;
  /** Counts one more request; false where the quota has none left at present. */
  count(): Promise<boolean>;
}

/** Gives a text to the reader; false where it takes nothing for too long. */
async function give(reader: Reader, text: string, clock: Clock): Promise<boolean> {
  if (reader.signal.aborted) return false;
  if (reader.write(text)) return true;
  return (await within(clock, most.idle, reader.drained())) !== late;
}

/** Waits until the quota of the reader has one more request. */
async function charge(reader: Reader, clock: Clock): Promise<void> {
  while (!reader.signal.aborted && !(await reader.count()))
    await sleep(clock, pause, reader.signal);
}

/** Sends all texts at the pace of their reader and of its quota; false where the reader takes nothing, or has gone. */
export async function send(clock: Clock, texts: Texts, reader: Reader): Promise<boolean> {
  let bytes = 0;
  for await (const some of texts) {
    for (const text of some) {
      if (!(await give(reader, text, clock))) return false;
      bytes += text.length;
    }
    for (; bytes >= perRequest; bytes -= perRequest) await charge(reader, clock);
  }
  return !reader.signal.aborted;
}
