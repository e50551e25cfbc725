/** Answers out of the order books of several exchanges. */
import t from 'tap';
import { type Books, booksQuestion } from '../../../http/routes/books/common.ts';

t.test(
  'a book that is far from all prices is in no answer, and its exchange is named',
  async (t) => {
    const market = (exchange: string) => ({ exchange, market: 'BTC-USDT', turnover: 1 });
    const markets = ['okx', 'bybit', 'gate'].map(market);
    const question = booksQuestion<string[][]>(
      'spot',
      { symbol: 'BTC', markets },
      {
        form: 'test',
        data: ({ answered, failed }: Books) => [answered.map(({ exchange }) => exchange), failed],
      },
    );
    if ('error' in question) throw new Error(question.message);
    const book = { market: 'BTC-USDT', bids: [], asks: [], timestamp: 1 };
    const wrong = { ...book, suspect: true } as const;
    t.strictSame(question.data(book, [wrong, null], {}), [['okx'], ['bybit', 'gate']]);
    t.strictSame(question.data(wrong, [book, book], {}), [['bybit', 'gate'], ['okx']]);
    t.strictSame(question.without?.([wrong, wrong], {}), [[], ['okx', 'bybit', 'gate']]);
  },
);
