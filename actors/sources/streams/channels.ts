/**
 * The channels in the messages that subscribe: upstreams take one in each message, or a list of them. A channel is named by its
 * element of that list, or by the whole message. A message that none can end is one channel: it replaces the one before it.
 */
import { messageOf } from '../../upstream/frames.ts';

/** The longest list of things of one type anywhere in a message; null without any, or where it is empty. */
function listIn(value: unknown): unknown[] | null {
  if (typeof value !== 'object' || value === null) return null;
  const isList = Array.isArray(value) && value.every((one) => typeof one === typeof value[0]);
  let longest = isList && value.length > 0 ? value : null;
  for (const inner of Object.values(value)) {
    const found = listIn(inner);
    if (found !== null && found.length > (longest?.length ?? 0)) longest = found;
  }
  return longest;
}

/** The word that subscribes: as a member, a value, or a part of a value behind or before a separator. */
const word = /(?<=["/:.])(sub(?:scribe)?|SUBSCRIBE)(?=[".])/;

/** A message as JSON, and the list in it; null where it is one channel. */
function listed(message: string): { whole: unknown; list: unknown[] } | null {
  const whole = word.test(message) ? messageOf(message) : null;
  const list = listIn(whole);
  return list && { whole, list };
}

/** The channels that a message subscribes to. */
export const channelsIn = (message: string): string[] =>
  listed(message)?.list.map((one) => JSON.stringify(one)) ?? [message];

/** The message without some of its channels; null where none is left. */
export function without(message: string, isOut: (channel: string) => boolean): string | null {
  const found = listed(message);
  if (found === null) return isOut(message) ? null : message;
  const { whole, list } = found;
  const left = list.filter((one) => !isOut(JSON.stringify(one)));
  if (left.length === 0) return null;
  if (left.length === list.length) return message;
  list.splice(0, list.length, ...left);
  return JSON.stringify(whole);
}

/**
 * The message that ends what this one subscribes to; null without one, and where it has none of the words that exchanges document in both forms:
 * `subscribe`, `SUBSCRIBE` and `sub`, with `unsubscribe`, `UNSUBSCRIBE` and `unsub`.
 */
export const ending = (message: string | null): string | null =>
  message !== null && word.test(message)
    ? message.replace(word, (found) => `${found === 'SUBSCRIBE' ? 'UN' : 'un'}${found}`)
    : null;
