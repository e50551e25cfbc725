/**
 * The channels in the messages that subscribe: upstreams take one in each message, or a list of them. A channel is named by its
 * element of that list, or by the whole message. A message that none can end is one channel: it replaces the one before it.
 */
import { messageOf } from '../../upstream/json.ts';

/** The longest list of things of one type anywhere in a message; empty without any. */
function listIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value) && value.every((one) => typeof one === typeof value[0]);
  const lists = Object.values(value).map(listIn);
  return lists.reduce(
    (one, other) => (other.length > one.length ? other : one),
    isList ? value : [],
  );
}

/** The word that subscribes: as a member, a value, or a part of a value behind or before a separator. */
const word = /(?<=["/:.])(sub(?:scribe)?|SUBSCRIBE)(?=[".])/;

/** A message as JSON, and the list in it, which is empty where the message is one channel. */
function listed(message: string): { whole: unknown; list: unknown[] } {
  const whole = word.test(message) ? messageOf(message) : null;
  return { whole, list: listIn(whole) };
}

/** The channels that a message subscribes to. */
export function channelsIn(message: string): string[] {
  const { list } = listed(message);
  return list.length > 0 ? list.map((one) => JSON.stringify(one)) : [message];
}

/** The message without some of its channels; null where none is left. */
export function without(message: string, isOut: (channel: string) => boolean): string | null {
  const channels = channelsIn(message);
  if (channels.every(isOut)) return null;
  if (!channels.some(isOut)) return message;
  const { whole, list } = listed(message);
  list.splice(0, list.length, ...list.filter((_, at) => !isOut(channels[at] ?? '')));
  return JSON.stringify(whole);
}

/**
 * The message that ends what this one subscribes to; null without one, and where it has none of the words that exchanges document in
 * both forms: `subscribe`, `SUBSCRIBE` and `sub`, with `unsubscribe`, `UNSUBSCRIBE` and `unsub`.
 */
export const ending = (message: string | null): string | null =>
  message !== null && word.test(message)
    ? message.replace(word, (found) => `${found === 'SUBSCRIBE' ? 'UN' : 'un'}${found}`)
    : null;
