/** The words of exchanges for intervals, as their documents spell them. */
import t from 'tap';
import {
  lengthsOf,
  minuteWords,
  ownWords,
  secondWords,
  unitWords,
  utcWords,
} from '../../../actors/venues/words.ts';

t.test('the same intervals in the words of several exchanges', async (t) => {
  t.strictSame(ownWords('5m', '1d'), { '5m': '5m', '1d': '1d' });
  // https://bybit-exchange.github.io/docs/v5/market/kline
  t.strictSame(minuteWords('3m', '1h', '12h'), { '3m': '3', '1h': '60', '12h': '720' });
  // https://www.bitstamp.net/api (step)
  t.strictSame(secondWords('1m', '1d', '3d'), { '1m': '60', '1d': '86400', '3d': '259200' });
  // https://www.kucoin.com/docs-new (Get Klines)
  const kucoin = unitWords({ m: 'min', h: 'hour', d: 'day' });
  t.strictSame(kucoin('15m', '4h', '1d'), { '15m': '15min', '4h': '4hour', '1d': '1day' });
  // https://www.okx.com/docs-v5/en/#order-book-trading-market-data-get-candlesticks
  t.strictSame(utcWords('6h', '1w', '1M'), { '6h': '6Hutc', '1w': '1Wutc', '1M': '1Mutc' });
});

t.test('the length of an interval by its word', async (t) => {
  const lengthOf = lengthsOf({ '1h': '60', '1d': 'D' });
  t.strictSame(['60', 'D', '1h', ''].map(lengthOf), [3_600_000, 86_400_000, 0, 0]);
});
