/** A connection of a stream to a real WebSocket server, with a clock that is moved by hand. */
import type { Test } from 'tap';
import type { Failure } from '../../actors/failure.ts';
import { Connections, type ConnectionsOptions } from '../../actors/sources/streams/connections.ts';
import type { Wiring } from '../../actors/sources/streams/stream.ts';
import { listed } from '../actors/venues/stream-suite.ts';
import { FakeClock } from './clock.ts';
import { until } from './until.ts';
import { startWebSocketServer } from './websocket-server.ts';

interface Stage {
  wiring?: Partial<Wiring>;
  owner?: Partial<ConnectionsOptions>;
  viaGateway?: true;
}

/** A stream with one connection, which subscribes to one channel. */
export async function connecting(t: Test, { wiring, owner, viaGateway }: Stage = {}) {
  const server = await startWebSocketServer();
  const clock = new FakeClock();
  const messages: unknown[] = [];
  const failures: Failure[] = [];
  const start = (markets = listed([{ market: 'A' }]), more: Partial<ConnectionsOptions> = {}) => {
    const connections = new Connections({
      stream: {
        url: `${server.url}/stream?key=secret`,
        channels: () => ['subscribe'],
        silence: 30_000,
        ...wiring,
      },
      gateway: viaGateway ? `http://${server.host}/out` : null,
      expects: 'nothing',
      onMessage(message) {
        messages.push(message);
        return message !== 'pong';
      },
      onEnd(_by, failure) {
        if (failure) failures.push(failure);
      },
      onReady() {},
      onError: (error) => t.fail(`${error}`),
      clock,
      random: () => 0.5,
      ...owner,
      ...more,
    });
    connections.subscribe(markets);
    return connections;
  };
  t.teardown(() => server.stop());
  const peer = async (count: number) => {
    await until(
      () => (server.peers[count - 1]?.received.length ?? 0) > 0,
      `peer ${count} is there`,
    );
    const found = server.peers[count - 1];
    if (!found) throw new Error('no peer');
    return found;
  };
  /** Waits until so many connections were lost. */
  const lost = (count: number) => until(() => failures.length === count, `${count} are lost`);
  return { server, clock, messages, failures, start, peer, lost };
}
