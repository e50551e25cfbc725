/** Refusals of a whole message that subscribes, for one name in it that the upstream does not know. */
import type { Refusal } from '../sources/streams/stream.ts';

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
  const refused = new Set(why.split(/[^\w.-]+/));
  const of = sent.find((message) => namesIn(message).some((name) => refused.has(name)));
  if (of === undefined) return null;
  const rest = namesIn(of).filter((name) => !refused.has(name));
  return { of, rest: rest.length === 0 ? null : subscription(rest) };
}
