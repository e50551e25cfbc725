/** The connections of Deribit, JSON-RPC. https://docs.deribit.com/articles/json-rpc-overview */
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, text } from '../../read.ts';

const said = (id: number, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: `public/${method}`, params });

const isTest = (message: unknown): boolean =>
  isRecord(message) &&
  message.method === 'heartbeat' &&
  asRow(message.params).type === 'test_request';

const test = said(3, 'test', {});

/** Subscribes to channels, or ends that. Three such requests a second are within the credits, each of 500 channels at most. */
export const subscription = (
  channels: readonly string[],
  method: 'subscribe' | 'unsubscribe' = 'subscribe',
): string => said(2, method, { channels });

/** The properties of every connection. The server asks for a sign of life, and closes when it gets no answer. */
export const connection = {
  url: 'wss://streams.deribit.com/ws/api/v2',
  pace: 400,
  silence: 60_000,
  opening: [said(1, 'set_heartbeat', { interval: 30 })],
  reply: (message: unknown) => (isTest(message) ? test : null),
  acknowledges: (message: unknown) =>
    isRecord(message) && message.id === 2 && Array.isArray(message.result)
      ? message.result.length
      : 0,
} as const;

/** The data of a message of a subscription; undefined for any other. ShapeError for a refusal and for anything that is not a message of Deribit. */
export function dataOf(message: unknown): unknown {
  const error = field(message, 'error');
  if (error !== undefined) throw new ShapeError(`refused: ${text(asRow(error).message)}`);
  const method = field(message, 'method');
  if (method === 'heartbeat' || field(message, 'result') !== undefined) return undefined;
  if (method !== 'subscription') throw new ShapeError('method: unknown');
  return field(field(message, 'params'), 'data') ?? null;
}
