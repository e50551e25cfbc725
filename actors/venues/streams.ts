/** Shared by the streams of the venues: channels, acknowledgements, refusals, and what is remembered of a connection. */
import { ShapeError } from '../failure.ts';
import { isRecord } from '../read.ts';
import type { InstrumentMap } from '../sources/define.ts';
import type { Refusal } from '../sources/streams/stream.ts';
import { pieces } from './cells.ts';

/** The messages that subscribe to a channel of each market. */
export const forMarkets =
  (request: (market: string) => string) =>
  (instruments: InstrumentMap): string[] =>
    [...instruments.keys()].map(request);

/** The messages that subscribe to the channels of so many markets each. */
export const forPieces =
  (size: number, request: (markets: readonly string[]) => string) =>
  (instruments: InstrumentMap): string[] =>
    pieces([...instruments.keys()], size).map(request);

/** Takes a message that has these values as the acknowledgement of one subscription. */
export function acknowledgedBy(values: Readonly<Record<string, unknown>>) {
  const wanted = Object.entries(values);
  return (message: unknown): number =>
    isRecord(message) && wanted.every(([key, value]) => message[key] === value) ? 1 : 0;
}

/** The object at a key of a message, or ShapeError. */
export function objectIn(message: unknown, key: string): Record<string, unknown> {
  const value = isRecord(message) ? message[key] : undefined;
  if (!isRecord(value)) throw new ShapeError(`${key}: no object`);
  return value;
}

/** How the messages of a venue name what they subscribe to. */
interface Subscribing {
  namesIn(message: string): readonly string[];
  subscription(names: readonly string[]): string;
}

/** The message in `sent` with a name that `why` holds, and what is left of it without these; null where there is none. */
export function leftOf(
  why: string,
  sent: readonly string[],
  { namesIn, subscription }: Subscribing,
): Refusal | null {
  const refused = new Set(why.split(/[^\p{L}\p{M}\p{N}\p{Sc}_.-]+/u));
  const of = sent.find((message) => namesIn(message).some((name) => refused.has(name)));
  if (of === undefined) return null;
  const rest = namesIn(of).filter((name) => !refused.has(name));
  return { of, rest: rest.length === 0 ? null : subscription(rest) };
}

/** The value that `make` made for a connection, the same until it ends; a new one where no connection is given. */
export function memoryOf<State>(make: () => State): (connection: object | undefined) => State {
  const states = new WeakMap<object, State>();
  return (connection) => {
    const state = (connection && states.get(connection)) ?? make();
    if (connection) states.set(connection, state);
    return state;
  };
}
