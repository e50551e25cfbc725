/** A message of a subscription, and its bytes in the forms in which clients want it. */
import { pack } from 'msgpackr';

/** How a client wants its messages. */
export const formats = ['json', 'msgpack'] as const;
export type Format = (typeof formats)[number];

/** The name of a subscription as the client gave it. */
export type Id = string | number;

/** Most ready forms of one message: clients of a topic that name their subscriptions alike share one. */
const mostForms = 16;

interface MessageParts {
  event: 'snapshot' | 'update' | 'patch' | 'levels' | 'current' | 'events' | 'error';
  /** The version after this message; empty for an error. */
  version: string;
  /** Further members as JSON text, each after a comma. */
  rest: string;
  /** When it was made, Unix ms. */
  made: number;
}

/** JSON text, or bytes of MessagePack. */
export const encoded = (text: string, format: Format): string | Buffer =>
  format === 'json' ? text : pack(JSON.parse(text));

/** The member that names a subscription; empty without a name. */
export const idMember = (id: Id | null): string =>
  id === null ? '' : `,"id":${JSON.stringify(id)}`;

export class Message implements MessageParts {
  /** For how long it may be sent as it is, ms. */
  static readonly life = 1_000;

  readonly event: MessageParts['event'];
  readonly version: string;
  readonly rest: string;
  readonly made: number;
  #forms: Map<string, Buffer> | null = null;
  /** The members as an object, for MessagePack: clients name their subscriptions differently, and the data are the same. */
  #parsed: object | null = null;

  constructor({ event, version, rest, made }: MessageParts) {
    this.event = event;
    this.version = version;
    this.rest = rest;
    this.made = made;
  }

  /** The members after `type` or `path`. */
  get members(): string {
    const { version } = this;
    const stated = version === '' ? '' : `,"version":"${version}","position":"${version}"`;
    return `,"timestamp":${this.made}${stated}${this.rest}`;
  }

  /** As it goes over a WebSocket; `path` is that of the answer where one subscription has several. */
  bytes(id: Id, path: string | null, format: Format): Buffer {
    return this.form(`${format} ${typeof id} ${id} ${path}`, () =>
      format === 'json' ? this.#json(id, path) : this.#packed(id, path),
    );
  }

  /** Its bytes in the form of a name, which are made once while there are few forms. */
  form(name: string, make: () => Buffer): Buffer {
    const known = this.#forms?.get(name);
    if (known !== undefined) return known;
    const bytes = make();
    this.#forms ??= new Map();
    if (this.#forms.size < mostForms) this.#forms.set(name, bytes);
    return bytes;
  }

  #json(id: Id, path: string | null): Buffer {
    const of = path === null ? '' : `,"path":${JSON.stringify(path)}`;
    return Buffer.from(`{"type":"${this.event}"${idMember(id)}${of}${this.members}}`);
  }

  #packed(id: Id, path: string | null): Buffer {
    const parsed: object = this.#parsed ?? JSON.parse(`{${this.members.slice(1)}}`);
    this.#parsed = parsed;
    const of = path === null ? {} : { path };
    return pack({ type: this.event, id, ...of, ...parsed });
  }
}
