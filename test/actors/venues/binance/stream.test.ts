import t from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import { connection, isAnswer, subscription } from '../../../../actors/venues/binance/streams.ts';

t.test('a connection in the form of Binance and its subscriptions', async (t) => {
  const { acknowledges, ...properties } = connection;
  t.strictSame(properties, {
    keepAlive: { every: 25_000, message: '{"method":"LIST_SUBSCRIPTIONS","id":2}' },
    lifetime: 86_400_000,
  });
  const messages = [{ result: null, id: 1 }, { result: [] }, { id: 1 }, []];
  t.strictSame(messages.map(acknowledges), [1, 0, 0, 0]);
  t.strictSame(messages.map(isAnswer), [true, true, false, false]);
  for (const refusal of [{ error: { msg: 'no' } }, { msg: { msg: 'no' } }])
    t.throws(() => isAnswer(refusal), new ShapeError('refused: no'));
  t.equal(subscription('!x@arr'), '{"method":"SUBSCRIBE","params":["!x@arr"],"id":1}');
});
