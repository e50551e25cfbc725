/** A supervisor whose actors stream from a real WebSocket server, with a clock that is moved by hand. */
import type { Test } from 'tap';
import { createSupervisor } from '../../actors/kernel/supervisor.ts';
import { FakeClock, settle } from './clock.ts';
import { until } from './until.ts';
import { startWebSocketServer } from './websocket-server.ts';

/** `events` are the types of the supervisor's events. All ends with the test. */
export async function streamScene(t: Test, start?: number) {
  const server = await startWebSocketServer();
  const clock = new FakeClock(start);
  const events: string[] = [];
  const onEvent = ({ type }: { type: string }) => void events.push(type);
  const supervisor = createSupervisor({ name: 'test', clock, random: () => 0, onEvent });
  const stop = async () => {
    const stopped = supervisor.stop();
    await settle();
    await clock.advance(10_000);
    await stopped;
  };
  t.teardown(async () => {
    await stop();
    await server.stop();
  });
  /** The peer of that number, once it has sent so many messages. */
  const peer = async (count: number, messages = 1) => {
    const enough = () => (server.peers[count - 1]?.received.length ?? 0) >= messages;
    await until(enough, `peer ${count} has sent ${messages}`);
    const found = server.peers[count - 1];
    if (!found) throw new Error('no peer');
    return found;
  };
  return { server, clock, events, supervisor, stop, peer };
}
