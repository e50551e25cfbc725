/** Rules, secrets and dead letters in Redis, as the routes use them. */
import { decode, encode, readEntries, readPairs } from '../../actors/bus/codec.ts';
import { feedKey, lastKey, seqKey } from '../../actors/bus/keys.ts';
import type { BusLog } from '../../actors/bus/log.ts';
import { closeAtOnce, connect } from '../../actors/bus/redis.ts';
import { SafeChanges } from '../../actors/bus/safe-changes.ts';
import { Commands } from '../../actors/bus/script.ts';
import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import {
  type AlertEvent,
  type AlertReceiver,
  type AlertRule,
  type AlertRuleChange,
  schemas,
  topics,
} from '../../actors/topics/index.ts';
import { shardOf } from '../rules/shards.ts';
import * as k from './keys.ts';
import { limits } from './limits.ts';
import {
  type DeadLetter,
  deadLetterIn,
  queuedOf,
  queuedText,
  type ReceiverState,
  receiverKey,
  receiverStates,
} from './queued.ts';
import * as scripts from './scripts.ts';

/** How a change of a rule went: another writer may have come first, or the plan may allow no more rules. */
export type Put = 'stored' | 'changed' | 'full' | 'unconfirmed';

interface StoreOptions {
  /** CLIENT LIST shows it. */
  name: string;
  clock: Clock;
  log: BusLog;
}

/** Most deletions that are carried out again, and the time between two tries, ms. */
const mostDeleting = 1_000;
const pause = 1_000;

/** How long a former secret signs too, ms. */
export const overlap = 86_400_000;

const ruleKeys = (account: string) => [
  k.revisionsKey,
  k.rulesOf(account),
  feedKey('alertRules'),
  lastKey('alertRules'),
  seqKey('alertRules'),
];

/** Every method rejects when Redis is away, late or reports an error. */
export class RuleStore {
  readonly #commands: Commands;
  readonly #changes: SafeChanges;
  readonly #clock: Clock;
  /** Rules whose deletion is not confirmed: a fail-over may have undone it. */
  readonly #deleting = new Map<string, AlertRule>();
  #waiting: Cancel | null = null;

  /** Throws RangeError when `url` is not a Redis URL. */
  constructor(url: string, { name, clock, log }: StoreOptions) {
    this.#commands = new Commands(connect(url, { name, log }), scripts.alertScripts);
    const changes = { commands: this.#commands, name: `${name}-changes`, clock, log };
    this.#changes = new SafeChanges(url, changes);
    this.#clock = clock;
  }

  close(): void {
    this.#waiting?.();
    closeAtOnce(this.#commands.redis);
    this.#changes.close();
  }

  /** The rules of an account, the oldest first. */
  async list(account: string): Promise<AlertRule[]> {
    const keys = [k.rulesOf(account), lastKey('alertRules')];
    const reply = await this.#commands.run(scripts.listScript, keys, []);
    const rules = (Array.isArray(reply) ? reply : []).flatMap((one) => ruleIn(one) ?? []);
    return rules.sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
  }

  /** A rule of an account; null where there is none. */
  async find(account: string, id: string): Promise<AlertRule | null> {
    const rule = ruleIn(await this.#commands.send('HGET', lastKey('alertRules'), id));
    return rule?.account === account ? rule : null;
  }

  /**
   * Stores a rule in place of its revision before; a new one, of revision 1, only where the account has fewer than `most` (null: no
   * limit). `isReset` where what it watches has changed: its states are void.
   */
  async put(
    rule: AlertRule,
    { most = null, isReset = false }: { most?: number | null; isReset?: boolean } = {},
  ): Promise<Put> {
    const change: AlertRuleChange = { id: rule.id, rule };
    const { reply, isSafe } = await this.#changes.run(scripts.putScript, ruleKeys(rule.account), [
      ...[rule.id, rule.revision - 1, most ?? -1, rule.created_at],
      encode(change, schemas.alertRules),
      ...[topics.alertRules.keep, isReset ? 'reset' : '', k.stateOf(rule.id)],
    ]);
    if (reply === 0) return 'changed';
    if (reply === -1) return 'full';
    return isSafe ? 'stored' : 'unconfirmed';
  }

  /** Deletes a rule, with its states and what waits to be delivered; where that is not confirmed, again and again until it is. */
  async delete(rule: AlertRule): Promise<'deleted' | 'gone' | 'unconfirmed'> {
    const done = await this.#delete(rule).catch((error: unknown) => {
      this.#deleteLater(rule);
      throw error;
    });
    if (done === 'unconfirmed') this.#deleteLater(rule);
    return done;
  }

  #deleteLater(rule: AlertRule): void {
    if (this.#deleting.size < mostDeleting) this.#deleting.set(rule.id, rule);
    this.#waiting ??= this.#clock.after(pause, () => {
      this.#waiting = null;
      void this.#deleteAgain();
    });
  }

  /** Never rejects. A rule that was changed since is left as it is. */
  async #deleteAgain(): Promise<void> {
    for (const [id, rule] of [...this.#deleting]) {
      try {
        const known = await this.find(rule.account, id);
        const isOther = known !== null && known.revision !== rule.revision;
        if (isOther || (await this.#delete(rule)) !== 'unconfirmed') this.#deleting.delete(id);
      } catch {
        break;
      }
    }
    const [next] = this.#deleting.values();
    if (next !== undefined) this.#deleteLater(next);
  }

  async #delete({ id, account, deliver }: AlertRule): Promise<'deleted' | 'gone' | 'unconfirmed'> {
    const change: AlertRuleChange = { id, rule: null };
    const { reply, isSafe } = await this.#changes.run(
      scripts.deleteScript,
      [...ruleKeys(account), k.stateOf(id), k.waitingOf(account), k.receiversOf(account)],
      [
        ...[id, encode(change, schemas.alertRules), topics.alertRules.keep],
        ...deliver.map(receiverKey),
      ],
    );
    if (!isSafe) return 'unconfirmed';
    return reply === 0 ? 'gone' : 'deleted';
  }

  /** Has the rules of an account send to the chat that a group of Telegram has become. `now` is Unix ms. */
  async moveChat(
    account: string,
    { from, to, now }: { from: AlertReceiver; to: string; now: number },
  ): Promise<void> {
    const key = receiverKey(from);
    for (const rule of await this.list(account)) {
      if (!rule.deliver.some((one) => receiverKey(one) === key)) continue;
      const deliver = rule.deliver.map((one) =>
        one.type === 'telegram' && receiverKey(one) === key
          ? { ...one, chat_id: to, former_chat_id: one.chat_id }
          : one,
      );
      // Where its owner changes it at the same time, the next delivery comes here again.
      await this.put({ ...rule, deliver, revision: rule.revision + 1, updated_at: now });
    }
  }

  /** The receivers of an account that fail, by their keys. */
  async receivers(account: string): Promise<Map<string, ReceiverState>> {
    return receiverStates(readPairs(await this.#commands.send('HGETALL', k.receiversOf(account))));
  }

  /** Writes an event that no state belongs to, and has it delivered to the receivers of its rule. */
  async test(rule: AlertRule, event: AlertEvent): Promise<void> {
    const { id, account } = rule;
    const keys = [
      ...[feedKey('alertEvents'), seqKey('alertEvents'), k.loggedOf(account)],
      ...[k.waitingOf(account), k.deadOf(account)],
    ];
    await this.#commands.run(scripts.testScript, keys, [
      ...[id, encode(event, schemas.alertEvents), topics.alertEvents.keep, shardOf(id)],
      ...[limits.events, limits.waiting, limits.dead],
      ...queuedOf(rule, event).map(queuedText),
    ]);
  }

  /** What could not be delivered, the newest first. */
  async deadLetters(account: string): Promise<DeadLetter[]> {
    const range = [k.deadOf(account), '+', '-', 'COUNT', limits.dead] as const;
    const entries = readEntries(await this.#commands.send('XREVRANGE', ...range));
    return entries.flatMap(({ id, fields }) => deadLetterIn(id, fields) ?? []);
  }

  /** Has a dead letter delivered again. False where there is none of this id. */
  async resend(account: string, id: string): Promise<boolean> {
    const range = [k.deadOf(account), id, id] as const;
    const [entry] = readEntries(await this.#commands.send('XRANGE', ...range));
    const letter = entry && deadLetterIn(entry.id, entry.fields);
    if (!letter) return false;
    const { alert_id } = letter.queued.event;
    const queued = queuedText({ ...letter.queued, resent: (letter.queued.resent ?? 0) + 1 });
    const keys = [k.deadOf(account), k.waitingOf(account)];
    const args = [id, shardOf(alert_id), alert_id, queued, limits.waiting, limits.dead];
    return (await this.#commands.run(scripts.resendScript, keys, args)) === 1;
  }

  /** Sets what webhooks of an account are signed with; false where there is one already and `isFirst`. */
  async setSecret(
    account: string,
    secret: string,
    { now, isFirst }: { now: number; isFirst: boolean },
  ): Promise<boolean> {
    const args = [secret, now, now + overlap, isFirst ? 'first' : ''];
    const keys = [k.secretOf(account)];
    const { reply, isSafe } = await this.#changes.run(scripts.secretScript, keys, args);
    if (!isSafe) throw new Error('the replicas of Redis did not confirm the secret in time');
    return reply === 1;
  }
}

function ruleIn(payload: unknown): AlertRule | null {
  if (!Buffer.isBuffer(payload)) return null;
  try {
    return decode<AlertRuleChange>(payload, schemas.alertRules).rule;
  } catch {
    // Written by a version that this one does not understand.
    return null;
  }
}
