import { Duplex } from 'node:stream';
import t from 'tap';
import { readInBatches } from '../../../actors/upstream/batched-reads.ts';
import { FakeClock } from '../../support/clock.ts';

t.test('a busy connection is read at most twice in 5 ms, a quiet one at once', async (t) => {
  const clock = new FakeClock();
  const socket = new Duplex({ read() {} });
  const reads: string[] = [];
  socket.on('data', (bytes) => reads.push(`${bytes}`));
  readInBatches(socket, clock);
  const come = async (text: string, after = 0) => {
    await clock.advance(after);
    socket.push(text);
    await clock.advance(0);
  };

  await come('a');
  await come('b', 5);
  t.same(reads, ['a', 'b'], 'what comes seldom is read as it comes');
  await come('c', 4);
  t.ok(socket.isPaused(), 'a burst makes the socket wait');
  await come('d', 2);
  await come('e', 2);
  t.same(reads, ['a', 'b', 'c']);
  await clock.advance(1);
  t.same(reads.join(''), 'abcde', 'all of it is read 5 ms later');

  await clock.advance(100);
  await come('f');
  await come('g', 1);
  socket.destroy();
  await clock.advance(5);
  t.ok(socket.isPaused(), 'a socket that has ended is left alone');
});

t.test('a socket that its owner has paused stays so', async (t) => {
  const clock = new FakeClock();
  const socket = new Duplex({ read() {} });
  socket.on('data', (bytes) => {
    if (`${bytes}` === 'much') socket.pause();
  });
  readInBatches(socket, clock);
  for (const text of ['a', 'much']) {
    socket.push(text);
    await clock.advance(1);
  }
  await clock.advance(100);
  t.ok(socket.isPaused());
});
