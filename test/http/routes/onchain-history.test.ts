/** What is recorded of chains and lending, over time. */
import t from 'tap';
import { onchainRoutes } from '../../../http/routes/onchain.ts';
import { OnchainView } from '../../../http/views/chains.ts';
import { seriesReply } from '../../support/http-makers.ts';
import { now } from '../../support/makers.ts';
import { type Replies, rowReader } from '../../support/row-reader.ts';

const hour = 3_600_000;
const times = [now - (now % hour) - hour, now - (now % hour)];

t.test('the values of a measure by what they are of', async (t) => {
  let asked: object = {};
  const reply: Replies = ({ params }) => {
    asked = params;
    return seriesReply('on-chain', hour, Object(params).keys, {
      'wallets/okx/ETH': { times, columns: { value: [500, 700] } },
      'wallets/binance/USDC': { times: times.slice(1), columns: { value: [30] } },
    });
  };
  const read = rowReader(onchainRoutes({ onchain: new OnchainView() }), { reply });
  t.match(await read('/v1/onchain/history?measure=wallets'), {
    measure: 'wallets',
    interval: '1h',
    count: 2,
    points: [
      { timestamp: times[0], values: { 'okx/ETH': 500 } },
      { timestamp: times[1], values: { 'okx/ETH': 700, 'binance/USDC': 30 } },
    ],
  });
  const keys = ['binance', 'okx'].flatMap((exchange) =>
    ['ETH', 'USDC', 'USDT'].map((coin) => `wallets/${exchange}/${coin}`),
  );
  t.match(asked, { series: 'on-chain', keys, step: '1h', limit: 100 });
  await read('/v1/onchain/history?measure=borrow_rate&interval=4h');
  t.match(asked, { keys: [/^borrow_rate\/USDC$/], step: '4h' });
  t.match(await read('/v1/onchain/history?measure=blocks'), { message: /measure must be one of/ });
});
