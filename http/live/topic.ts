/** One followed answer: its newest version, the version before it, and the messages that are made of them. */

import type { JsonText } from '../answers/json-text.ts';
import type { Snapshot } from '../answers/snapshots.ts';
import { type ApiError, errorMembers, isApiError } from '../wire/errors.ts';
import { Audience, type FollowerOf, type Publish } from './audience.ts';
import { levelsBetween, wholeBook } from './levels.ts';
import { Message } from './message.ts';
import { patchOf } from './patch.ts';

/** Called by a topic after each change. */
export type Follower = FollowerOf<Topic>;

/** Units of one who is told with its group. */
const ofMember = 0.02;

/** Tells a follower of a change: what that throws concerns it alone. */
function notifyOne(follower: Follower, topic: Topic): void {
  try {
    follower.changed(topic);
  } catch (error) {
    if (!follower.failed) throw error;
    follower.failed(error);
  }
}

/** How a version comes after what the client has: it has nothing yet, the version before, or an older one. */
export type Kind = 'first' | 'step' | 'jump';

/** Whole data in every message, what has changed since the message before, each event of a log, or the levels of a book. */
export const modes = ['full', 'patch', 'log', 'levels'] as const;
export type Mode = (typeof modes)[number];

const failed = (error: ApiError, made: number): Message =>
  new Message({ event: 'error', version: '', made, rest: `,${errorMembers(error)}` });

export class Topic {
  /** Equal for equal answers, whatever the order or case of the parameters. */
  readonly key: string;
  readonly followers = new Set<Follower>();
  /** Those who follow it alone. */
  readonly audience = new Audience<Topic>();
  /** These, and those of the patterns that it is in. */
  readonly #audiences = new Set([this.audience]);
  /** While followers are told one by one: who has the present version already, or follows no more. Null at other times. */
  #told: Set<Follower> | null = null;
  readonly #read: (() => JsonText | ApiError) | null;
  #state: Snapshot | ApiError | null;
  #before: Snapshot | null = null;
  /** Made at the first use of a version; null where a patch cannot express the change. */
  #patch: string | null | undefined;
  /** The same of the levels of an order book. */
  #levels: string | null | undefined;
  #text: string | null = null;
  /** The messages of the present version by their event, which all followers share. */
  #messages = new Map<string, Message>();

  /** `state` is null while an answer is asked for, and where followers read the data themselves, by `read`. */
  constructor(
    key: string,
    state: Snapshot | ApiError | null,
    read: (() => JsonText | ApiError) | null = null,
  ) {
    this.key = key;
    this.#state = state;
    this.#read = read;
  }

  get state(): Snapshot | ApiError | null {
    return this.#state;
  }

  /** The tag of the data: it is equal in every process, and empty without an answer. */
  get version(): string {
    return this.#state === null || isApiError(this.#state) ? '' : this.#state.version;
  }

  /** The data as they are now, without bytes where those are not there; null while there are none. */
  data(): JsonText | null {
    const found = this.#read === null ? this.#state : this.#read();
    if (found === null || isApiError(found)) return null;
    return 'json' in found ? found.json : found;
  }

  /** Why there are none; null where there are, or may soon be. */
  fault(): ApiError['error'] | null {
    const found = this.#read === null ? this.#state : this.#read();
    return found !== null && isApiError(found) ? found.error : null;
  }

  /** Whether who begins to follow it is told of it at once. */
  get isThere(): boolean {
    return this.#read !== null || this.version !== '';
  }

  /** Whether it is an error now, and was an answer before. */
  get isLost(): boolean {
    return this.version === '' && this.#before !== null;
  }

  /** Takes the newest answer. Whether it differs from the one before. */
  take(next: Snapshot | ApiError): boolean {
    const known = this.#state;
    if (next === known) return false;
    if (known !== null) {
      if (isApiError(next) && isApiError(known) && next.error === known.error) return false;
      if (!isApiError(next) && !isApiError(known) && next.version === known.version) {
        // It may be younger.
        this.#state = next;
        return false;
      }
    }
    this.#before = known === null || isApiError(known) ? null : known;
    this.#state = next;
    this.#text = null;
    this.#patch = undefined;
    this.#levels = undefined;
    this.#messages = new Map();
    return true;
  }

  add(follower: Follower): void {
    this.followers.add(follower);
    if (follower.audience === undefined) this.audience.add(follower);
    else this.#audiences.add(follower.audience);
  }

  /** Whether it followed. */
  delete(follower: Follower): boolean {
    this.audience.delete(follower);
    this.#told?.add(follower);
    if (follower.audience !== undefined) this.#audiences.delete(follower.audience);
    return this.followers.delete(follower);
  }

  /** Tells the followers that there are now: groups at once, the others one in each step. */
  *notify(publish?: Publish): Generator<number, void> {
    const rest: Follower[] = [];
    let told = 0;
    for (const audience of this.#audiences) told += audience.publish(this, publish, rest);
    const known = new Set<Follower>();
    this.#told = known;
    try {
      yield 1 + told * ofMember;
      for (const one of rest) {
        if (known.has(one)) continue;
        notifyOne(one, this);
        yield 1;
      }
    } finally {
      this.#told = null;
    }
  }

  /** A follower has been sent the present version already: `notify` leaves it out. */
  told(follower: Follower): void {
    this.#told?.add(follower);
  }

  /**
   * The message that brings a client to the present version; null while there is no answer. `resume` is the version that
   * the client says it has; `made` is now, Unix ms.
   */
  message(kind: Kind, { mode, resume }: { mode: Mode; resume?: string | undefined }, made: number) {
    const state = this.#state;
    if (state === null) return null;
    if (isApiError(state)) return this.#shared('error', made, () => failed(state, made));
    return this.#versionOf(state, { kind, mode, resume, made });
  }

  #versionOf(
    state: Snapshot,
    {
      kind,
      mode,
      resume,
      made,
    }: { kind: Kind; mode: Mode; resume?: string | undefined; made: number },
  ): Message {
    const { version } = state;
    const asOf = state.asOf === null ? '' : `,"as_of":${state.asOf}`;
    const make = (event: Message['event'], rest: string) =>
      new Message({ event, version, rest, made });
    const isBack = kind === 'first' && resume !== undefined && resume !== '';
    if (isBack && resume === version) return make('current', ',"recovered":true');
    if (mode === 'levels') return this.#book(isBack ? 'jump' : kind, state, made);
    if (isBack) {
      const missed = () =>
        make('snapshot', `,"recovered":false${asOf},"data":${this.#data(state)}`);
      return this.#shared('missed', made, missed);
    }
    if (kind === 'step' && mode === 'patch' && this.#patchText(state) !== null) {
      const from = JSON.stringify(this.#before?.version);
      const patch = () => make('patch', `${asOf},"from":${from},"patch":${this.#patchText(state)}`);
      return this.#shared('patch', made, patch);
    }
    const event = kind === 'first' || this.#before === null ? 'snapshot' : 'update';
    return this.#shared(event, made, () => make(event, `${asOf},"data":${this.#data(state)}`));
  }

  /** The changes of the levels since the version before, or the whole book and why it is sent. */
  #book(kind: Kind, state: Snapshot, made: number): Message {
    const { version } = state;
    const asOf = state.asOf === null ? '' : `,"as_of":${state.asOf}`;
    const before = this.#before;
    if (this.#levels === undefined) this.#levels = before && levelsBetween(before, state);
    const levels = this.#levels;
    if (kind === 'step' && levels !== null) {
      const about = { event: 'levels', version, made } as const;
      return this.#shared('levels', made, () => new Message({ ...about, rest: asOf + levels }));
    }
    const why = kind === 'first' ? 'first' : kind === 'jump' ? 'missed' : 'lost';
    return this.#shared(`book ${why}`, made, () => {
      const rest = `${asOf}${wholeBook(before, state, why)},"data":${this.#data(state)}`;
      return new Message({ event: 'snapshot', version, rest, made });
    });
  }

  /** A message that is built once for each version, and again when it has become old, since it states its time. */
  #shared(name: string, now: number, make: () => Message): Message {
    const known = this.#messages.get(name);
    if (known !== undefined && now - known.made < Message.life) return known;
    const message = make();
    this.#messages.set(name, message);
    return message;
  }

  #data(state: Snapshot): string {
    this.#text ??= state.dataText;
    return this.#text;
  }

  #patchText(state: Snapshot): string | null {
    if (this.#patch === undefined) this.#patch = this.#makePatch(state);
    return this.#patch;
  }

  #makePatch(state: Snapshot): string | null {
    if (this.#before === null) return null;
    const patch = patchOf(JSON.parse(this.#before.dataText), JSON.parse(this.#data(state)));
    return patch === null ? null : JSON.stringify(patch);
  }
}
