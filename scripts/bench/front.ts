/**
 * The front against bare uWebSockets.js, in turns, loaded from another process. What counts is processor time: where
 * load generator and server share a processor, requests a second measure both.
 */
import { benchBesideBare, type Ours, startOurs } from './servers.ts';
import { keyOf, onStage, type Stage } from './stage.ts';

const map = '/v1/prices';
const path = `${map}?symbol=BTC`;
/** Accounts with limits of their own, and symbols that are asked for in turn. */
const many = { accounts: 100, symbols: 1_000 };

/** One request again and again, those of many accounts, those of many symbols, and a large answer. */
async function benchMixes(stage: Stage, ours: Ours): Promise<void> {
  const { key, redisUrl } = ours;
  const keys: string[] = [];
  for (let i = 0; i < many.accounts; i++) keys.push(await keyOf(redisUrl, `other-${i}`, 'heavy'));
  const symbols = Array.from({ length: many.symbols }, (_, i) => `${map}?symbol=C${i}`);
  const mixes = [
    { name: '1 account, 1 symbol', requests: [{ path, key }] },
    { name: `${many.accounts} accounts`, requests: keys.map((other) => ({ path, key: other })) },
    { name: `${many.symbols} symbols`, requests: symbols.map((one) => ({ path: one, key })) },
    { name: 'all symbols', requests: [{ path: map, key }] },
  ];
  await benchBesideBare(stage, ours, { title: map, goal: 0.9, mixes });
}

/** Prints how the front compares; ratios of the same run only. */
export const benchFront = (): Promise<void> =>
  onStage(async (stage) => {
    const ours = await startOurs(stage);
    await benchMixes(stage, ours);
  });
