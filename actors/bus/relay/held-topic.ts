/** What a relay holds of a topic: its last values, and the end of its stream, in the form in which they are sent. */
import type { TopicForm } from '../../topics/index.ts';
import type { Payload } from '../reader.ts';
import type { LogPosition } from '../resume.ts';
import type { Reply } from './resp.ts';
import * as resp from './resp.ts';

/** The two numbers of the id of an entry. */
type Id = readonly [ms: number, count: number];

/** An entry as XREAD gives it; `payload` is a part of `bytes`. */
interface HeldEntry {
  id: Id;
  seq: number;
  bytes: Buffer;
}

/** Bytes of entries that are kept of a state topic at most: whoever is further behind reads the last values again. */
const mostBytes = 4 * 2 ** 20;

/** The id in a text; NaN in the place of a number that it does not have. */
export function idOf(text: string): Id {
  const [ms = Number.NaN, count = Number.NaN] = text.split('-').map(Number);
  return [ms, count];
}

const isAfter = (a: Id, b: Id): boolean => a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);

export class HeldTopic {
  readonly #form: TopicForm;
  /** In the order of their ids. Those before `#first` are gone. */
  #entries: HeldEntry[] = [];
  #first = 0;
  #bytes = 0;
  #values = new Map<string, Buffer>();
  #at: LogPosition = { id: '0-0', seq: 0 };

  constructor(form: TopicForm) {
    this.#form = form;
  }

  get isLog(): boolean {
    return this.#form.log === true;
  }

  /** The number of the last entry. */
  get seq(): number {
    return this.#at.seq;
  }

  /** Replaces the last values. True where they continue what is held, so that followers have missed nothing. */
  replace(values: ReadonlyMap<string, Buffer>, at: LogPosition): boolean {
    this.#values = new Map([...values].map(([key, payload]) => [key, copyOf(payload)]));
    if (at.seq === this.#at.seq && at.id === this.#at.id) return true;
    this.#clear(at);
    return false;
  }

  /** Adds an entry. False where its id is not after that of the last one: what was held is gone then. */
  add({ key, payload }: Payload, at: LogPosition): boolean {
    const id = idOf(at.id);
    const isNext = isAfter(id, idOf(this.#at.id));
    if (!isNext) this.#clear(at);
    const { bytes, data } = entryBytes({ key, payload }, at);
    this.#entries.push({ id, seq: at.seq, bytes });
    this.#bytes += bytes.length;
    this.#at = at;
    if (!this.#form.log) this.#values.set(key, data);
    this.#trim();
    return isNext;
  }

  /** Forgets everything: the log begins again. */
  restart(): void {
    this.#clear({ id: '0-0', seq: 0 });
  }

  /** Forgets the entries whose numbers come after that of a position, which is the end now. */
  cutBack(at: LogPosition): void {
    while (this.#entries.length > this.#first && (this.#entries.at(-1)?.seq ?? 0) > at.seq)
      this.#bytes -= this.#entries.pop()?.bytes.length ?? 0;
    this.#at = at;
  }

  /** Forgets the values of all other keys. */
  keep(keys: ReadonlySet<string>): void {
    for (const key of this.#values.keys()) if (!keys.has(key)) this.#values.delete(key);
  }

  /** The entries behind an id, `most` of them at most, oldest first. */
  after(id: Id, most: number): Reply[] {
    const first = this.#placeAfter(id);
    return this.#entries.slice(first, first + most).map(({ bytes }) => [bytes]);
  }

  /**
   * The newest entry that does not come after an id, the last one for null; none where that is not held. After a start
   * only the id and the number of the last one are known.
   */
  upTo(id: Id | null): Reply[] {
    const place = id === null ? this.#entries.length : this.#placeAfter(id);
    const entry = place > this.#first ? this.#entries[place - 1] : undefined;
    if (entry) return [[entry.bytes]];
    const last = this.#at;
    const isHeld = this.#entries.length === this.#first && last.id !== '0-0';
    if (!isHeld || (id !== null && isAfter(idOf(last.id), id))) return [];
    const fields = resp.list([resp.text('seq'), resp.text(`${last.seq}`)]);
    return [resp.list([resp.text(last.id), fields])];
  }

  /** The last values, as HGETALL gives them. */
  values(): Reply {
    return resp.list(
      [...this.#values].flatMap(([key, value]) => [resp.text(key), resp.bytes(value)]),
    );
  }

  /** The place of the first entry behind an id. */
  #placeAfter(id: Id): number {
    let [low, high] = [this.#first, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const entry = this.#entries[middle];
      if (entry && isAfter(entry.id, id)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #clear(at: LogPosition): void {
    this.#entries = [];
    this.#first = 0;
    this.#bytes = 0;
    this.#at = at;
  }

  #trim(): void {
    const { log, length } = this.#form;
    const isFull = () =>
      this.#entries.length - this.#first > length || (!log && this.#bytes > mostBytes);
    // The newest stays, however long it is.
    while (isFull() && this.#first < this.#entries.length - 1) {
      this.#bytes -= this.#entries[this.#first]?.bytes.length ?? 0;
      this.#first += 1;
    }
    if (2 * this.#first < this.#entries.length) return;
    this.#entries = this.#entries.slice(this.#first);
    this.#first = 0;
  }
}

/** The buffer alone: a part of one that was received would keep the whole of it in memory. */
function copyOf(payload: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(payload.length);
  payload.copy(copy);
  return copy;
}

/** An entry as it is sent, and the part of it that is its payload. */
function entryBytes({ key, payload }: Payload, { id, seq }: LogPosition) {
  const fields = ['key', key, 'seq', `${seq}`, 'data'].map(resp.textOf).join('');
  const head = `*2\r\n${resp.textOf(id)}*6\r\n${fields}$${payload.length}\r\n`;
  const start = Buffer.byteLength(head);
  const bytes = Buffer.allocUnsafeSlow(start + payload.length + 2);
  bytes.write(head, 0);
  payload.copy(bytes, start);
  bytes.write('\r\n', start + payload.length);
  return { bytes, data: bytes.subarray(start, start + payload.length) };
}
