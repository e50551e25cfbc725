import { randomUUID } from 'node:crypto';

/** What an operator reads where Redis has been emptied. */
const problem =
  'Redis has been emptied, API keys and accounts are missing. Where `npm start` runs: npm run key -- --restore; elsewhere restore the back-up (docs/operating.md#back-up-and-restore).';

/** Whether Redis has lost the keys: it had a marker and has it no more. */
export class KeyLoss {
  /** See `KeyStore.look`. */
  readonly #look: (seen: string, fresh: string) => Promise<string | null>;
  #seen = '';
  #lost = false;

  constructor(look: (seen: string, fresh: string) => Promise<string | null>) {
    this.#look = look;
  }

  /** The reason and what to do; null while nothing is missing, as far as Redis has last said. */
  get problem(): string | null {
    return this.#lost ? problem : null;
  }

  /** Asks Redis. Rejects when it is away. */
  async look(): Promise<void> {
    const marker = await this.#look(this.#seen, randomUUID());
    this.#lost = marker === null;
    // Once the loss is settled, the marker of then counts.
    this.#seen = marker ?? '';
  }
}
