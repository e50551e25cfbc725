/** What the streams of a process have done: additions, as those of `Counters`. */
import { counter, gauge, type MetricsSnapshot } from '../views/metric-json.ts';

/** How a stream reaches its client: a WebSocket, or Server-Sent Events. */
export type TransportName = 'socket' | 'events';

/** Why the server ends a connection. */
export type CloseReason =
  | 'restart'
  /** Frames of an exchange that are passed on may be missing. */
  | 'lost'
  | 'unauthorized'
  | 'unchecked'
  | 'idle'
  | 'flood'
  /** It has read nothing for 30 s, or more slowly than events come. */
  | 'slow'
  | 'behind'
  /** It sends and does not read; too much waits for its client. */
  | 'unread'
  | 'unsent';

/** The counts of one transport. */
interface Sent {
  connections: number;
  messages: number;
  bytes: number;
}

const none = (): Sent => ({ connections: 0, messages: 0, bytes: 0 });

export class StreamCounts {
  readonly socket = none();
  readonly events = none();
  /** Answers that are followed, those of patterns as one. */
  subscriptions = 0;
  readonly refusals = new Map<string, number>();
  readonly closes = new Map<CloseReason, number>();

  /** Messages of so many bytes each were sent. */
  sent(transport: TransportName, bytes: number, messages = 1): void {
    const counts = this[transport];
    counts.messages += messages;
    counts.bytes += messages * bytes;
  }

  /** A connection or a subscription was refused, with the code of an error of the API. */
  refused(code: string): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
  }

  closed(reason: CloseReason): void {
    this.closes.set(reason, (this.closes.get(reason) ?? 0) + 1);
  }
}

/** The counts as metrics. */
export function streamMetrics(counts: StreamCounts): MetricsSnapshot {
  const each = (read: (sent: Sent) => number) =>
    (['socket', 'events'] as const).map((transport) => ({
      value: read(counts[transport]),
      labels: { transport },
    }));
  const refusals = [...counts.refusals].map(([code, value]) => ({ value, labels: { code } }));
  const closes = [...counts.closes].map(([reason, value]) => ({ value, labels: { reason } }));
  const subscriptions = [{ value: counts.subscriptions, labels: {} }];
  return [
    gauge(
      'stream_connections',
      'Streams that are open, by transport.',
      each((one) => one.connections),
      'sum',
    ),
    gauge('stream_subscriptions', 'Answers that streams follow.', subscriptions, 'sum'),
    counter(
      'stream_messages_total',
      'Messages about answers to clients of streams.',
      each((one) => one.messages),
      'sum',
    ),
    counter(
      'stream_bytes_total',
      'Their bytes.',
      each((one) => one.bytes),
      'sum',
    ),
    counter(
      'stream_refusals_total',
      'Streams and subscriptions that were refused, by the code of the error.',
      refusals,
      'sum',
    ),
    counter(
      'stream_closes_total',
      'Streams that the server has ended, by reason: slow, behind, unread and unsent are clients that read too slowly.',
      closes,
      'sum',
    ),
  ];
}
