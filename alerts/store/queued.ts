/** What is to be delivered, as it stands in the queues. */
import { hash } from 'node:crypto';
import type { AlertEvent, AlertReceiver, AlertRule } from '../../actors/topics/index.ts';

/** An event and one of its receivers. */
export interface Queued {
  event: AlertEvent;
  receiver: AlertReceiver;
  /** How often it was sent again by hand. */
  resent?: number;
}

/** What could not be delivered. */
export interface DeadLetter {
  /** Of the letter. */
  id: string;
  queued: Queued;
  attempts: number;
  /** When it was given up, Unix ms. */
  at: number;
  error: string;
}

/** The deliveries of an event of a rule. */
export const queuedOf = ({ deliver }: Pick<AlertRule, 'deliver'>, event: AlertEvent): Queued[] =>
  deliver.map((receiver) => ({ event, receiver }));

export const queuedText = (queued: Queued): string => JSON.stringify(queued);

type Fields = ReadonlyMap<string, Buffer> | null;

/** What an entry of a queue says; null for one that is none. */
export function queuedIn(fields: Fields): Queued | null {
  try {
    const found: Queued = JSON.parse(String(fields?.get('data')));
    return typeof found.event.id === 'string' && typeof found.receiver.type === 'string'
      ? found
      : null;
  } catch {
    return null;
  }
}

export const deadLetterText = (letter: Omit<DeadLetter, 'id'>): string => JSON.stringify(letter);

/** The dead letter of an entry; null for one that is none. */
export function deadLetterIn(id: string, fields: Fields): DeadLetter | null {
  try {
    const found: Omit<DeadLetter, 'id'> = JSON.parse(String(fields?.get('data')));
    return typeof found.queued.event.id === 'string' ? { ...found, id } : null;
  } catch {
    return null;
  }
}

/** Where something is delivered, without secrets: the host of a URL, or a chat. */
export function targetOf(receiver: AlertReceiver): string {
  if (receiver.type === 'telegram') {
    const { chat_id, message_thread_id: topic } = receiver;
    return `chat ${chat_id}${topic === undefined ? '' : `, topic ${topic}`}`;
  }
  return URL.canParse(receiver.url) ? new URL(receiver.url).host : 'no URL';
}

/** A receiver that fails. */
export interface ReceiverState {
  /** Failures since the last delivery, and the first of them, Unix ms. */
  failures: number;
  since: number;
  /** Before then nothing is sent to it, Unix ms. */
  until: number;
  /** The last fault, in words. */
  error: string;
  /** It says that it will never take this. */
  refused: boolean;
}

/** The name of a receiver among those of its account. */
export const receiverKey = (receiver: AlertReceiver): string =>
  hash('sha256', JSON.stringify(Object.entries(receiver).sort()), 'base64url').slice(0, 16);

/** The states of receivers by their keys, of a hash in Redis; what is none is left out. */
export function receiverStates(pairs: ReadonlyMap<string, Buffer>): Map<string, ReceiverState> {
  const found = new Map<string, ReceiverState>();
  for (const [key, text] of pairs) {
    try {
      const state: ReceiverState = JSON.parse(text.toString());
      if (typeof state.failures === 'number') found.set(key, state);
    } catch {
      // Written by another version: the next attempt replaces it.
    }
  }
  return found;
}
