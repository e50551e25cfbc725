/** States of rules, and the queues of what is to be delivered, as the processes of the role `alerts` use them. */
import { encode, readEntries, readPairs } from '../../actors/bus/codec.ts';
import { accountKeysOf, feedKey, seqKey } from '../../actors/bus/keys.ts';
import type { BusLog } from '../../actors/bus/log.ts';
import { closeAtOnce, connect } from '../../actors/bus/redis.ts';
import { Commands } from '../../actors/bus/script.ts';
import {
  type AlertDelivery,
  type AlertEvent,
  type AlertRule,
  schemas,
  topics,
} from '../../actors/topics/index.ts';
import { armed, type RuleState } from '../rules/condition.ts';
import { shardOf } from '../rules/shards.ts';
import * as k from './keys.ts';
import { limits } from './limits.ts';
import {
  deadLetterText,
  type Queued,
  queuedIn,
  queuedOf,
  queuedText,
  type ReceiverState,
  receiverKey,
  receiverStates,
} from './queued.ts';
import * as scripts from './scripts.ts';

/** A state as it is stored, beside the text that it is compared by. */
export interface StoredState {
  state: RuleState;
  text: string;
}

/** The state of a rule for a subject that was never stored. */
export const unstored: StoredState = { state: armed, text: '' };

/** A change of a state, with what it fires. */
export interface Transition {
  rule: AlertRule;
  /** Empty where the rule watches one value. */
  subject: string;
  before: StoredState;
  after: RuleState;
  event: AlertEvent | null;
  /** Whether the event is delivered to the receivers of the rule. */
  isDelivered: boolean;
}

/**
 * `gone`: the rule has changed or is no more; `revoked`: the account has no API key; `later`: it has fired too often, and may again
 * in so many ms; else the state that is stored now.
 */
export type Stored =
  | { outcome: 'stored' | 'other'; now: StoredState }
  | { outcome: 'gone' | 'revoked' }
  | { outcome: 'later'; wait: number };

/** An entry of a queue. */
export interface QueueEntry {
  id: string;
  queued: Queued;
}

/** Attempts to deliver an entry so far, and when the next one is due, Unix ms. */
export interface Tries {
  attempts: number;
  next: number;
}

/** What came of an attempt. */
export interface AttemptOutcome {
  delivery: AlertDelivery;
  /** Of one that failed. */
  tries: Tries;
  /** How the receiver does; null where it takes deliveries. */
  receiver: ReceiverState | null;
}

/** Entries of a queue that are read at once. */
const page = 1_000;

const textOf = (state: RuleState): string => JSON.stringify(state);

function stateIn(text: string): StoredState | null {
  try {
    const found: Partial<RuleState> = JSON.parse(text);
    return typeof found.seq === 'number' ? { state: { ...armed, ...found }, text } : null;
  } catch {
    return null;
  }
}

/** Secrets that sign the webhooks of an account at a time, the newest first. */
export type Secrets = readonly string[];

/** Every method rejects when Redis is away, late or reports an error. */
export class StateStore {
  readonly #commands: Commands;

  /** Throws RangeError when `url` is not a Redis URL. */
  constructor(url: string, { name, log }: { name: string; log: BusLog }) {
    this.#commands = new Commands(connect(url, { name, log }), scripts.alertScripts, log);
  }

  close(): void {
    closeAtOnce(this.#commands.redis);
  }

  /** The stored states of a rule, by subject. */
  async states(id: string): Promise<Map<string, StoredState>> {
    const pairs = readPairs(await this.#commands.send('HGETALL', k.stateOf(id)));
    const found = new Map<string, StoredState>();
    for (const [subject, bytes] of pairs) {
      const state = stateIn(bytes.toString());
      if (state !== null) found.set(subject, state);
    }
    return found;
  }

  /** Stores a state, and in the same step its event and what is to be delivered: all or nothing, and once. */
  async store({ rule, subject, before, after, event, isDelivered }: Transition): Promise<Stored> {
    const text = textOf(after);
    const { id, account, revision } = rule;
    const keys = [
      ...[k.revisionsKey, k.stateOf(id), accountKeysOf(account)],
      ...[feedKey('alertEvents'), seqKey('alertEvents'), k.loggedOf(account)],
      ...[k.rateOf(account), k.waitingOf(account), k.deadOf(account)],
    ];
    const queued = event === null || !isDelivered ? [] : queuedOf(rule, event).map(queuedText);
    const reply = await this.#commands.run(scripts.fireScript, keys, [
      ...[id, revision, subject, before.text, text],
      event === null ? '' : encode(event, schemas.alertEvents),
      ...[topics.alertEvents.keep, shardOf(id), ...Object.values(limits), ...queued],
    ]);
    const [outcome = '', more = ''] = Array.isArray(reply) ? reply.map(String) : [];
    if (outcome === 'done') return { outcome: 'stored', now: { state: after, text } };
    if (outcome === 'later') return { outcome, wait: Number(more) };
    if (outcome === 'gone' || outcome === 'revoked') return { outcome };
    return { outcome: 'other', now: stateIn(more) ?? unstored };
  }

  /** All that waits in a queue. */
  async queue(shard: number): Promise<QueueEntry[]> {
    const all: QueueEntry[] = [];
    for (let after = '-'; ; ) {
      const range = [k.queueOf(shard), after, '+', 'COUNT', page] as const;
      const entries = readEntries(await this.#commands.send('XRANGE', ...range));
      for (const { id, fields } of entries) {
        const queued = queuedIn(fields);
        if (queued !== null) all.push({ id, queued });
      }
      const last = entries.at(-1)?.id;
      if (last === undefined || entries.length < page) return all;
      after = `(${last}`;
    }
  }

  /** The attempts so far, by entry. */
  async tries(shard: number): Promise<Map<string, Tries>> {
    const pairs = readPairs(await this.#commands.send('HGETALL', k.triesOf(shard)));
    return new Map(
      [...pairs].map(([id, text]): [string, Tries] => {
        const [attempts = 0, next = 0] = text.toString().split(' ').map(Number);
        return [id, { attempts, next }];
      }),
    );
  }

  /** Notes an attempt. What was delivered or given up leaves the queue. */
  async attempted(
    { id, queued }: QueueEntry,
    { delivery, tries, receiver }: AttemptOutcome,
  ): Promise<void> {
    const { account, alert_id, attempt, at } = delivery;
    const letter = { queued, attempts: attempt, at, error: delivery.error ?? '' };
    const keys = [
      ...[feedKey('alertDeliveries'), seqKey('alertDeliveries')],
      ...[k.waitingOf(account), k.deadOf(account), k.receiversOf(account)],
    ];
    await this.#commands.run(scripts.outcomeScript, keys, [
      ...[shardOf(alert_id), id, alert_id, delivery.outcome],
      ...[encode(delivery, schemas.alertDeliveries), topics.alertDeliveries.keep],
      ...[`${tries.attempts} ${tries.next}`, deadLetterText(letter), limits.dead],
      ...[receiverKey(queued.receiver), receiver === null ? '' : JSON.stringify(receiver)],
    ]);
  }

  /** The receivers of an account that fail, by their keys. */
  async receivers(account: string): Promise<Map<string, ReceiverState>> {
    return receiverStates(readPairs(await this.#commands.send('HGETALL', k.receiversOf(account))));
  }

  /** What the webhooks of an account are signed with at `now`, Unix ms. */
  async secrets(account: string, now: number): Promise<Secrets> {
    const fields = ['current', 'previous', 'until'];
    const reply = await this.#commands.send('HMGET', k.secretOf(account), ...fields);
    const [current, previous, until] = (Array.isArray(reply) ? reply : []).map((one) =>
      one === null ? null : String(one),
    );
    const former = previous && Number(until) > now ? [previous] : [];
    return current ? [current, ...former] : [];
  }

  /** The place in a log up to which a shard has looked at its events; null where it has none. */
  async place(shard: number, path: string): Promise<string | null> {
    const found = await this.#commands.send('HGET', k.placesOf(shard), path);
    return found === null ? null : String(found);
  }

  async setPlace(shard: number, path: string, place: string): Promise<void> {
    await this.#commands.send('HSET', k.placesOf(shard), path, place);
  }
}
