/** All attacks: a file and a line here for each. */

import { banned } from './banned.ts';
import { channel } from './channel.ts';
import { pattern, patterns } from './patterns.ts';
import { pings } from './pings.ts';
import { receivers } from './receivers.ts';
import { revoked } from './revoked.ts';
import { shared } from './shared.ts';
import { stepped } from './stepped.ts';
import type { Target, Verdict } from './target.ts';
import { books, clock } from './upstreams.ts';
import { zombie } from './zombie.ts';

/** One attack: what it needs besides the service and a key, in words, and the attack itself. */
interface Attack {
  what: string;
  run: (target: Target) => Promise<Verdict>;
}

/** In the order in which they are done. */
export const attacks: Readonly<Record<string, Attack>> = {
  pattern: { what: 'a client follows a pattern of all symbols', run: pattern },
  pings: { what: 'clients send pings and read nothing', run: pings },
  shared: { what: 'two clients follow a pattern, and one leaves', run: shared },
  patterns: { what: '330 patterns of 11 clients', run: patterns },
  revoked: { what: 'streams whose key is revoked, two minutes; needs --token', run: revoked },
  receivers: {
    what: 'alerts that fire all the time at dead receivers; needs --token and --redis',
    run: receivers,
  },
  books: {
    what: 'order books of two exchanges a thousand times too high; needs --simulator',
    run: books,
  },
  clock: { what: 'clocks of two exchanges an hour ahead; needs --simulator', run: clock },
  stepped: {
    what: 'a demo of its own, of which each role is an hour ahead or behind for 20 s; six minutes',
    run: stepped,
  },
  banned: {
    what: 'a feed that is killed and started again while Binance locks its address out; a service of its own, a minute and a half',
    run: banned,
  },
  channel: {
    what: 'a channel of trades stops beside others that go on; needs --simulator',
    run: channel,
  },
  zombie: {
    what: 'streams of two exchanges bring only pings, and requests hang; needs --simulator',
    run: zombie,
  },
};
