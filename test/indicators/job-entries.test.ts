import t from 'tap';
import { BadInput, mostEntries, readEntries } from '../../indicators/job-entries.ts';

/** The message that the caller gets. */
function complaint(list: unknown): string {
  try {
    readEntries(list);
  } catch (error) {
    if (error instanceof BadInput) return error.message;
    throw error;
  }
  return 'no complaint';
}

const ids = (list: unknown) => readEntries(list).map(({ id }) => id);
const lengths = (list: unknown) => readEntries(list).map(({ chosen }) => chosen.length);

t.test('a name alone stands for the defaults, in any case', async (t) => {
  const [rsi, upper] = readEntries(['rsi', 'EMA']);
  t.same(rsi, { id: 'rsi', name: 'rsi', chosen: { ...rsi?.chosen, length: 14 } });
  t.equal(upper?.name, 'ema');
  t.equal(upper?.id, 'ema');
  t.equal(upper?.chosen.length, 20);
});

t.test('parameters: by place, beside the name, and under params', async (t) => {
  const forms = ['ema:200', { name: 'ema', length: 200 }, { name: 'ema', params: { length: 200 } }];
  t.same(lengths(forms), [200, 200, 200]);
  t.equal(readEntries(['ema:50,hl2'])[0]?.chosen.source, 'hl2', 'words by place');
  t.equal(readEntries([{ name: 'sma', source: 'open' }])[0]?.chosen.length, 20, 'others stay');
  const words = [true, 'TRUE', 'false'].map((centered) => ({ name: 'dpo', centered }));
  t.same(
    readEntries(words).map(({ chosen }) => chosen.centered),
    ['true', 'true', 'false'],
    'words in any case, and as JSON has them',
  );
  t.match(complaint([{ name: 'dpo', centered: 1 }]), /centered of dpo must be one of/);
});

t.test('ids: made from name and parameters, given, and always unique', async (t) => {
  t.same(ids(['ema', 'ema:200', { name: 'ema', length: 50 }]), ['ema', 'ema_200', 'ema_50']);
  t.same(ids([{ name: 'ema', source: 'open' }]), ['ema_20_open'], 'with what stands before');
  t.same(ids(['rsi', 'rsi', 'rsi']), ['rsi', 'rsi#2', 'rsi#3']);
  t.same(ids(['rsi', { name: 'rsi', length: 7, id: 'rsi' }]), ['rsi#2', 'rsi'], 'given ones first');
  t.same(ids([{ name: 'rma', id: '__proto__' }]), ['__proto__']);
  t.match(
    complaint([
      { name: 'rsi', id: 'a' },
      { name: 'ema', id: 'a' },
    ]),
    /id "a" is used twice/,
  );
  t.match(complaint([{ name: 'rsi', id: '' }]), /indicators\[0\]: id must be 1 to 64 letters/);
  t.same(ids([{ name: 'rsi', id: 'a'.repeat(64) }]), ['a'.repeat(64)]);
  t.match(complaint([{ name: 'rsi', id: 'a'.repeat(65) }]), /id must be/);
  t.match(complaint([{ name: 'rsi', id: 7 }]), /id must be/);
});

t.test('an alias is the indicator itself under the name that was used', async (t) => {
  const [entry] = readEntries(['smma']);
  t.equal(entry?.name, 'rma');
  t.equal(entry?.id, 'smma');
});

t.test('what is unknown is named, with what is nearest or known', async (t) => {
  t.match(complaint(['sma', 'rsj']), /indicators\[1\]: there is no indicator "rsj".* is rsi/);
  t.match(complaint([{ name: 'emaa' }]), /"emaa".*ema/);
  t.match(complaint(['']), /no indicator ""/);
  t.match(complaint([{ name: 'ema', lenght: 9 }]), /ema has no parameter "lenght"; it has length/);
  t.match(complaint(['ema:9,close,3']), /ema has 2 parameters, not 3/);
  const long = 'x'.repeat(32);
  t.match(complaint([long]), `no indicator "${long}",`);
  t.match(complaint([`${long}x`]), `no indicator "${long}…",`, 'a long name is cut');
});

t.test('a parameter out of its range is named with its range', async (t) => {
  const message = /indicators\[0\]: length of ema must be a whole number from \d+ to \d+/;
  t.same(lengths([1, 500].map((length) => ({ name: 'ema', length }))), [1, 500]);
  const bad = [0, -1, 501, 1e9, 1.5, Number.NaN, '9', null, true];
  for (const length of bad) t.match(complaint([{ name: 'ema', length }]), message, `${length}`);
  t.match(complaint(['ema:0']), message);
  t.match(complaint(['ema:abc']), message);
  t.match(complaint(['ema:']), message);
  t.match(complaint(['ema:1e1']), message, 'plain decimals only');
  t.match(complaint(['ema:9,price']), /source of ema must be one of open, high/);
});

t.test('the list: 1 to 50 names or objects', async (t) => {
  t.match(complaint([]), /indicators must be a list of 1 to 50/);
  t.match(complaint('rsi'), /must be a list/);
  t.match(complaint(undefined), /must be a list/);
  t.match(complaint(Array(mostEntries + 1).fill('rsi')), /must be a list of 1 to 50/);
  t.equal(readEntries(Array(mostEntries).fill('rsi')).length, mostEntries);
  for (const entry of [7, null, ['rsi']]) {
    t.match(complaint([entry]), /indicators\[0\] must be a name such as "rsi" or an object/);
  }
  t.match(complaint([{ length: 7 }]), /indicators\[0\]: name must be/);
  t.match(complaint([{ name: 'ema', params: [7] }]), /params must be an object/);
});
