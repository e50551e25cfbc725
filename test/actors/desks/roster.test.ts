import t from 'tap';
import { chainDesk } from '../../../actors/chains/desk.ts';
import { defiDesks } from '../../../actors/defi/desks.ts';
import { Board } from '../../../actors/desks/board.ts';
import type { DeskContext } from '../../../actors/desks/desk.ts';
import { onDemand, roster } from '../../../actors/desks/roster.ts';
import { failed } from '../../../actors/failure.ts';
import { bitcoinDesk } from '../../../actors/market/bitcoin/desk.ts';
import { Tickers } from '../../../actors/market/tickers.ts';
import { wideDesk } from '../../../actors/market/wide/desk.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { chainIds } from '../../../config/chains.ts';
import { createLogger } from '../../../config/log.ts';
import { FakeClock } from '../../support/clock.ts';

const clock = new FakeClock();
const nothing: DeskContext = {
  clock,
  log: createLogger({ logLevel: 'silent' }, 'test'),
  board: new Board({ desk: 'test', clock, publish: () => {} }),
  publish: async () => null,
  last: async () => undefined,
  client: () => ({
    send: async () => failed('network', 'nobody is asked'),
    state: () => ({ breaker: 'closed', pausedUntil: null, host: '' }),
  }),
};

t.test('every desk is in the roster, with the duties that it opens', async (t) => {
  const read = async () => failed('stopped', 'not read');
  const desks = [
    ...chainIds.map((id) => chainDesk(id, { read })),
    ...defiDesks({ readers: null }),
    bitcoinDesk({ live: () => null }),
    wideDesk({ tickers: new Tickers(), venues: new Set(Object.keys(venues)) }),
  ];
  const opened = desks.map(({ id, open }): [string, string[]] => [
    id,
    open(nothing).map(({ name }) => name),
  ]);
  const sorted = (entries: Iterable<readonly [string, readonly string[]]>) =>
    [...entries].map(([id, duties]) => [id, [...duties].sort()]).sort();
  t.strictSame(sorted(opened), sorted(roster));
});

t.test('no two of the ids that SOURCES may name are the same', async (t) => {
  const ids = [...Object.keys(venues), ...roster.keys(), ...onDemand];
  t.equal(new Set(ids).size, ids.length);
});
