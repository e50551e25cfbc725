/** The response time in ready bytes. */
import t from 'tap';
import { HeadBlock } from '../../../http/wire/head-block.ts';
import { Stamped, stampLength } from '../../../http/wire/stamped.ts';

const [first, second] = [1_700_000_000_000, 1_700_000_000_001];
const head = new HeadBlock('', null);

t.test('another time is written in its place, and the bytes are sealed again', async (t) => {
  let seals = 0;
  const seal = () => {
    seals += 1;
  };
  const bytes = Buffer.from(`<${'0'.repeat(stampLength)}>`);
  const body = new Stamped({ bytes, head, place: 1, seal });
  t.notOk(body.wasStamped);
  t.strictSame([String(body.at(first)), seals], [`<${first}>`, 1]);
  t.ok(body.wasStamped);
  t.strictSame([String(body.at(first)), seals], [`<${first}>`, 1], 'the same time changes nothing');
  t.strictSame([String(body.at(second)), seals], [`<${second}>`, 2]);
  t.strictSame([body.sealed, body.length], [true, 15]);
});

t.test('a body without a place for the time stays as it is', async (t) => {
  const body = new Stamped({ bytes: Buffer.from('ab'), head, place: null });
  t.strictSame([String(body.at(first)), body.sealed, body.length], ['ab', false, 2]);
});
