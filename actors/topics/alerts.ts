/** Alert rules, what they have fired, and how that was delivered. Times are Unix milliseconds. */

/** Which way a value goes. */
export type AlertDirection = 'up' | 'down' | 'any';

/** When a rule fires. Lengths of time are seconds. */
export type AlertCondition =
  | { type: 'above' | 'below'; value: number }
  | { type: 'crosses'; value: number; direction: AlertDirection }
  | { type: 'change'; percent: number; within: number; direction: AlertDirection }
  | { type: 'outside'; low: number; high: number }
  | { type: 'stale'; after: number }
  | { type: 'event'; above: number | null; below: number | null };

/** Where a firing is sent. */
export type AlertReceiver =
  | { type: 'webhook' | 'discord' | 'slack'; url: string }
  | {
      type: 'telegram';
      token: string;
      chat_id: string;
      /** The topic of a group; its general one when absent. */
      message_thread_id?: number;
      /** The chat that was given, where Telegram has named another one since. */
      former_chat_id?: string;
    };

/** A rule of an account. */
export interface AlertRule {
  id: string;
  account: string;
  /** One more with each change. */
  revision: number;
  name: string;
  /** A path of the API with its query. */
  path: string;
  /** JSON Pointer into `data` of its answer; `*` for every row or name. Of an event of a log, into the event. */
  pointer: string;
  condition: AlertCondition;
  /** Seconds for which the condition must hold. */
  for: number;
  /** How far the value must go back until the rule can fire again, in its own unit. */
  hysteresis: number;
  /** Seconds after a firing in which it does not fire again. */
  cooldown: number;
  expires_at: number | null;
  deliver: readonly AlertReceiver[];
  /** Whether the end of the condition is delivered too. */
  resolved: boolean;
  paused: boolean;
  created_at: number;
  updated_at: number;
}

/** A rule as it is now; null where it was deleted. */
export interface AlertRuleChange {
  id: string;
  rule: AlertRule | null;
}

export const alertEventKinds = ['fired', 'resolved', 'test'] as const;

/** What a rule has fired. */
export interface AlertEvent {
  /** The same however often it is sent. */
  id: string;
  alert_id: string;
  account: string;
  name: string;
  kind: (typeof alertEventKinds)[number];
  fired_at: number;
  /** Of the data that fulfilled the condition; null where their time is not known. */
  data_time: number | null;
  path: string;
  pointer: string;
  /** The symbol, row or name of several; null where the rule watches one value. */
  subject: string | null;
  value: number | null;
  /** The value that it is compared with: the one before, or that of a change. */
  previous: number | null;
  condition: AlertCondition;
  text: string;
}

/** Asks for the attempts to deliver what an alert has fired. */
export interface AlertDeliveriesParams {
  alert_id: string;
  limit: number;
}

/** One attempt to deliver an event. */
export interface AlertDelivery {
  event_id: string;
  alert_id: string;
  account: string;
  receiver: AlertReceiver['type'];
  /** Its host or chat, without secrets. */
  target: string;
  attempt: number;
  at: number;
  /** How long the receiver took, ms. */
  took_ms: number;
  outcome: 'delivered' | 'failed' | 'dead';
  /** HTTP status; null without an answer. */
  status: number | null;
  /** The fault, in words; null without one. */
  error: string | null;
}
