import t from 'tap';
import {
  namedValue,
  readConditions,
  readScreenEntries,
  valueNames,
} from '../../../indicators/market/screen.ts';

const idsOf = (text: string) => readScreenEntries(text).map(({ id }) => id);
const valuesOf = (given: Readonly<Record<string, number | null>>) => new Map(Object.entries(given));

t.test('indicators with parameters after colons, and the names of their values', async (t) => {
  t.strictSame(idsOf('rsi,ema:200,macd:8:21:5'), ['rsi', 'ema_200', 'macd_8_21_5']);
  const [rsi, macd] = readScreenEntries('RSI,macd');
  t.match(macd?.chosen, { fast: 12, slow: 26, signal: 9 });
  t.strictSame(rsi && valueNames(rsi), ['rsi']);
  t.strictSame(macd && valueNames(macd).every((name) => name.startsWith('macd.')), true);
  t.throws(() => readScreenEntries('rsi,nosuch'), { message: /^indicators\[1\].*"nosuch"/ });
  t.throws(() => readScreenEntries('rsi:0'), { message: /length of rsi must be/ });
  t.throws(() => readScreenEntries(Array(21).fill('rsi').join()), { message: /20 at most/ });
});

t.test('conditions by numbers and by other values; what is not known fulfils none', async (t) => {
  const names = ['price', 'rsi', 'ema_200'];
  const fulfils = (text: string, values: Readonly<Record<string, number | null>>) =>
    readConditions(text, names).every((one) => one(valuesOf(values)));
  const row = { price: 10, rsi: 30, ema_200: 10 };
  for (const [text, expected] of [
    ['rsi<30', false],
    ['rsi<=30', true],
    ['rsi>29.5', true],
    ['rsi>=30.1', false],
    ['price>=ema_200', true],
    ['price>ema_200', false],
    [' RSI < 31 , price > -1', true],
    ['rsi<31,price>11', false],
    ['price>1e-7,price<2e1', true],
  ] as const)
    t.equal(fulfils(text, row), expected, text);
  const level = { price: 0.1, rsi: 30.000000000000004, ema_200: 0.10000000000000002 };
  for (const [text, expected] of [
    ['price<ema_200', false],
    ['price>=ema_200', true],
    ['rsi<=30', true],
    ['rsi>30', false],
  ] as const)
    t.equal(fulfils(text, level), expected, `${text}, but for rounding`);
  t.notOk(fulfils('rsi<30', { ...row, rsi: null }));
  t.notOk(fulfils('price>ema_200', { ...row, ema_200: null }));
  t.throws(() => readConditions('rsi=30', names), { message: /^filter must be/ });
  t.throws(() => readConditions('rsi<', names), { message: /^filter must be/ });
  t.throws(() => readConditions('adx<30', names), { message: /^filter: .*"adx".*price, rsi/ });
  t.throws(() => readConditions('rsi<adx', names), { message: /^filter: .*"adx"/ });
  t.throws(() => readConditions(Array(11).fill('rsi<1').join(), names), { message: /10/ });
});

t.test('the name of a value by which rows are sorted', async (t) => {
  t.equal(namedValue(' Price ', ['price'], 'sort'), 'price');
  t.throws(() => namedValue('x', ['price'], 'sort'), { message: /^sort: .*"x".*price/ });
});
