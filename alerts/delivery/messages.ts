/** What each kind of receiver is sent. Pure. */
import type { AlertEvent, AlertReceiver } from '../../actors/topics/index.ts';
import { hour } from '../../config/time.ts';
import { signatureOf } from '../rules/signature.ts';

/** A request that delivers an event. */
export interface Request {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The host is that of a known service, not one that a client has named: the gateway of the upstreams leads there too. */
  isKnownHost: boolean;
}

/** Most characters of a text: https://core.telegram.org/bots/api#sendmessage, https://discord.com/developers/docs/resources/webhook#execute-webhook */
const longest = { telegram: 4_096, discord: 2_000, slack: 4_000 } as const;

const json = { 'content-type': 'application/json', 'user-agent': 'Tidemark-Alerts/1' };

/** The event as webhooks have it: that of the stream, without the account. */
function publicEvent({ account: _, ...event }: AlertEvent): Omit<AlertEvent, 'account'> {
  return event;
}

/** The first so many characters; a character of two halves is not cut in half, which Telegram and Discord refuse. */
const first = (text: string, most: number): string => text.slice(0, most).toWellFormed();

/**
 * Slack reads three characters as markup, and more unless that is switched off (`mrkdwn`).
 * https://docs.slack.dev/messaging/formatting-message-text/#escaping
 */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The characters that Discord reads as markup; mentions are switched off besides. */
const discordText = (text: string): string => text.replace(/[\\*_~`|>#[\]()-]/g, '\\$&');

/**
 * The request that delivers an event. `secrets` sign a webhook; `now` is Unix ms. The body of a webhook has `type`, `timestamp` and
 * `data`, as Standard Webhooks advises.
 */
export function requestOf(
  receiver: AlertReceiver,
  event: AlertEvent,
  { secrets, now }: { secrets: readonly string[]; now: number },
): Request {
  const { text } = event;
  if (receiver.type === 'telegram') {
    const { token, chat_id, message_thread_id } = receiver;
    const message = {
      chat_id,
      message_thread_id,
      text: first(text, longest.telegram),
      link_preview_options: { is_disabled: true },
    };
    const url = `https://api.telegram.org/bot${token}/sendMessage`;
    return { url, headers: json, body: JSON.stringify(message), isKnownHost: true };
  }
  const { url } = receiver;
  if (receiver.type === 'discord') {
    // The old domain, which copied addresses may still have: https://github.com/discord/discord-api-docs/issues/1878
    const current = url.replace('https://discordapp.com/', 'https://discord.com/');
    const content = first(discordText(text), longest.discord);
    const body = JSON.stringify({ content, allowed_mentions: { parse: [] } });
    return { url: current, headers: json, body, isKnownHost: true };
  }
  if (receiver.type === 'slack') {
    const shown = slackText(first(text, longest.slack));
    const body = JSON.stringify({ text: shown, mrkdwn: false });
    return { url, headers: json, body, isKnownHost: true };
  }
  const timestamp = Math.floor(now / 1_000);
  const sent = {
    type: `alert.${event.kind}`,
    timestamp: new Date(event.fired_at).toISOString(),
    data: publicEvent(event),
  };
  const body = JSON.stringify(sent);
  const headers = {
    ...json,
    'webhook-id': event.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(secrets, { id: event.id, timestamp, body }),
  };
  return { url, headers, body, isKnownHost: false };
}

/** What an answer means for a delivery. */
export interface Verdict {
  outcome: 'delivered' | 'failed' | 'refused';
  /** The fault, in words; null without one. */
  error: string | null;
  /** What the receiver asks for, ms; null where it asks for nothing. */
  retryAfter: number | null;
}

/**
 * The chat that a group has become, as Telegram names it; null where it names none.
 * https://core.telegram.org/bots/api#responseparameters
 */
export function migratedTo({ type }: Pick<AlertReceiver, 'type'>, body: string): string | null {
  if (type !== 'telegram') return null;
  return /"migrate_to_chat_id"\s*:\s*(-?\d{1,20})/.exec(body)?.[1] ?? null;
}

/** A receiver is asked again after so long, ms, whatever it says: an alert is given up after a day, and so would be all that follow. */
const mostWait = 2 * hour;

/**
 * What an answer asks to wait, ms: a header, or the field of the body of Telegram and Discord, in seconds. The first header is Discord's,
 * which counts `Retry-After` in milliseconds for the addresses that it hands out (https://github.com/discord/discord-api-docs/issues/2360).
 */
function retryIn(
  headers: Readonly<Record<string, unknown>>,
  body: string,
  now: number,
): number | null {
  const header = headers['x-ratelimit-reset-after'] ?? headers['retry-after'];
  if (typeof header === 'string') {
    const seconds = /^\d{1,9}(\.\d+)?$/.test(header)
      ? Number(header) * 1_000
      : Date.parse(header) - now;
    if (Number.isFinite(seconds)) return Math.min(mostWait, Math.max(0, seconds));
  }
  const found = /"retry_after"\s*:\s*(\d{1,9}(?:\.\d+)?)/.exec(body)?.[1];
  return found === undefined ? null : Math.min(mostWait, Number(found) * 1_000);
}

/** Why, as Telegram (`description`), Discord (`message`) and Slack (`no_service`, as plain text) say it; empty where they do not. */
function saidIn(body: string): string {
  const found = /"(?:description|message)"\s*:\s*"([^"\\]{1,200})"|^([a-z_]{1,60})$/.exec(body);
  return found === null ? '' : `: ${found[1] ?? found[2]}`;
}

/** Statuses by which a known service says that it will never take this: the chat, the token or the webhook is not there. */
const final: ReadonlySet<number> = new Set([400, 401, 403, 404, 410]);

/** What an answer means. A webhook that says 410 is gone for good; everything else may be mended within a day. */
export function verdictOf(
  { type }: Pick<AlertReceiver, 'type'>,
  {
    status,
    headers,
    body,
  }: { status: number; headers: Readonly<Record<string, unknown>>; body: string },
  now: number,
): Verdict {
  if (status >= 200 && status < 300) return { outcome: 'delivered', error: null, retryAfter: null };
  const isFinal = type === 'webhook' ? status === 410 : final.has(status);
  return {
    outcome: isFinal ? 'refused' : 'failed',
    error:
      status >= 300 && status < 400
        ? `redirects are not followed (${status})`
        : `answered ${status}${saidIn(body)}`,
    retryAfter: retryIn(headers, body, now),
  };
}
