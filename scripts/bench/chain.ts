/** The floor of a cold answer: the same hops between two processes over Redis, with nothing else on the way. */
import { type Dispatcher, request } from 'undici';
import { readStreams } from '../../actors/bus/codec.ts';
import { closeAtOnce, connect, type Redis } from '../../actors/bus/redis.ts';

const [asked, replied] = ['bench:asked', 'bench:replied'];
const block = 1_000;

/** A question's way through Redis to an upstream and back. */
interface Chain {
  /** XADD, a blocked XREAD, the call of the upstream, XADD, a blocked XREAD. */
  ask(url: string): Promise<void>;
  close(): Promise<void>;
}

/** Reads a stream from its end on: the data of the next entry, null where none comes in time. */
function readerOf(redis: Redis, stream: string) {
  let last = '0-0';
  return async (): Promise<string | null> => {
    const from = ['COUNT', 1, 'BLOCK', block, 'STREAMS', stream, last];
    const [entry] = readStreams(await redis.callBuffer('XREAD', ...from)).get(stream) ?? [];
    last = entry?.id ?? last;
    return entry?.fields?.get('data')?.toString() ?? null;
  };
}

/** Opens the connections; both ends are in this process, which spares the chain what two processes cost. */
export async function openChain(url: string, dispatcher: Dispatcher): Promise<Chain> {
  const [asker, asks, answerer, replies] = [0, 1, 2, 3].map((i) =>
    connect(url, { name: `chain-${i}`, ...(i % 2 === 1 && { blocking: block }) }),
  );
  if (!asker || !asks || !answerer || !replies) throw new Error('no connections');
  const all = [asker, asks, answerer, replies];
  await Promise.all(all.map((redis) => new Promise((ready) => redis.once('ready', ready))));
  const [nextAsked, nextReply] = [readerOf(asks, asked), readerOf(replies, replied)];
  let open = true;
  const answer = async () => {
    while (open) {
      const target = await nextAsked();
      if (target === null) continue;
      const { body } = await request(target, { dispatcher });
      await answerer.callBuffer('XADD', replied, '*', 'data', await body.text());
    }
  };
  const answering = answer();
  return {
    async ask(target) {
      await asker.callBuffer('XADD', asked, '*', 'data', target);
      while ((await nextReply()) === null);
    },
    async close() {
      open = false;
      await answering;
      all.forEach(closeAtOnce);
    },
  };
}
