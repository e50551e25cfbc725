/** Rules, secrets and dead letters in Redis, as the routes use them. */
import { decode, encode, readEntries } from '../../actors/bus/codec.ts';
import { feedKey, lastKey, seqKey } from '../../actors/bus/keys.ts';
import type { BusLog } from '../../actors/bus/log.ts';
import { closeAtOnce, connect } from '../../actors/bus/redis.ts';
import { Commands } from '../../actors/bus/script.ts';
import type { Clock } from '../../actors/kernel/clock.ts';
import {
  type AlertEvent,
  type AlertRule,
  type AlertRuleChange,
  schemas,
  topics,
} from '../../actors/topics/index.ts';
import { SafeChanges } from '../../http/auth/safe-changes.ts';
import { shardOf } from '../rules/shards.ts';
import * as k from './keys.ts';
import { type DeadLetter, deadLetterIn, queuedOf, queuedText } from './queued.ts';
import * as scripts from './scripts.ts';

/** How a change of a rule went: another writer may have come first, or the plan may allow no more rules. */
export type Put = 'stored' | 'changed' | 'full' | 'unconfirmed';

interface StoreOptions {
  /** CLIENT LIST shows it. */
  name: string;
  clock: Clock;
  log: BusLog;
}

/** Most dead letters of one answer. */
const mostDead = 1_000;
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

  /** Throws RangeError when `url` is not a Redis URL. */
  constructor(url: string, { name, clock, log }: StoreOptions) {
    this.#commands = new Commands(connect(url, { name, log }), scripts.alertScripts);
    const changes = { commands: this.#commands, name: `${name}-changes`, clock, log };
    this.#changes = new SafeChanges(url, changes);
  }

  close(): void {
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
      ...[topics.alertRules.length, isReset ? 'reset' : '', k.stateOf(rule.id)],
    ]);
    if (reply === 0) return 'changed';
    if (reply === -1) return 'full';
    return isSafe ? 'stored' : 'unconfirmed';
  }

  /** Whether there was such a rule. */
  async delete(account: string, id: string): Promise<boolean> {
    const change: AlertRuleChange = { id, rule: null };
    const keys = [...ruleKeys(account), k.stateOf(id)];
    const args = [id, encode(change, schemas.alertRules), topics.alertRules.length];
    return (await this.#commands.run(scripts.deleteScript, keys, args)) !== 0;
  }

  /** Writes an event that no state belongs to, and has it delivered to the receivers of its rule. */
  async test(rule: AlertRule, event: AlertEvent): Promise<void> {
    const keys = [feedKey('alertEvents'), seqKey('alertEvents'), k.queueOf(shardOf(rule.id))];
    await this.#commands.run(scripts.testScript, keys, [
      ...[rule.id, encode(event, schemas.alertEvents), topics.alertEvents.length],
      ...queuedOf(rule, event).map(queuedText),
    ]);
  }

  /** What could not be delivered, the newest first. */
  async deadLetters(account: string): Promise<DeadLetter[]> {
    const range = [k.deadOf(account), '+', '-', 'COUNT', mostDead] as const;
    const entries = readEntries(await this.#commands.send('XREVRANGE', ...range));
    return entries.flatMap(({ id, fields }) => deadLetterIn(id, fields) ?? []);
  }

  /** Has a dead letter delivered again. False where there is none of this id. */
  async resend(account: string, id: string): Promise<boolean> {
    const range = [k.deadOf(account), id, id] as const;
    const [entry] = readEntries(await this.#commands.send('XRANGE', ...range));
    const letter = entry && deadLetterIn(entry.id, entry.fields);
    if (!letter) return false;
    const keys = [k.deadOf(account), k.queueOf(shardOf(letter.queued.event.alert_id))];
    const args = [id, queuedText({ ...letter.queued, resent: (letter.queued.resent ?? 0) + 1 })];
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
