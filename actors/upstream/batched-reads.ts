/** Reads a flooded connection in batches: to be woken for a frame costs a process several times what the frame does. */
import type { Readable } from 'node:stream';
import type { Clock } from '../kernel/clock.ts';

/** The most reads within a number of ms; after them, data waits until that time has passed since the last read. */
const maxReads = 4;
const gap = 5;

/**
 * From now on the socket is read at most four times in 5 ms: of a flood much is read together, at most 5 ms later than it could
 * be. One with fewer frames, as that of a stream of prices, is read as soon as something comes. Ends with the socket.
 */
export function readInBatches(socket: Readable, clock: Clock): void {
  let began = Number.NEGATIVE_INFINITY;
  let reads = 0;
  socket.on('data', () => {
    const now = clock.monotonic();
    if (now - began >= gap) [began, reads] = [now, 0];
    reads += 1;
    // Whoever has paused it goes on with it.
    if (reads < maxReads || socket.isPaused()) return;
    socket.pause();
    clock.after(gap, () => {
      if (!socket.destroyed) socket.resume();
    });
  });
}
