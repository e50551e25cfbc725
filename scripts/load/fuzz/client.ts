import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Answers } from './answers.ts';
import type { Exchange } from './exchange.ts';

/** Where to send, and how long to wait. */
export interface Peer {
  host: string;
  port: number;
  /** Milliseconds within which the server must have answered or closed. */
  cut: number;
}

/** How an exchange ended. */
export interface Outcome {
  statuses: number[];
  /** Bytes that were no answer. */
  garbled: string | null;
  /** `left`: by our own will; `hung`: neither an answer nor a close within the cut. */
  end: 'answered' | 'closed' | 'left' | 'hung' | 'refused';
}

/** Milliseconds between the pieces of a request. */
const gap = 1;
/** Milliseconds of silence after which a client that is owed nothing leaves. */
const glance = 250;

async function write(socket: net.Socket, pieces: readonly Buffer[]): Promise<void> {
  for (const [i, piece] of pieces.entries()) {
    if (i > 0) await pause(gap);
    if (socket.destroyed) return;
    socket.write(piece);
  }
}

/** Sends an exchange on a connection of its own; never rejects. */
export function perform({ host, port, cut }: Peer, exchange: Exchange): Promise<Outcome> {
  const { pieces, methods, owed, end } = exchange;
  const wanted = owed ? methods.length : 1;
  const answers = new Answers(methods, wanted);
  return new Promise((resolve) => {
    const socket = net.connect({ host, port, noDelay: true });
    const finish = (how: Outcome['end']) => {
      clearTimeout(timer);
      // A reset leaves no connection in TIME_WAIT, of which there are fewer than 100,000 to be had.
      socket.resetAndDestroy();
      resolve({ statuses: answers.statuses, garbled: answers.garbled, end: how });
    };
    let timer = setTimeout(finish, cut, 'hung');
    let connected = false;
    socket.once('connect', () => {
      connected = true;
      void write(socket, pieces).then(() => {
        if (end === 'leave') finish('left');
        if (end !== 'look' || socket.destroyed) return;
        clearTimeout(timer);
        timer = setTimeout(finish, glance, 'left');
      });
    });
    socket.on('data', (chunk) => {
      answers.push(chunk);
      if (
        answers.garbled !== null ||
        (owed ? answers.complete : answers.statuses.length) >= wanted
      ) {
        finish('answered');
      }
    });
    socket.once('error', () => finish(connected ? 'closed' : 'refused'));
    socket.once('close', () => finish('closed'));
  });
}
