import { accountKeysOf } from '../../actors/bus/keys.ts';
import { closeAtOnce, connect } from '../../actors/bus/redis.ts';
import { Commands } from '../../actors/bus/script.ts';
import type { AuthLog } from './log.ts';
import * as s from './scripts.ts';

/** Keys and accounts as Redis holds them: of an API key the digest only. */
export interface KeyCopy {
  version: 1;
  /** Of the Redis that they are of. */
  marker: string;
  /** Number of the latest change. */
  changes: number;
  /** Fields and values in turns, by the key of the hash. */
  hashes: Record<string, string[]>;
  /** The newest first, by the key of the list. */
  lists: Record<string, string[]>;
}

/** Most hashes and lists of a copy. */
export const mostCopied = 100_000;
/** Redis keys that are read or written at once. */
const step = 500;

const hashPrefixes = [s.keyPrefix, s.accountPrefix, accountKeysOf('')];
const listPrefix = s.revokedOf('');

/** Copies keys and accounts out of a Redis and back. Every method rejects when Redis is away, late or reports an error. */
export class KeyCopier {
  readonly #commands: Commands;

  /** Throws RangeError when `url` is not a Redis URL. */
  constructor(url: string, name: string, log: Pick<AuthLog, 'info' | 'warn' | 'error'>) {
    this.#commands = new Commands(connect(url, { name, log }), [s.lookScript]);
  }

  close(): void {
    closeAtOnce(this.#commands.redis);
  }

  /** The marker; null when it was `seen` (empty where none is known) and has gone. `fresh` is set where there is none. */
  look(seen: string, fresh: string): Promise<string | null> {
    return s.look(this.#commands, seen, fresh);
  }

  /** Grows with what is written about keys and accounts. */
  async writes(): Promise<number> {
    return Number(await this.#commands.send('GET', s.writesKey));
  }

  /** Everything of the Redis with this marker. Rejects also when that is too much. */
  async read(marker: string): Promise<KeyCopy> {
    const names = await this.#names();
    const hashes = names.filter((name) => hashPrefixes.some((prefix) => name.startsWith(prefix)));
    const lists = names.filter((name) => name.startsWith(listPrefix));
    if (hashes.length + lists.length > mostCopied) {
      throw new Error(
        `more than ${mostCopied} records of keys and accounts: back Redis up instead`,
      );
    }
    return {
      ...{ version: 1, marker },
      changes: Number(await this.#commands.send('GET', s.changesKey)),
      hashes: await this.#each(hashes, (name) => this.#commands.send('HGETALL', name)),
      lists: await this.#each(lists, (name) => this.#commands.send('LRANGE', name, 0, -1)),
    };
  }

  /**
   * Writes what is missing in Redis, keeps what is there, and sets the marker of the copy. The number of keys written;
   * null, and nothing is done, when nothing is missing. It may be repeated.
   */
  async restore({ marker, changes, hashes, lists }: KeyCopy): Promise<number | null> {
    const commands = this.#commands;
    if ((await this.look(marker, marker)) !== null) return null;
    let keys = 0;
    await this.#each(Object.keys(hashes), async (name) => {
      // The list of an account's keys is joined with that of keys made since.
      const joined = name.startsWith(accountKeysOf(''));
      if (!joined && (await commands.send('EXISTS', name)) === 1) return [];
      const fields = hashes[name] ?? [];
      await commands.send('HSET', name, ...fields);
      // A browser session ends when it would have ended.
      const at = fields.indexOf('until');
      if (name.startsWith(s.keyPrefix) && at >= 0 && at % 2 === 0)
        await commands.send('PEXPIREAT', name, fields[at + 1] ?? 0);
      if (name.startsWith(s.keyPrefix)) keys += 1;
      return [];
    });
    await this.#each(Object.keys(lists), async (name) => {
      if ((await commands.send('EXISTS', name)) === 1) return [];
      return [await commands.send('RPUSH', name, ...(lists[name] ?? []))];
    });
    const number = Math.max(changes, Number(await commands.send('GET', s.changesKey)));
    await commands.send('SET', s.changesKey, number);
    await commands.send('INCR', s.writesKey);
    await commands.send('SET', s.markerKey, marker);
    await commands.send('DEL', s.lostKey);
    return keys;
  }

  async #names(): Promise<string[]> {
    const names = new Set<string>();
    let cursor = '0';
    do {
      const reply = await this.#commands.send('SCAN', cursor, 'MATCH', 'auth:*', 'COUNT', 1_000);
      const [next, found] = Array.isArray(reply) ? reply : ['0', []];
      cursor = String(next);
      for (const name of found) names.add(String(name));
    } while (cursor !== '0');
    return [...names].sort();
  }

  /** The texts that `work` gives for each name, some names at a time. */
  async #each(
    names: readonly string[],
    work: (name: string) => Promise<unknown>,
  ): Promise<Record<string, string[]>> {
    const all: Record<string, string[]> = {};
    for (let at = 0; at < names.length; at += step) {
      const part = names.slice(at, at + step);
      const found = await Promise.all(part.map(work));
      for (const [i, name] of part.entries()) {
        const texts = found[i];
        if (Array.isArray(texts)) all[name] = texts.map(String);
      }
    }
    return all;
  }
}
