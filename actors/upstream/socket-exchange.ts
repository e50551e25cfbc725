/** One question over a WebSocket, where an upstream answers it in no other way: cut by its signal at any point, as an exchange over HTTP. */
import { type ExchangeOptions, type Reply, reasonOf } from './exchange.ts';
import { messageOf } from './json.ts';
import type { SocketQuestion } from './request.ts';
import { Socket } from './socket.ts';

/** Says what is to be said once the connection is open; the first message that is an answer is the body of the reply. Never rejects. */
export function socketExchange(
  { say, isAnswer }: SocketQuestion,
  { clock, target, request: { path }, maxBody, signal }: Omit<ExchangeOptions, 'dispatcher'>,
): Promise<Reply> {
  const asked = clock.now();
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const end = (more: Partial<Reply>) => {
    socket.kill();
    signal.removeEventListener('abort', abandon);
    const none = { status: null, headers: {}, body: undefined, problem: null };
    resolve({ asked, received: clock.now(), ...none, ...more });
  };
  const abandon = () => {
    const { code, message } = reasonOf(signal);
    end({ problem: { code, message } });
  };
  const socket = new Socket({
    url: `${target.origin.replace(/^http/, 'ws')}${target.prefix}${path}`,
    maxMessage: maxBody,
    onOpen: () => socket.send(say),
    onText(text) {
      const message = text === null ? null : messageOf(text);
      if (isAnswer(message)) end({ status: 200, body: message });
    },
    onEnd: (code) =>
      end({ problem: { code: 'network', message: `the connection ended (${code})` } }),
  });
  signal.addEventListener('abort', abandon, { once: true });
  if (signal.aborted) abandon();
  return promise;
}
