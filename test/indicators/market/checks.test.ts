import t from 'tap';
import {
  contradiction,
  hasFarQuotes,
  hasFarRange,
  hasWrongChange,
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

const nothing = { price: 50, bid: null, ask: null, high: null, low: null, change: null };

t.test('quotes of more than twice or less than half of the last price are far', async (t) => {
  const isFar = (bid: number | null, ask: number | null) => hasFarQuotes({ ...nothing, bid, ask });
  t.same([isFar(49.9, 50.1), isFar(null, null), isFar(25, 100)], [false, false, false]);
  t.same(
    [isFar(24.9, 50), isFar(50, 100.1), isFar(49_999, 50), isFar(null, 24)].includes(false),
    false,
  );
});

t.test('a range is held against the prices at both ends of its day', async (t) => {
  const isFar = (beside: object) => hasFarRange({ ...nothing, ...beside });
  t.same(
    [isFar({}), isFar({ high: 250, low: 10 })],
    [false, false],
    'five times as much or little',
  );
  t.same([isFar({ high: 250.1 }), isFar({ low: 9.9 })], [true, true]);
  t.equal(isFar({ low: 5, change: 900 }), false, 'it began at 5');
  t.equal(isFar({ low: 5, change: 2 }), true);
  t.equal(isFar({ high: 2_400, change: -90 }), false, 'it began at 500');
  t.equal(isFar({ high: 2_600, change: -90 }), true);
  t.equal(isFar({ high: 260, change: -100 }), true, 'nothing falls to nothing: no price is stated');
});

t.test('a change states a price of the day', async (t) => {
  const isWrong = (change: number | null, beside: object = {}) =>
    hasWrongChange({ ...nothing, high: 52, low: 48, change, ...beside });
  t.equal(isWrong(400), true, 'from 10');
  t.equal(isWrong(2), false, 'from 49.02');
  t.same([isWrong(48), isWrong(50)], [false, true], '33.8 is within 30 % of 48, 33.3 is not');
  t.same([isWrong(-26), isWrong(-27)], [false, true], '67.57 is within 30 % of 52, 68.49 is not');
  const unknown = [
    isWrong(null),
    isWrong(-100),
    isWrong(400, { high: null }),
    isWrong(400, { low: null }),
  ];
  t.same(unknown, [false, false, false, false]);
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
