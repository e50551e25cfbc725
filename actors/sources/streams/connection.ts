/** One connection of a stream, from its opening to its end: wanted channels, acknowledged ones, and when each brought data. */
import { minute } from '../../../config/time.ts';
import { type Failure, type FailureCode, failed } from '../../failure.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { SharedWindows } from '../../kernel/shared-window.ts';
import { messageOf, wideMessageOf } from '../../read.ts';
import { socketUrl } from '../../upstream/gateway.ts';
import { Socket } from '../../upstream/socket.ts';
import type { InstrumentMap } from '../define.ts';
import type { ConnectionRecording, StreamRecording } from '../recording/stream-recording.ts';
import { Pacer, sharedPacer } from './pacer.ts';
import type { Wiring } from './stream.ts';
import { Beats, type Share, Subscriptions } from './subscriptions.ts';

export interface ConnectionOptions {
  stream: Wiring;
  clock: Clock;
  /** Uniform in [0, 1). */
  random(): number;
  /** Base URL that every connection goes through, or null. */
  gateway: string | null;
  /** The turns of connections, which all processes of an address share; of this process alone when absent. */
  shared?: SharedWindows | undefined;
  /** What the stream is recorded to; absent or null where it is not. */
  recording?: StreamRecording | null | undefined;
  /**
   * What comes as long as all is well, or the connection is opened again: data of any channel, or of each that brought them
   * regularly; nothing where data may be absent for any time.
   */
  expects: 'nothing' | 'data' | 'channels';
  /** Takes the JSON of a frame, or its text where that is not JSON. True for a message with data. */
  onMessage(message: unknown, by: Connection): boolean;
  /** A bug in a function of the stream or of its owner; the next message follows. */
  onError(error: unknown): void;
}

/** Time for the opening, and after the last subscription for it to be acknowledged or to bring data, ms. */
const timeouts = { connect: 10_000, ready: 10_000 };
/** Time open, ms, after which a connection counts as good. */
const healthy = 30_000;
/** Attempts after which the time for the first data does not double any more. */
const mostPatient = 6;

export class Connection {
  /** All subscriptions are there, as far as the upstream lets us know. */
  isReady = false;
  /** Subscriptions that are not there by now will not come. */
  isOverdue = false;
  /** It will end: by its age, or as the upstream has announced. */
  isDue = false;
  /** Why it has ended, or did not open; null before, and where its owner has closed it. */
  failure: Failure | null = null;
  readonly beats = new Beats();
  readonly subscriptions: Subscriptions;
  readonly recording: ConnectionRecording | null;
  readonly isBehind: boolean;
  readonly #share: Share;
  readonly #options: ConnectionOptions;
  readonly #onChange: (by: Connection) => void;
  readonly #socket: Socket;
  /** Gives the turns of messages, which wait in the queue; null where they need none. */
  #pacer: Pacer | null = null;
  readonly #queue = new Set<string>();
  #state: 'connecting' | 'open' | 'over' = 'connecting';
  /** The markets that are wanted. */
  #markets: InstrumentMap = new Map();
  /** Times by the monotonic clock: of the attempt, then of the opening; of the last message, data and ping. */
  #began: number;
  #lastMessage = 0;
  #lastData: number | null = null;
  #lastPing = 0;
  /** When the subscriptions are overdue, what is missing of them is asked for again (null where nothing is), and it has reached its age. */
  #overdue = Number.POSITIVE_INFINITY;
  #again: number | null = null;
  #old = Number.POSITIVE_INFINITY;

  /** `onChange`: it is ready, overdue or due, or has failed. */
  constructor(share: Share, options: ConnectionOptions, onChange: (by: Connection) => void) {
    const { stream, gateway, clock, recording } = options;
    const { url, headers, maxMessage = 4 * 2 ** 20 } = stream;
    this.subscriptions = new Subscriptions(stream);
    this.#share = share;
    this.isBehind = share.isBehind;
    this.#options = options;
    this.#onChange = onChange;
    this.#began = clock.monotonic();
    const recorded = recording?.connection(url) ?? null;
    this.recording = recorded;
    this.#socket = new Socket({
      url: socketUrl(url, gateway),
      headers,
      maxMessage,
      onOpen: () => this.#call(() => this.#begin()),
      onText: (text) =>
        text === null
          ? this.#lose('shape', 'a compressed frame is damaged or too large')
          : this.#call(() => recorded?.hear(text, () => this.#take(text)) ?? this.#take(text)),
      onEnd: (code) => this.#lose('network', `the connection ended (${code})`),
    });
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Some subscriptions are not there. Data show that a single one is; each book is asked for again by itself. */
  get #isPartial(): boolean {
    const isHeard = this.subscriptions.size === 1 && this.#lastData !== null;
    return this.subscriptions.isPartial && !isHeard && this.#options.expects !== 'data';
  }

  /** A market has brought data of a topic. */
  note(market: string, topic = 'data'): void {
    this.recording?.note(market);
    if (this.#markets.has(market)) this.beats.note(this.#lastMessage, topic, market);
  }

  /** Sends a message in its turn, once where it waits already, or at once where it cannot wait; does nothing unless it is open. */
  send(text: string | null, isUrgent = false): void {
    if (this.#state !== 'open' || text === null) return;
    const pacer = isUrgent ? null : this.#pacer;
    if (pacer === null) this.#write(text);
    if (pacer === null || this.#queue.has(text)) return;
    this.#queue.add(text);
    pacer.enter(() => {
      const isWanted = this.#queue.delete(text);
      if (isWanted) this.#write(text);
      return isWanted;
    });
  }

  /** Subscribes to the channels of its share that are new, and ends those that are not wanted any more. */
  subscribe(): void {
    if (this.#state !== 'open') return;
    const { stream, clock } = this.#options;
    const { channels, unsubscribe, pace = 0 } = stream;
    const { markets } = this.#share;
    const gone = new Map([...this.#markets].filter(([market]) => !markets.has(market)));
    this.#markets = markets;
    this.beats.forget(gone.keys());
    this.recording?.follow(markets);
    const all = channels(markets);
    const messages = this.#share.suspects.without(all, clock.monotonic());
    this.subscriptions.leftOut = all.length - messages.length;
    const { ended, added } = this.subscriptions.want(messages);
    for (const message of unsubscribe?.(gone, this) ?? ended) this.send(message);
    for (const message of added) this.send(message);
    if (added.length === 0) return;
    this.isOverdue = false;
    this.#overdue = clock.monotonic() + timeouts.ready + this.#queue.size * pace;
  }

  /** Ends it at once; `onChange` is not called any more. Idempotent. */
  close(): void {
    if (this.isOpen) this.recording?.ended(this.failure?.message ?? null);
    this.#state = 'over';
    this.isReady = false;
    this.#queue.clear();
    this.#socket.kill();
  }

  /** What is due by now; called every second. */
  tick(): void {
    const { keepAlive, silence } = this.#options.stream;
    const now = this.#options.clock.monotonic();
    if (this.#state === 'connecting' && now - this.#began >= timeouts.connect)
      this.#lose('timeout', 'not open in time');
    if (this.#state !== 'open') return;
    const quiet = this.#quiet(now);
    if (now - this.#lastMessage >= silence) this.#lose('timeout', `silent for ${silence} ms`);
    else if (quiet !== null) this.#lose('timeout', `no data for ${quiet} ms`, this.beats.areSteady);
    if (!this.isOpen) return;
    this.#call(() => {
      if (keepAlive && now - this.#lastPing >= keepAlive.every) {
        this.#lastPing = now;
        if (keepAlive.message === null) this.#socket.ping();
        else this.send(keepAlive.message, true);
      }
      if (now >= this.#old) this.#end();
      if (now < this.#overdue) return;
      this.#askAgain(now);
      if (this.isOverdue) return;
      this.isOverdue = true;
      this.#settle(false);
    });
  }

  #begin(): void {
    const { stream, clock, random } = this.#options;
    const { opening = [], lifetime = Number.POSITIVE_INFINITY, pace: gap, paceOf, settle } = stream;
    const name = `messages ${new URL(stream.url).host}`;
    if (gap !== undefined)
      this.#pacer =
        paceOf === 'host'
          ? sharedPacer(clock, name, { gap })
          : new Pacer(clock, { gap, rest: settle ?? 0 });
    const now = clock.monotonic();
    this.#state = 'open';
    this.#began = now;
    this.#lastMessage = now;
    this.#lastPing = now;
    this.#old = now + lifetime * (0.98 - 0.02 * random());
    this.recording?.opened();
    for (const message of opening) this.send(message, true);
    this.subscribe();
  }

  /** True for a message with data. */
  #take(text: string): boolean {
    const { stream, clock, onMessage } = this.#options;
    const now = clock.monotonic();
    this.#lastMessage = now;
    if (stream.concerns && !stream.concerns(text)) return false;
    const message = stream.wide ? wideMessageOf(text) : messageOf(text);
    this.send(stream.reply?.(message) ?? null, true);
    this.send(this.subscriptions.hear(message));
    if (stream.ends?.(message)) this.#end();
    const hasData = onMessage(message, this);
    if (hasData) this.#lastData = now;
    this.#settle(hasData);
    return hasData;
  }

  /**
   * What was refused for the moment, as too many messages, is asked for by another connection, ever more rarely: some upstreams never
   * acknowledge a name.
   */
  #askAgain(now: number): void {
    const share = this.#share;
    if (!this.#isPartial) {
      share.partial = 0;
      this.#again = null;
      return;
    }
    this.#again ??= now + minute * 2 ** Math.min(share.partial++, mostPatient);
    if (now >= this.#again) this.#end();
  }

  #end(): void {
    if (this.isDue) return;
    this.isDue = true;
    this.#onChange(this);
  }

  /**
   * Looks whether all subscriptions are there now: as many acknowledgements as it has asked for; data, where it asks for one. Once they
   * are overdue some acknowledgements do. Where the upstream acknowledges nothing, data or the deadline.
   */
  #settle(hasData: boolean): void {
    if (this.isReady || this.#state !== 'open') return;
    const { acknowledges } = this.#options.stream;
    const { size, acknowledged } = this.subscriptions;
    const least = this.isOverdue ? 1 : Math.max(1, size);
    const isHeard = hasData && (least === 1 || !acknowledges);
    const hasAll = acknowledges ? acknowledged >= least : this.isOverdue;
    this.isReady = this.#queue.size === 0 && (isHeard || hasAll);
    if (this.isReady || this.isOverdue) this.#onChange(this);
  }

  /** For how long data are absent that should come, ms; null while none are. */
  #quiet(now: number): number | null {
    const { stream, expects } = this.#options;
    if (expects === 'nothing') return null;
    const since = now - (this.#lastData ?? this.#began);
    const patience = stream.silence * 2 ** Math.min(this.#share.attempts, mostPatient);
    if (!this.beats.areSteady && since >= patience) return since;
    // A channel of all markets says nothing of one of them.
    const isByMarket = expects === 'channels' && this.subscriptions.size >= this.#markets.size;
    return this.beats.quiet(now, stream.silence, isByMarket);
  }

  #lose(code: FailureCode, why: string, isGood = true): void {
    const { stream, clock } = this.#options;
    const { host, pathname } = new URL(stream.url);
    this.failure = failed(code, `WebSocket ${host}${pathname}: ${why}`).failure;
    if (stream.endsOnUnknown && this.isOpen && this.subscriptions.size > 1)
      this.#share.suspects.note(this.subscriptions.unanswered, clock.monotonic());
    const isLong = this.isOpen && clock.monotonic() - this.#began >= healthy;
    this.#share.attempts = isGood && isLong ? 1 : this.#share.attempts + 1;
    this.close();
    this.#call(() => this.#onChange(this));
  }

  #write(text: string): void {
    const { stream, clock } = this.#options;
    this.#socket.send(stream.stamp?.(text, clock.now()) ?? text);
    if (text !== stream.keepAlive?.message) this.recording?.sent(text);
  }

  /** Calls what calls functions of the stream; an exception is reported. */
  #call(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
