/** The ready bytes of an answer in one coding, head and body: a request only writes digits into them. */

/** Digits of a Unix time in milliseconds, from 2001 until 2286, and what stands in their place before the first. */
export const stampLength = 13;
export const noStamp = 1_000_000_000_000;

/** The state of a quota for headers. */
export interface QuotaState {
  /** Requests a window; null without a limit. */
  limit: number | null;
  remaining: number;
  /** Whole seconds to the end of the window, at least 1; 0 without a limit. */
  seconds: number;
}

/** Seconds of a window of quotas, as headers state it. */
const window = 60;

/**
 * The header lines of a quota, texts and numbers in turn; each line follows a line break. `RateLimit` and `RateLimit-Policy`
 * (draft-ietf-httpapi-ratelimit-headers-10) and the two headers of specification 8, whose values are equal. Without a limit the
 * wait for the reset is 0 seconds, and the headers of the draft are left out, since they state a quota.
 */
const quotaParts = ({ limit, remaining, seconds }: QuotaState): (string | number)[] =>
  limit === null
    ? ['\r\nx-ratelimit-after: ', 0, '\r\nretry-after: ', 0]
    : [
        '\r\nx-ratelimit-after: ',
        seconds,
        '\r\nratelimit: "default";r=',
        remaining,
        ';t=',
        seconds,
        '\r\nratelimit-policy: "default";q=',
        limit,
        `;w=${window}\r\nretry-after: `,
        seconds,
      ];

/** The same as text; empty without quotas. */
export const quotaLines = (quota: QuotaState | null): string =>
  quota === null ? '' : quotaParts(quota).join('');

const retryAfter = '\r\nretry-after: ';

/** Statuses whose `retry-after` is not that of the quota: the cause may end long before the window does. */
const passing = new Set([502, 503]);

/**
 * The quota headers with the `retry-after` of an error. With quotas it is the one of the quota (specification 8),
 * except where the service has failed.
 */
export function retryLines(quota: string, status: number, after: number | undefined): string {
  if (after === undefined) return quota;
  if (quota === '') return `${retryAfter}${after}`;
  if (!passing.has(status)) return quota;
  return quota.slice(0, quota.lastIndexOf(retryAfter)) + retryAfter + after;
}

const ageLine = '\r\nage: ';

/** Seconds; 0 for a reading that another clock has received later than `now`. */
const ageOf = (asOf: number, now: number): number => Math.max(0, Math.floor((now - asOf) / 1000));

/**
 * Writes the digits of a whole number over those of another, `before`; `last` is the offset of the last digit. Only those that
 * differ are written: of a time or a count, a few of the last as a rule. False where they are not as many, and then some digits are wrong.
 */
export function rewriteDigits(
  bytes: Uint8Array,
  last: number,
  { before, now }: { before: number; now: number },
): boolean {
  let at = last;
  let old = before;
  let rest = now;
  while (rest !== old) {
    const tens = Math.floor(rest / 10);
    bytes[at--] = 48 + (rest - 10 * tens);
    rest = tens;
    old = Math.floor(old / 10);
    if ((rest === 0) !== (old === 0)) return false;
  }
  return true;
}

const encoder = new TextEncoder();

/** The parts of one form. */
interface Parts {
  /** The body. */
  bytes: Buffer;
  /** Header lines of the body and its coding; each follows a line break. */
  lines: string;
  /** When the newest reading in it was received, Unix ms; null where it holds none. */
  asOf: number | null;
  /** Offset of the response time in the body; null where there is none. */
  place: number | null;
  /** Updates bytes that depend on that, such as a checksum. */
  seal?: (() => void) | null;
}

export class Form {
  readonly #bytes: Buffer;
  readonly #lines: string;
  readonly #asOf: number | null;
  readonly #place: number | null;
  readonly #seal: (() => void) | null;
  #stamped = noStamp;
  #lineBytes: Uint8Array | null = null;

  constructor({ bytes, lines, asOf, place, seal = null }: Parts) {
    this.#bytes = bytes;
    this.#lines = lines;
    this.#asOf = asOf;
    this.#place = place;
    this.#seal = seal;
  }

  /** Whether another time changes further bytes. */
  get sealed(): boolean {
    return this.#seal !== null;
  }

  /** Whether it has had a time: it has been sent, unless its body has none. */
  get wasStamped(): boolean {
    return this.#stamped !== noStamp;
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** The body with `now` (Unix ms) as its timestamp. The buffer is reused: send or copy it before the next call. */
  at(now: number): Buffer {
    if (now !== this.#stamped && this.#place !== null) {
      const last = this.#place + stampLength - 1;
      rewriteDigits(this.#bytes, last, { before: this.#stamped, now });
      this.#seal?.();
      this.#stamped = now;
    }
    return this.#bytes;
  }

  /** `Age` (RFC 9111, 5.1) at `now`, whole seconds; -1 where it holds no reading. */
  age(now: number): number {
    return this.#asOf === null ? -1 : ageOf(this.#asOf, now);
  }

  /** Its header lines at `now`. */
  text(now: number): string {
    const age = this.age(now);
    return age < 0 ? this.#lines : this.#lines + ageLine + age;
  }

  /** The lines without the age. */
  get lines(): Uint8Array {
    // A copy: arrays of up to 64 bytes are in the heap, where the next access to the form has them at hand.
    this.#lineBytes ??= new Uint8Array(encoder.encode(this.#lines));
    return this.#lineBytes;
  }
}

/** A number in a head: the offset of its last digit. */
interface Place {
  last: number;
  value: number;
}

/** No age has been written. */
const none = -2;
/** Bytes of the line of an age. */
const longestAge = 32;
/** Bytes behind an opening and a quota at first: enough for the usual lines. */
const usualRoom = 512;

/**
 * Writes the heads of answers as bytes, which uWebSockets.js copies: a text it would encode at every call. They are written over each other:
 * the lines of the media type, the quota, of which a request changes some digits, and those of the form. Bytes of their own for each
 * answer would be too many for the processor's cache.
 */
export class HeadWriter {
  #bytes = new Uint8Array(0);
  /** Parts of the bytes by their length. */
  #views = new Map<number, Uint8Array>();
  #opening = '';
  /** The numbers of the quota, and where the lines of the form begin. */
  #places: Place[] = [];
  #start = 0;
  #form: Form | null = null;
  /** Where the age stands, the age, and where it ends. */
  #ageAt = 0;
  #age = none;
  #end = 0;
  #view: Uint8Array = this.#bytes;

  /** The head of a form at `now`, Unix ms, behind the lines of its media type. Valid until the next call. */
  write(form: Form, now: number, opening: string, quota: QuotaState | null): Uint8Array {
    if (opening !== this.#opening || !this.#writeQuota(quota)) this.#begin(opening, quota);
    if (form !== this.#form) this.#writeLines(form);
    const age = form.age(now);
    if (age !== this.#age) this.#writeAge(age);
    if (this.#view.length !== this.#end) this.#view = this.#viewOf(this.#end);
    return this.#view;
  }

  #viewOf(length: number): Uint8Array {
    const view = this.#views.get(length) ?? this.#bytes.subarray(0, length);
    this.#views.set(length, view);
    return view;
  }

  /** Writes a quota over the one before; false where it needs another room. */
  #writeQuota(quota: QuotaState | null): boolean {
    if (quota === null) return this.#places.length === 0;
    const { limit, remaining, seconds } = quota;
    if (limit === null) return this.#places.length === 2;
    return (
      this.#number(0, seconds) &&
      this.#number(1, remaining) &&
      this.#number(2, seconds) &&
      this.#number(3, limit) &&
      this.#number(4, seconds)
    );
  }

  #number(at: number, now: number): boolean {
    const place = this.#places[at];
    if (place === undefined) return false;
    const before = place.value;
    if (now === before) return true;
    place.value = now;
    return rewriteDigits(this.#bytes, place.last, { before, now });
  }

  #begin(opening: string, quota: QuotaState | null): void {
    let text = opening;
    this.#places = [];
    for (const part of quota === null ? [] : quotaParts(quota)) {
      text += part;
      if (typeof part === 'number') this.#places.push({ last: text.length - 1, value: part });
    }
    this.#ensure(text.length + usualRoom);
    encoder.encodeInto(text, this.#bytes);
    this.#opening = opening;
    this.#start = text.length;
    this.#form = null;
    this.#ageAt = 0;
  }

  #writeLines(form: Form): void {
    const { lines } = form;
    const end = this.#start + lines.length;
    this.#ensure(end + longestAge);
    this.#bytes.set(lines, this.#start);
    this.#form = form;
    // Most answers have lines of one length: then the age stands where it stood.
    if (end !== this.#ageAt) this.#age = none;
    this.#ageAt = end;
  }

  #writeAge(age: number): void {
    const text = age < 0 ? '' : ageLine + age;
    for (let i = 0; i < text.length; i++) this.#bytes[this.#ageAt + i] = text.charCodeAt(i);
    this.#age = age;
    this.#end = this.#ageAt + text.length;
  }

  #ensure(length: number): void {
    if (length <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * length);
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#views = new Map();
    this.#view = new Uint8Array(0);
  }
}
