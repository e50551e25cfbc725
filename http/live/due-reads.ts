/** Answers that have changed and are still to be read again, by the account for which that is done. */
import type { Topic } from './topic.ts';
import type { Turns } from './turns.ts';

/** Followers of an answer that are looked at for the account which waits least. */
const mostPayers = 16;
/** Units of an answer that nobody follows any more. */
const ofLeft = 0.05;

/** What reading needs. */
interface Reading {
  turns: Pick<Turns, 'add'>;
  /** Reads an answer and tells its followers; undefined where nobody follows it any more. */
  read(topic: Topic): (() => Iterable<number>) | undefined;
  /** Reading has thrown. */
  failed(error: unknown): void;
}

export class DueReads {
  readonly #reading: Reading;
  readonly #due = new Map<string, Set<Topic>>();
  readonly #isDue = new Set<Topic>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** Has an answer read again for one of the accounts that follow it: of some, the one with the least to be read. */
  add(topic: Topic): void {
    if (this.#isDue.has(topic)) return;
    this.#isDue.add(topic);
    const payer = this.#payerOf(topic);
    const due = this.#due.get(payer);
    if (due !== undefined) {
      due.add(topic);
      return;
    }
    const mine = new Set([topic]);
    this.#due.set(payer, mine);
    this.#reading.turns.add(payer, this.#readAll(payer, mine));
  }

  #payerOf({ followers }: Topic): string {
    let [payer, least, looked] = ['', Number.POSITIVE_INFINITY, 0];
    for (const { account } of followers) {
      const waiting = this.#due.get(account)?.size ?? 0;
      if (waiting < least) [payer, least] = [account, waiting];
      looked += 1;
      if (looked === mostPayers || least === 0) break;
    }
    return payer;
  }

  *#readAll(account: string, due: Set<Topic>): Generator<number, void> {
    for (const topic of due) {
      due.delete(topic);
      this.#isDue.delete(topic);
      const read = this.#reading.read(topic);
      if (read === undefined) {
        yield ofLeft;
        continue;
      }
      try {
        yield* read();
      } catch (error) {
        this.#reading.failed(error);
      }
    }
    this.#due.delete(account);
  }
}
