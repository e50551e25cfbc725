import t from 'tap';
import {
  contradiction,
  hasWrongTurnover,
  isNear,
  isWithin,
  judge,
} from '../../../indicators/market/checks.ts';

const alone = { last: null, others: [], own: [], contradicted: null };

t.test('near is 30 % up or down', async (t) => {
  t.equal(isNear(130, 100), true);
  t.equal(isNear(131, 100), false);
  t.equal(isNear(70, 100), true);
  t.equal(isNear(69, 100), false);
  t.equal(isNear(0, 0), true, 'an open interest that stays at zero');
  t.equal(isNear(5, 0), false);
});

t.test('the range of the references is what lies between them and 30 % around', async (t) => {
  t.equal(isWithin(50, []), true);
  t.equal(isWithin(50, [Number.NaN, 0]), true, 'unknown references say nothing');
  t.equal(isWithin(50, [1, 100]), true, 'a wide spread contradicts nothing within it');
  t.equal(isWithin(131, [1, 100]), false);
  t.same(
    [0.7, 0.69, 130].map((value) => isWithin(value, [1, 100])),
    [true, false, true],
  );
  t.equal(isWithin(131, [100, Infinity]), false);
  t.equal(isWithin(50_000, [50, 51]), false);
});

t.test('two readings of one quantity', async (t) => {
  t.equal(contradiction(1.2, [120 * 0.01]), null);
  t.equal(contradiction(100, [49, 51]), 'value', 'a last trade of long ago');
  t.equal(contradiction(1.2, [60]), 'value', '50 times is no unit yet');
  t.equal(contradiction(1.2, [60.1]), 'unit');
  t.equal(contradiction(60.1, [1.2]), 'unit');
  t.equal(contradiction(60, [1.2]), 'value');
  t.equal(contradiction(1.2, [1_200_000]), 'unit');
  t.equal(contradiction(1_200_000, [1.2, Number.NaN]), 'unit');
  t.equal(contradiction(1.2, [Number.NaN, 0]), null, 'unknown');
  t.equal(contradiction(0, [5]), null);
  t.equal(contradiction(1e4, [100, Infinity]), 'unit');
});

t.test('turnover by volume is a mean price of the day', async (t) => {
  const quiet = { price: 50_000, bid: null, ask: null, high: 52_000, low: 48_000, change: null };
  const isWrong = (volume: number | null, base: number | null, beside: object = {}) =>
    hasWrongTurnover({ ...quiet, ...beside, volume, base });
  t.equal(isWrong(100_000, 2), false, '2 BTC at 50,000');
  t.equal(isWrong(200_000, 2), true, 'both sides of the turnover');
  t.equal(isWrong(100_000, 4), true, 'both sides of the volume');
  t.equal(isWrong(2 * 57_000, 2), false, 'windows that end at different times');
  t.equal(isWrong(2 * 57_300, 2), true, 'more than a tenth above the high');
  t.equal(isWrong(2 * 43_100, 2), true, 'more than a tenth below the low');
  t.equal(isWrong(100_000, 0), true, 'nothing trades for something');
  t.equal(isWrong(0, 2), true, 'something trades for nothing');
  t.equal(isWrong(0, 0), false);
  t.equal(isWrong(null, 2), false, 'unknown');
  t.equal(isWrong(100_000, null), false, 'unknown');
  const unknown = { high: null, low: null };
  t.equal(isWrong(400_000, 2, unknown), false, 'it may have fallen to a quarter');
  t.equal(isWrong(520_000, 2, unknown), true, 'not to a sixth');
  t.equal(isWrong(19_000, 2, unknown), true, 'nor risen to more than five times');
  t.equal(isWrong(1_600_000, 2, { ...unknown, change: -95 }), false, 'it did: from 1,000,000');
});

t.test('a value is held against its last one, then against other sources', async (t) => {
  t.equal(judge(5, alone), 'good', 'nothing is known of it');
  t.equal(judge(102, { ...alone, last: 100, others: [300] }), 'good');
  t.equal(judge(50, { ...alone, last: 100 }), 'unconfirmed');
  t.equal(judge(50, { ...alone, last: 100, others: [51] }), 'good', 'a crash seen elsewhere too');
  t.equal(judge(50, { ...alone, last: 100, others: [99, 101] }), 'unconfirmed');
  t.equal(judge(50_000, { ...alone, others: [50] }), 'good', 'a first value: the mean is marked');
  t.equal(judge(5, { ...alone, last: 0 }), 'good', 'zero is no reference');
});

t.test('its own source can contradict it', async (t) => {
  t.equal(judge(50, { ...alone, last: 100, own: [100, 101] }), 'contradicted');
  t.equal(judge(50, { ...alone, last: 100, own: [50] }), 'unconfirmed');
  t.equal(judge(50, { ...alone, last: 100, contradicted: 'value' }), 'contradicted');
  t.equal(judge(50_000, { ...alone, own: [50] }), 'contradicted', 'a first value, a wrong unit');
  t.equal(judge(200, { ...alone, own: [50], contradicted: 'value' }), 'good', 'a first value');
  t.equal(judge(200, { ...alone, contradicted: 'unit' }), 'contradicted');
  t.equal(judge(100, { ...alone, last: 100, own: [9], contradicted: 'unit' }), 'good');
  t.equal(judge(50, { ...alone, last: 100, others: [50], own: [100] }), 'good');
});
