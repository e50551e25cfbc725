import { Duplex } from 'node:stream';
import t from 'tap';
import { readInBatches } from '../../../actors/upstream/socket.ts';
import { FakeClock } from '../../support/clock.ts';

t.test('a flooded connection is read at most four times in 5 ms, any other at once', async (t) => {
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

  for (const text of 'abcdef') await come(text, 2);
  t.same(reads.join(''), 'abcdef', 'what comes more seldom than every ms is read as it comes');
  await clock.advance(5);
  for (const text of 'ghij') await come(text, 1);
  t.ok(socket.isPaused(), 'a flood makes the socket wait');
  await come('k', 2);
  await come('l', 2);
  t.same(reads.join(''), 'abcdefghij');
  await clock.advance(1);
  t.same(reads.join(''), 'abcdefghijkl', 'all of it is read 5 ms later');

  await clock.advance(100);
  for (const text of 'mnop') await come(text);
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
  for (const text of ['a', 'b', 'c', 'much']) {
    socket.push(text);
    await clock.advance(1);
  }
  await clock.advance(100);
  t.ok(socket.isPaused());
});
