import t from 'tap';
import { leftOf } from '../../../actors/venues/streams.ts';

const how = {
  namesIn: (message: string) => message.split(' '),
  subscription: (names: readonly string[]) => names.join(' '),
};

t.test(
  'what is left of a refused message, without every name that the refusal holds',
  async (t) => {
    const sent = ['BTC-USD ETH', 'a.b c_d SOL', 'a.b', 'tickers.币安人生USDT XRP'];
    const rows: [why: string, of: string | undefined, rest: string | null][] = [
      ['unknown: [a.b]', 'a.b c_d SOL', 'c_d SOL'],
      ['unknown: c_d,a.b', 'a.b c_d SOL', 'SOL'],
      ['BTC-USD and ETH are unknown', 'BTC-USD ETH', null],
      ['handler not found: tickers.币安人生USDT', 'tickers.币安人生USDT XRP', 'XRP'],
      ['BTC is unknown', undefined, null],
    ];
    for (const [why, of, rest] of rows)
      t.strictSame(leftOf(why, sent, how), of === undefined ? null : { of, rest }, why);
  },
);
