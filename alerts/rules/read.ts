/** Reads what a client sends as a rule. Pure: whether its path can be followed is checked elsewhere. */
import type {
  AlertCondition,
  AlertDirection,
  AlertReceiver,
  AlertRule,
} from '../../actors/topics/index.ts';
import { day } from '../../config/time.ts';
import { nameIn } from '../../config/values.ts';
import { readPointer } from './pointer.ts';

/** The words of a condition. */
export const conditionTypes = [
  'above',
  'below',
  'crosses',
  'change',
  'outside',
  'stale',
  'event',
] as const;
export const directions = ['up', 'down', 'any'] as const;
export const receiverTypes = ['webhook', 'telegram', 'discord', 'slack'] as const;

/** A condition as a client sends it: which fields it needs depends on its type. */
export interface ConditionBody {
  type: (typeof conditionTypes)[number];
  value?: number;
  percent?: number;
  within?: number;
  direction?: AlertDirection;
  low?: number;
  high?: number;
  after?: number;
  above?: number;
  below?: number;
}

/** A receiver as a client sends it. */
export interface ReceiverBody {
  type: (typeof receiverTypes)[number];
  url?: string;
  token?: string;
  chat_id?: string | number;
  message_thread_id?: number;
}

/** A rule as a client sends it. */
export interface RuleBody {
  name: string;
  path: string;
  pointer?: string;
  condition: ConditionBody;
  for?: number;
  hysteresis?: number;
  cooldown?: number;
  expires_at?: number | null;
  deliver?: readonly ReceiverBody[];
  resolved?: boolean;
  paused?: boolean;
}

/** What a client decides of a rule. */
export type RuleFields = Omit<
  AlertRule,
  'id' | 'account' | 'revision' | 'created_at' | 'updated_at'
>;

export const longest = { name: 64, path: 1_024, pointer: 256, url: 2_048, deliver: 5 } as const;
/** Longest times of a rule, s: over which a change is measured, and all others. */
const longestTimes = { within: day / 1_000, other: (7 * day) / 1_000 };

/** A fault of a rule, in words that name the parameter. */
export class RuleFault extends Error {}

function nameOf(given: string): string {
  const name = nameIn(given, longest.name);
  if (name !== null) return name;
  throw new RuleFault(
    `name must be 1 to ${longest.name} characters once trimmed, without control characters`,
  );
}

function needed(name: string, value: number | undefined, least = Number.NEGATIVE_INFINITY): number {
  if (value === undefined) throw new RuleFault(`condition.${name} is required for this type`);
  if (!Number.isFinite(value) || value < least)
    throw new RuleFault(`condition.${name} must be a number of at least ${least}`);
  return value;
}

function seconds(name: string, value: number | undefined, [least, most]: [number, number]): number {
  if (value === undefined) throw new RuleFault(`${name} is required for this type`);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RuleFault(`${name} must be a whole number of seconds from ${least} to ${most}`);
  return value;
}

/** Which fields each type of condition has. */
const fields: Readonly<Record<ConditionBody['type'], readonly string[]>> = {
  above: ['value'],
  below: ['value'],
  crosses: ['value', 'direction'],
  change: ['percent', 'within', 'direction'],
  outside: ['low', 'high'],
  stale: ['after'],
  event: ['above', 'below'],
};

/** Throws RuleFault. */
function conditionOf(body: ConditionBody): AlertCondition {
  const { type, direction = 'any' } = body;
  const strange = Object.keys(body).find((name) => name !== 'type' && !fields[type].includes(name));
  if (strange !== undefined)
    throw new RuleFault(
      `condition.${strange.slice(0, 64)} is not for the type ${type}, which has ${fields[type].join(', ')}`,
    );
  switch (type) {
    case 'above':
    case 'below':
      return { type, value: needed('value', body.value) };
    case 'crosses':
      return { type, value: needed('value', body.value), direction };
    case 'change': {
      const percent = needed('percent', body.percent, 0.001);
      const within = seconds('condition.within', body.within, [1, longestTimes.within]);
      return { type, percent, within, direction };
    }
    case 'outside': {
      const low = needed('low', body.low);
      return { type, low, high: needed('high', body.high, low) };
    }
    case 'stale':
      return { type, after: seconds('condition.after', body.after, [1, longestTimes.other]) };
    default:
      return { type, above: body.above ?? null, below: body.below ?? null };
  }
}

function urlOf(url: string | undefined, at: string): string {
  if (url === undefined) throw new RuleFault(`${at}.url is required for this type`);
  if (url.length > longest.url || !URL.canParse(url))
    throw new RuleFault(`${at}.url must be a URL of at most ${longest.url} characters`);
  return url;
}

/** Hosts of receivers whose addresses are known. */
const hosts = {
  discord: ['discord.com', 'discordapp.com', 'canary.discord.com', 'ptb.discord.com'],
  slack: ['hooks.slack.com', 'hooks.slack-gov.com'],
} as const;

/** Throws RuleFault. */
function telegramOf(body: ReceiverBody, at: string): AlertReceiver {
  const { token, message_thread_id } = body;
  // Telegram itself writes it as a number.
  const chat_id = String(body.chat_id ?? '');
  if (token === undefined || !/^\d{1,20}:[\w-]{20,100}$/.test(token))
    throw new RuleFault(`${at}.token must be the token of a bot, as BotFather gives it`);
  if (!/^(-?\d{1,20}|@\w{1,64})$/.test(chat_id))
    throw new RuleFault(
      `${at}.chat_id must be the number of a chat, or @ and the name of a channel`,
    );
  if (message_thread_id === undefined) return { type: 'telegram', token, chat_id };
  if (!(Number.isSafeInteger(message_thread_id) && message_thread_id > 0))
    throw new RuleFault(`${at}.message_thread_id must be the number of a topic`);
  return { type: 'telegram', token, chat_id, message_thread_id };
}

/** Chat services take bodies of their own form alone. Throws RuleFault for a webhook of one. */
function webhookOf(url: string, at: string): AlertReceiver {
  const { hostname } = new URL(url);
  for (const type of ['discord', 'slack'] as const)
    if (hosts[type].some((host) => host === hostname))
      throw new RuleFault(`${at}.type must be ${type} for webhooks at ${hostname}`);
  return { type: 'webhook', url };
}

/** Throws RuleFault. */
function receiverOf(body: ReceiverBody, place: number): AlertReceiver {
  const at = `deliver[${place}]`;
  const { type } = body;
  if (type === 'telegram') return telegramOf(body, at);
  const url = urlOf(body.url, at);
  if (type === 'webhook') return webhookOf(url, at);
  const { protocol, hostname, port, username, password } = new URL(url);
  const known: readonly string[] = hosts[type];
  if (
    protocol !== 'https:' ||
    port !== '' ||
    `${username}${password}` !== '' ||
    !known.includes(hostname)
  )
    throw new RuleFault(`${at}.url must be the https URL of a webhook at ${known.join(' or ')}`);
  return { type, url };
}

const levels: readonly string[] = ['above', 'below', 'crosses', 'outside'];

/** Throws RuleFault. */
function marginsOf(body: RuleBody, condition: AlertCondition): { for: number; hysteresis: number } {
  const isLevel = levels.includes(condition.type);
  const { hysteresis = 0 } = body;
  const isNumber = Number.isFinite(hysteresis) && hysteresis >= 0;
  if (!isNumber || (hysteresis > 0 && !isLevel))
    throw new RuleFault(`hysteresis must be 0 or more, and is for ${levels.join(', ')}`);
  if (condition.type === 'outside' && hysteresis * 2 > condition.high - condition.low)
    throw new RuleFault('hysteresis must be at most half of the band');
  const holds = seconds('for', body.for ?? 0, [0, longestTimes.other]);
  if (holds > 0 && !isLevel) throw new RuleFault(`for is for ${levels.join(', ')}`);
  return { for: holds, hysteresis };
}

/** Throws RuleFault. */
function placeOf({ path, pointer = '' }: RuleBody, { type }: AlertCondition) {
  if (path.length > longest.path)
    throw new RuleFault(`path must be text of at most ${longest.path} characters`);
  if (pointer.length > longest.pointer || readPointer(pointer) === null)
    throw new RuleFault('pointer must be a JSON Pointer such as /average_price, or empty');
  if (pointer === '' && type !== 'stale' && type !== 'event')
    throw new RuleFault('pointer must lead to a number in the answer, such as /average_price');
  return { path, pointer };
}

/** What a client decides of a rule, checked. Throws RuleFault, which names the parameter. */
export function readRule(body: RuleBody, now: number): RuleFields {
  const condition = conditionOf(body.condition);
  const { expires_at = null, deliver = [] } = body;
  if (expires_at !== null && !(Number.isInteger(expires_at) && expires_at > now))
    throw new RuleFault('expires_at must be a time in the future, Unix ms, or null');
  if (deliver.length > longest.deliver)
    throw new RuleFault(`deliver must be an array of at most ${longest.deliver} entries`);
  return {
    name: nameOf(body.name),
    ...placeOf(body, condition),
    condition,
    ...marginsOf(body, condition),
    cooldown: seconds('cooldown', body.cooldown ?? 0, [0, longestTimes.other]),
    expires_at,
    deliver: deliver.map(receiverOf),
    resolved: body.resolved ?? false,
    paused: body.paused ?? false,
  };
}
