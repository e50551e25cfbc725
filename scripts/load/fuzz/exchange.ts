import { Random } from './random.ts';
import { type Api, type Draft, draft } from './requests.ts';

/** What is sent on one connection, and when the client is content. */
export interface Exchange {
  /** Each is written by itself, so that it mostly travels in a segment of its own. */
  pieces: Buffer[];
  /** In the order of the requests; a HEAD has no body in its answer. */
  methods: string[];
  /** Every request is owed an answer that is not a refusal of the transport. */
  owed: boolean;
  /**
   * `leave` destroys the connection after the last byte; `look` leaves after a moment of silence when no answer
   * is owed; `stay` waits until the server has answered or closed.
   */
  end: 'leave' | 'look' | 'stay';
}

/** One change to bytes, wherever it falls. */
function mutate(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1);
  const to = Math.min(bytes.length, at + 1 + random.below(16));
  const [before, cut, after] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)];
  const changes: readonly [() => Buffer[], ...(() => Buffer[])[]] = [
    () => [before],
    () => [before, after],
    () => [before, random.bytes(cut.length), after],
    () => [before, cut, cut, after],
    () => [before, random.bytes(1 + random.below(8)), cut, after],
    () => [before, Buffer.from('\r\n'), cut, after],
  ];
  return Buffer.concat(random.pick(changes)());
}

/** Cuts bytes at random places, into at most nine pieces. */
function split(bytes: Buffer, random: Random): Buffer[] {
  const cuts = random.times(1 + random.below(8), () => random.below(bytes.length + 1));
  const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
  return places
    .slice(1)
    .map((end, i) => bytes.subarray(places[i], end))
    .filter((piece) => piece.length > 0);
}

/**
 * The exchange of a seed and a number: the same for the same API description. Of three, one is a valid or odd
 * request by itself, the others are mutated, cut into pieces, or pipelined.
 */
export function exchangeOf(api: Api, seed: number, number: number): Exchange {
  const random = new Random(seed, number);
  const pipelined = random.chance(0.3);
  const drafts: Draft[] = random.times(pipelined ? 2 + random.below(7) : 1, () =>
    draft(api, random),
  );
  const whole = Buffer.concat(drafts.map(({ bytes }) => bytes));
  const mutated = random.chance(0.25);
  const sent = mutated ? mutate(whole, random) : whole;
  const cut = random.chance(0.25);
  const owed = !mutated && !cut && drafts.every((one) => one.wellFormed);
  const mood = random.below(100);
  return {
    pieces: cut ? split(sent, random) : [sent],
    methods: drafts.map(({ method }) => method),
    owed,
    end: mood < 5 ? 'leave' : owed || mood < 10 ? 'stay' : 'look',
  };
}
