import * as s from '../../actors/topics/schema.ts';
import type { Keys } from '../auth/keys.ts';
import { badKey } from '../auth/refusals.ts';
import { type Route, route } from '../endpoints/route.ts';
import { isApiError } from '../wire/errors.ts';

/** Tickets for streams of web pages: a browser's EventSource and WebSocket send no headers. */
export const ticketRoute = ({ keys }: { keys: Pick<Keys, 'sessions'> }): Route =>
  route({
    method: 'POST',
    path: '/v1/auth/ticket',
    group: 'Keys',
    summary:
      'Make a ticket that opens one stream (/v1/ws, /v1/stream) in place of the key, within a minute',
    params: {},
    creates: true,
    answer: s.object({
      ticket: s.string('For `ticket` in the query of the stream, or in its first message.'),
      expires_at: s.unixMs(),
    }),
    access: 'key',
    from: {
      async act({ caller }) {
        if (caller === null) return badKey;
        const made = await keys.sessions.ticket(caller);
        return isApiError(made) ? made : { status: 201, data: made };
      },
    },
  });
