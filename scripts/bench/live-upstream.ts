/**
 * The simulator as an upstream whose streams tell so many frames a second: `node live-upstream.ts PORT RATE SYMBOLS`. Requests
 * are answered by the simulator; its frames of a few seconds are made once, and sent again and again with the time of their
 * sending in them. Order books are not sent.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { sendOn } from '../simulator/channels.ts';
import { Faults } from '../simulator/faults.ts';
import { nanos } from '../simulator/format.ts';
import { venues } from '../simulator/main.ts';
import { Model } from '../simulator/model.ts';
import { simulatorServer } from '../simulator/server.ts';
import { SimulatorClock } from '../simulator/simulator-clock.ts';
import type { Channels, SimulatedVenue } from '../simulator/venue.ts';
import { acceptUpgrade, type Connection } from '../simulator/websocket.ts';

const [port = 0, rate = 6_000, symbols = 60] = process.argv.slice(2).map(Number);

/** Seconds of the world that are sent in turns. */
const variants = 4;
/** Between two turns of sending, ms: exchanges do not send together, so few frames leave in one turn. */
const turn = 2;
/** Longest that is made up for after a late turn, ms. */
const mostLate = 100;
/** A connection with fewer frames a second has channels of all markets: it keeps its pace. */
const fewest = 3;
/** After its last subscription a connection waits so long for further ones, ms. */
const settle = 500;

const clock = new SimulatorClock();
const model = new Model({ seed: 1, symbols, clock, venues });
const faults = new Faults(() => model.now());
const { server } = simulatorServer({ model, faults, clock, venues });

/** The forms in which frames state a moment: ns, ms, RFC 3339. */
const formsOf = (at: number): string[] => [
  ...[`${nanos(at)}`, `${at}`, new Date(at).toISOString()],
];

/** How long before its frame a moment may be, ms: those of trades are (trades/tape.ts). */
const before = [0, 300, 600];

/** The forms of all moments that a frame may state. */
const allForms = (at: number): string[] => before.flatMap((ms) => formsOf(at - ms));

/** A frame: every other piece of its text is a moment, in place of which stands the number of its form. */
type Frame = readonly (string | number)[];

function frameOf(text: string, at: number): Frame {
  const forms = allForms(at);
  const pieces = text.split(new RegExp(`(${forms.join('|')})`));
  return pieces.map((piece, i) => (i % 2 === 0 ? piece : forms.indexOf(piece)));
}

const textOf = (frame: Frame, forms: readonly string[]): string =>
  frame.map((piece) => (typeof piece === 'string' ? piece : forms[piece])).join('');

const isBook = (channel: string): boolean => /(^| )(book|whole) /.test(channel);

/** A connection with its subscriptions. */
class Subscriber {
  readonly connection: Connection;
  readonly channels: Channels;
  readonly names = new Set<string>();
  /** When they were made, Unix ms. */
  since = Date.now();
  #frames: Frame[] = [];
  #made = 0;
  #at = 0;
  #due = 0;

  constructor(connection: Connection, channels: Channels) {
    this.connection = connection;
    this.channels = channels;
  }

  /** Frames of one second of the world. */
  get perSecond(): number {
    return this.#frames.length / variants;
  }

  /** Builds the frames again where there are new subscriptions. */
  prepare(now: number): void {
    if (this.#made === this.names.size || now - this.since < settle) return;
    this.#made = this.names.size;
    this.#frames = Array.from({ length: variants }, (_, i) => model.now() - i * 1_000).flatMap(
      (at) => {
        const messages = this.channels.messages(this.names, { now: at, model, first: false });
        return messages.map((message) => frameOf(JSON.stringify(message), at));
      },
    );
  }

  /** Sends the frames of so many seconds; `forms` are those of now. */
  send(seconds: number, forms: readonly string[]): void {
    if (this.#frames.length === 0) return;
    this.#due += seconds * this.perSecond;
    for (; this.#due >= 1; this.#due--) {
      const frame = this.#frames[this.#at++ % this.#frames.length];
      if (frame === undefined) return;
      sendOn(this.connection, this.channels, textOf(frame, forms));
    }
  }
}

const open = new Set<Subscriber>();

const venueOf = (host: string): SimulatedVenue | undefined =>
  venues.find((one) => one.hosts.includes(host) && one.channels);

function accept(request: IncomingMessage, socket: Duplex): void {
  const [, host = '', ...rest] = new URL(request.url ?? '/', 'http://x').pathname.split('/');
  const path = `/${rest.join('/')}`;
  const { channels, reply } = venueOf(host) ?? {};
  if (!channels) return void socket.destroy();
  let subscriber: Subscriber | undefined;
  acceptUpgrade(request, socket, {
    text(message, connection) {
      for (const frame of reply?.(message) ?? []) sendOn(connection, channels, frame);
      const named = channels.named(message, { host, path }).filter((name) => !isBook(name));
      if (named.length === 0) return;
      subscriber ??= new Subscriber(connection, channels);
      open.add(subscriber);
      subscriber.since = Date.now();
      for (const name of named) subscriber.names.add(name);
    },
    closed: () => subscriber && open.delete(subscriber),
  });
}

server.removeAllListeners('upgrade');
server.on('upgrade', (request, socket, head) => {
  socket.on('error', () => socket.destroy());
  if (head.length > 0) socket.unshift(head);
  accept(request, socket);
});

/** How much faster the single markets are sent than in the world, for the wanted rate. */
function pace(): number {
  let [few, many] = [0, 0];
  for (const { perSecond } of open) {
    if (perSecond < fewest) few += perSecond;
    else many += perSecond;
  }
  return many === 0 ? 1 : Math.max(1, (rate - few) / many);
}

let last = performance.now();
setInterval(() => {
  const now = performance.now();
  // A turn that comes late is not made up for all at once.
  const seconds = Math.min(now - last, mostLate) / 1_000;
  last = now;
  const faster = pace();
  const forms = allForms(Date.now());
  for (const subscriber of open) {
    subscriber.prepare(Date.now());
    subscriber.send(subscriber.perSecond < fewest ? seconds : seconds * faster, forms);
  }
}, turn);

server.listen(port, '127.0.0.1', () => process.send?.('listening'));
process.on('disconnect', () => process.exit(0));
