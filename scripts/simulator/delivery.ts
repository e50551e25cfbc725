/** How an answer goes over the wire, in health and under each fault. */
import type { ServerResponse } from 'node:http';
import { sendGzipBomb, sendHuge, sendNested } from './bombs.ts';
import { damages } from './damage.ts';
import type { ActiveFault, FaultKind } from './faults.ts';
import type { Refusal, SimulatedVenue } from './venue.ts';

/** A complete answer. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** JSON with a status. */
export const json = (
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Reply => ({
  status,
  headers: { 'content-type': 'application/json;charset=UTF-8', ...headers },
  body: Buffer.from(JSON.stringify(value)),
});

/** Text of a media type. */
export const text = (value: string, type: string): Reply => ({
  status: 200,
  headers: { 'content-type': `${type}; charset=utf-8` },
  body: Buffer.from(value),
});

/** Sends an answer as it is. */
export function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
}

/** A venue's refusal with the time after which it may be asked again. */
export const refusal = ({ status, body }: Refusal, retryAfter: number): Reply =>
  json(body, status, { 'retry-after': String(retryAfter) });

const half = (
  response: ServerResponse,
  { status, headers, body }: Reply,
  done?: () => void,
): void => {
  response.writeHead(status, { ...headers, 'content-length': body.length });
  response.write(body.subarray(0, Math.floor(body.length / 2)), done);
};

/** A line of CSV by its number under the faults that change values; null leaves it out. */
function lineOf(kind: FaultKind, line: string, number: number): string | null {
  if (kind === 'wrong_shape') return line.slice(line.indexOf(',') + 1);
  return kind === 'empty' && number > 0 ? null : line;
}

const damaged: Delivery = ({ response, reply, fault }) => {
  const whole = reply.body.toString();
  const lines = () => whole.split('\n').map((line, number) => lineOf(fault.kind, line, number));
  const made = reply.headers['content-type']?.startsWith('text/csv')
    ? lines()
        .filter((line) => line !== null)
        .join('\n')
    : JSON.stringify(damages[fault.kind]?.(JSON.parse(whole), fault));
  send(response, { ...reply, body: Buffer.from(made) });
};

const page =
  '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body></body></html>';

interface Scene {
  response: ServerResponse;
  reply: Reply;
  venue: SimulatedVenue;
  fault: ActiveFault;
}
type Delivery = (scene: Scene) => void;

const refused = (kind: 'rate_limit' | 'ban' | 'server_error') => {
  return ({ response, venue, fault }: Scene) => {
    const { status, body } = venue.refusals[kind];
    if (kind === 'server_error') return send(response, json(body, status));
    return send(response, refusal({ status, body }, fault.retryAfter ?? 30));
  };
};

const showing =
  (status: number) =>
  ({ response }: Scene) => {
    const headers = { 'content-type': 'text/html; charset=UTF-8' };
    send(response, { status, headers, body: Buffer.from(page) });
  };

const deliveries: Readonly<Record<FaultKind, Delivery>> = {
  stall: () => undefined,
  stall_body: ({ response, reply }) => half(response, reply),
  reset: ({ response }) => {
    response.socket?.resetAndDestroy();
  },
  rate_limit: refused('rate_limit'),
  ban: refused('ban'),
  server_error: refused('server_error'),
  bad_checksum: damaged,
  garbage: ({ response, reply }) =>
    send(response, { ...reply, body: Buffer.from('\u0001{"a":]%%') }),
  html: showing(200),
  html_forbidden: showing(403),
  html_missing: showing(404),
  truncated: ({ response, reply }) => half(response, reply, () => response.socket?.destroy()),
  wrong_shape: damaged,
  frozen: ({ response, reply }) => send(response, reply),
  empty: damaged,
  multiplied: damaged,
  huge: ({ response }) => sendHuge(response),
  gzip_bomb: ({ response }) => sendGzipBomb(response),
  nested: ({ response }) => sendNested(response),
};

/** Sends an answer the way the fault has it. */
export const deliver = (scene: Scene): void => deliveries[scene.fault.kind](scene);
