import t from 'tap';
import { InFlightCounts } from '../../../http/wire/in-flight.ts';

t.test('as many of one name as may wait, and no more', async (t) => {
  const counts = new InFlightCounts();
  const enter = (name: string) => counts.enter(name, 2);
  t.same(['a', 'a', 'a', 'b'].map(enter), [true, true, false, true]);
  counts.leave('a');
  t.same(['a', 'a'].map(enter), [true, false]);
  for (let i = 0; i < 3; i++) counts.leave('a');
  t.same(['a', 'a', 'a'].map(enter), [true, true, false]);
});
