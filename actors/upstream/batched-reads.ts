/** Reads a busy connection in batches: to be woken for a frame costs a process several times what the frame does. */
import type { Readable } from 'node:stream';
import type { Clock } from '../kernel/clock.ts';

/** Ms: what comes sooner after a read than this waits in the kernel until so long after it, and is read together. */
const gap = 5;

/**
 * From now on the socket is read at most twice in 5 ms. One that is silent for longer is read as soon as something comes; a
 * burst is handed on at most 5 ms later than it could be. Ends with the socket.
 */
export function readInBatches(socket: Readable, clock: Clock): void {
  let last = Number.NEGATIVE_INFINITY;
  socket.on('data', () => {
    const now = clock.now();
    // A clock that was set back is no burst.
    const isBurst = now >= last && now - last < gap;
    last = now;
    // Whoever has paused it goes on with it.
    if (!isBurst || socket.isPaused()) return;
    socket.pause();
    clock.after(gap, () => {
      if (!socket.destroyed) socket.resume();
    });
  });
}
