/** The copy of API keys and accounts in the data folder of local mode. */
import { randomUUID } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cancel, type Clock, every } from '../../actors/kernel/clock.ts';
import type { Logger } from '../../config/log.ts';
import { KeyCopier, type KeyCopy } from '../../http/auth/key-copy.ts';

/** Time between two looks whether the copy is out of date, ms. */
const period = 2_000;

export const copyPath = (dataDir: string): string => join(dataDir, 'keys.json');

/** The copy of a data folder; null when there is none. Rejects when it cannot be read. */
export async function readCopy(dataDir: string): Promise<KeyCopy | null> {
  const text = await readFile(copyPath(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const copy: Partial<KeyCopy> = JSON.parse(text);
  const { version, marker, changes, hashes, lists } = copy;
  if (version !== 1 || !marker || changes === undefined || !hashes || !lists) {
    throw new Error(`${copyPath(dataDir)} is no copy of keys that this version reads`);
  }
  return { version, marker, changes, hashes, lists };
}

/** Replaces the copy: whatever happens, the former or the new one is there as a whole. */
async function writeCopy(dataDir: string, copy: KeyCopy): Promise<void> {
  const path = copyPath(dataDir);
  const draft = await open(`${path}.new`, 'w', 0o600);
  try {
    await draft.writeFile(JSON.stringify(copy));
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(`${path}.new`, path);
}

interface KeepOptions {
  redisUrl: string;
  dataDir: string;
  clock: Clock;
  log: Logger;
}

/** Keeps the copy of keys and accounts: written when they have changed, never over one that Redis has lost. */
class CopyKeeper {
  readonly #options: KeepOptions;
  readonly #copier: KeyCopier;
  /** Of the copy in the data folder; empty while there is none. */
  #marker: string | null = null;
  #written = Number.NaN;
  #reported = '';
  #cancel: Cancel = () => {};

  constructor(options: KeepOptions) {
    this.#options = options;
    this.#copier = new KeyCopier(options.redisUrl, 'key-copy', options.log);
  }

  /** Keeps the copy up to date until `close`. Resolves after the first look; never rejects. */
  async keep(): Promise<void> {
    await this.#update();
    this.#cancel = every(this.#options.clock, period, () => this.#update());
  }

  close(): void {
    this.#cancel();
    this.#copier.close();
  }

  async #update(): Promise<void> {
    await this.#look().then(
      (problem) => this.#report(problem),
      (error: unknown) => this.#report(error instanceof Error ? error.message : String(error)),
    );
  }

  /** What keeps the copy from being written; empty when nothing does. */
  async #look(): Promise<string> {
    const { dataDir } = this.#options;
    this.#marker ??= (await readCopy(dataDir))?.marker ?? '';
    const copier = this.#copier;
    const marker = await copier.look(this.#marker, randomUUID());
    if (marker === null) return 'Redis has been emptied: npm run key -- --restore';
    const writes = await copier.writes();
    if (writes === this.#written) return '';
    const copy = await copier.read(marker);
    // Redis may have been emptied while it was read.
    if ((await copier.look(marker, marker)) === null) return 'Redis has been emptied';
    await writeCopy(dataDir, copy);
    this.#marker = marker;
    this.#written = writes;
    return '';
  }

  /** Logs a state once. */
  #report(problem: string): void {
    if (problem !== '' && problem !== this.#reported) {
      this.#options.log.error({ problem }, 'API keys and accounts are not copied');
    }
    this.#reported = problem;
  }
}

/** Keeps the copy until the function that is returned is called. Resolves after the first look. */
export async function keepCopy(options: KeepOptions): Promise<() => void> {
  const keeper = new CopyKeeper(options);
  await keeper.keep();
  return () => keeper.close();
}

/** Restores the copy of a data folder: a sentence that says what was done. Rejects when Redis is away. */
export async function restoreCopy({ redisUrl, dataDir, log }: Omit<KeepOptions, 'clock'>) {
  const copy = await readCopy(dataDir);
  if (copy === null) return `there is no copy of keys: ${copyPath(dataDir)}`;
  const copier = new KeyCopier(redisUrl, 'key-restore', log);
  try {
    const keys = await copier.restore(copy);
    return keys === null
      ? 'nothing is missing: Redis has its keys and accounts'
      : `restored: ${keys} API keys and their accounts`;
  } finally {
    copier.close();
  }
}
