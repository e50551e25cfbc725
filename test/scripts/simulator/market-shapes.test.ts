/** Answers of the market's upstreams have the keys and types of the recorded ones. */
import t from 'tap';
import { startSimulator } from '../../../scripts/simulator/main.ts';
import { FakeClock } from '../../support/clock.ts';
import { absent, recording } from '../../support/recordings.ts';
import { type Allowed, sameShape } from '../../support/shape.ts';

/** Unpublished facts are left out of an exchange's row; the recorded rows hold a part of the keys. */
const reserves = [
  'walletsLink',
  'coinSymbol',
  'lastAuditDate',
  'auditor',
  'auditLink',
  'derivVolume',
  'cg_volume_cexs',
];

/** Folder, recording, keys of ours that it is too old for or shortened by. */
const recorded: readonly (readonly [upstream: string, name: string, allowed?: Allowed])[] = [
  ['alternative-me', 'fng-limit-2', { newer: ['time_until_update'] }],
  ['defillama', 'cexs-two-rows', { newer: reserves }],
  ['okx', 'borrow-rates'],
  ['okx', 'finance-savings-lending-rate-history'],
  ['okx', 'analytics-option-open-interest'],
  ['bybit', 'borrow-rates'],
  ['bybit', 'spot-margin-trade-data'],
  ['bitget', 'borrow-rate'],
  ['gate', 'unified-history-loan-rate'],
  ['bitfinex', 'funding-stats'],
  ['bitfinex', 'funding-tickers'],
  ['bitfinex', 'longs-total'],
  ['deribit', 'book-summary-options', { newer: ['mark_iv'] }],
];

t.test('keys and types are those of the recordings', { skip: absent }, async (t) => {
  const simulator = await startSimulator({
    clock: new FakeClock(Date.UTC(2026, 7, 14, 13, 37, 21)),
  });
  t.teardown(() => simulator.close());
  for (const [upstream, name, allowed] of recorded) {
    const found = recording(upstream, name);
    await sameShape(t, simulator.url, [`${upstream}/${name}`, found], allowed);
  }
});
