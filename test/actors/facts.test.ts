/** Facts that hold whatever numbers the tables have, and codes that clients of ours know. */
import t from 'tap';
import { topics } from '../../actors/topics/table.ts';
import { leverageShares } from '../../config/liquidation-model.ts';
import { closeCodes } from '../../http/server/streams/close-codes.ts';

t.test('leverages of the liquidation model', async (t) => {
  const sum = leverageShares.reduce((all, { weight }) => all + weight, 0);
  t.ok(Math.abs(sum - 1) < 1e-12, 'their shares are all of the open interest');
  for (const { leverage, maintenance } of leverageShares)
    t.ok(maintenance < 1 / leverage, `${leverage}: it is liquidated before nothing is left`);
});

t.test('topics that are logs, which have no last value', async (t) => {
  const logs = Object.entries(topics).filter(([, topic]) => 'log' in topic && topic.log);
  t.strictSame(logs.map(([name]) => name).sort(), [
    ...['alertDeliveries', 'alertEvents', 'derivativeChanges', 'liquidations'],
    ...['openInterestChanges', 'optionTrades', 'positionEvents', 'priceChanges'],
  ]);
});

/** https://www.iana.org/assignments/websocket: 1012 is a restart, 1013 asks to try again later, 4000 to 4999 are for private use. */
t.test('codes with which the server ends a live connection', async (t) => {
  const codes = Object.entries(closeCodes).map(([why, [code]]) => [why, code]);
  t.strictSame(Object.fromEntries(codes), {
    restart: 1012,
    lost: 1012,
    unchecked: 1013,
    unauthorized: 4401,
    idle: 4400,
    flood: 4429,
    slow: 4408,
    behind: 4409,
  });
});
