/** Who follows an answer, or a pattern: those who are sent the same bytes at once, and those who are told one by one. */

/** Bytes that may wait for a client before nothing more is sent to it. */
export const mostWaiting = 64 * 1024;

/** Called by an answer, `Of`, after each change. */
export interface FollowerOf<Of> {
  /** The account for which it follows. */
  readonly account: string;
  /** Those that are told in its place. */
  readonly audience?: Audience<Of>;
  changed(topic: Of): void;
  /** What its group is to be sent about the present version; null for nothing. */
  shared?(topic: Of): Shared | null;
  /** Leaves its group where its client does not read what it is sent. */
  checkRead?(): void;
  /** A pattern means one more answer. */
  added?(topic: Of): void;
  /** What it does on a change has thrown. */
  failed?(error: unknown): void;
}

/** Bytes for all who take part in a group. */
export interface Shared {
  bytes: Buffer;
  isBinary: boolean;
}

/** Sends to all who take part in the group of a name, so many of them. */
export type Publish = (group: string, shared: Shared, members: number) => void;

/** Followers who have the version before and get the same bytes about the next. */
interface Group<Of> {
  readonly members: Set<FollowerOf<Of>>;
  /** Bytes that it was sent since its members have been asked whether they read. */
  bytes: number;
}

/** Fewest followers that are told as a group. */
const fewest = 4;

export class Audience<Of> {
  readonly #alone = new Set<FollowerOf<Of>>();
  readonly #groups = new Map<string, Group<Of>>();

  /** Adds one who is told by itself until it enters a group. */
  add(follower: FollowerOf<Of>): void {
    this.#alone.add(follower);
  }

  /** Removes one that has left its group. */
  delete(follower: FollowerOf<Of>): void {
    this.#alone.delete(follower);
  }

  /** From now on it gets what is published to the group. */
  enter(name: string, follower: FollowerOf<Of>): void {
    const group = this.#groups.get(name) ?? { members: new Set(), bytes: 0 };
    this.#groups.set(name, group);
    group.members.add(follower);
    this.#alone.delete(follower);
  }

  /** From now on it is told by itself. */
  leave(name: string, follower: FollowerOf<Of>): void {
    const group = this.#groups.get(name);
    if (!group?.members.delete(follower)) return;
    if (group.members.size === 0) this.#groups.delete(name);
    this.#alone.add(follower);
  }

  /**
   * Publishes the present version of `topic` to the groups, and returns how many followers have it. Adds to `rest` those who must be
   * told one by one. Some of them may have left before their turn: `changed` does nothing then.
   */
  publish(topic: Of, publish: Publish | undefined, rest: FollowerOf<Of>[]): number {
    let told = 0;
    for (const [name, group] of this.#groups) {
      if (publish !== undefined && isPublished(topic, { name, group }, publish)) {
        told += group.members.size;
      } else for (const one of group.members) rest.push(one);
    }
    for (const one of this.#alone) rest.push(one);
    return told;
  }
}

/** Whether a group has been sent the present version: not a small one, nor where that throws. */
function isPublished<Of>(
  topic: Of,
  { name, group }: { name: string; group: Group<Of> },
  publish: Publish,
): boolean {
  const { members } = group;
  if (group.bytes >= mostWaiting) {
    group.bytes = 0;
    for (const one of members) one.checkRead?.();
  }
  const [first] = members;
  if (first === undefined || members.size < fewest) return false;
  try {
    const shared = first.shared?.(topic) ?? null;
    if (shared === null) return true;
    group.bytes += shared.bytes.length;
    publish(name, shared, members.size);
    return true;
  } catch {
    return false;
  }
}
