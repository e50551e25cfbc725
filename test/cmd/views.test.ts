import { mock } from 'node:test';
import t from 'tap';
import { createViews, filled } from '../../cmd/process/views.ts';
import { FakeClock } from '../support/clock.ts';

function wait() {
  const clock = new FakeClock();
  const warned: string[] = [];
  const log = { warn: (_fields: object, text: string) => warned.push(text) };
  const { promise, resolve } = Promise.withResolvers<void>();
  let open = false;
  const opened = filled(promise, { clock, log }).then(() => {
    open = true;
  });
  return { clock, warned, resolve, opened, isOpen: () => open };
}

t.test('the port is opened once Redis has given all last values', async (t) => {
  const { clock, warned, resolve, opened, isOpen } = wait();
  await clock.advance(14_900);
  t.notOk(isOpen());
  resolve();
  await opened;
  t.same(warned, []);
});

t.test('or without them, which is logged', async (t) => {
  const { clock, warned, opened } = wait();
  await clock.advance(15_000);
  await opened;
  t.same(warned, ['Redis has not given the last values: serving without them']);
});

/** What the views are called with is noted in the place of it. */
function noted() {
  const { handlers, stop, ...views } = createViews({ lendingLeastTvl: 0, venues: new Map() });
  const calls: string[] = [];
  const ways =
    'accept change add touch expire acceptSamples acceptOrders acceptFeed acceptProcess acceptHistory';
  for (const [name, view] of Object.entries(views))
    for (const way of ways.split(' '))
      if (way in view) Object.assign(view, { [way]: () => calls.push(`${name}.${way}`) });
  return { handlers, stop, calls };
}

t.test('each topic reaches the views that are made of it', async (t) => {
  const { handlers, stop, calls } = noted();
  stop();
  const found = Object.entries(handlers).map(([topic, handle]) => {
    handle('key', { received: 1, rows: [] } as never, {} as never);
    return [topic, calls.splice(0).join(' ')];
  });
  t.strictSame(Object.fromEntries(found), {
    instruments: 'instruments.accept perpetuals.accept tables.touch',
    prices: 'prices.accept perpetuals.accept tables.touch',
    priceChanges: 'prices.change',
    derivativeChanges: 'perpetuals.change',
    openInterestChanges: 'openInterest.change perpetuals.change',
    derivatives: 'perpetuals.accept tables.touch',
    openInterest: 'openInterest.accept perpetuals.accept tables.touch',
    futures: 'futures.accept',
    options: 'options.accept',
    orderBooks: 'books.acceptSamples',
    largeOrders: 'books.acceptOrders',
    referenceInputs: 'referenceRates.accept',
    status: 'status.acceptFeed',
    processes: 'status.acceptProcess',
    compute: 'pools.accept',
    chains: 'onchain.accept',
    defi: 'defi.accept',
    marketIndicators: 'marketIndicators.accept',
    indicatorHistories: 'marketIndicators.acceptHistory',
  });
});

t.test('views age each second until stopped, tables after what they are of', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  const { stop, calls } = noted();
  mock.timers.tick(999);
  t.same(calls, []);
  mock.timers.tick(1);
  const markets = [
    'prices',
    'openInterest',
    'perpetuals',
    'futures',
    'options',
    'optionTrades',
    'liquidations',
    'recorded',
    'books',
  ];
  const others = ['status', 'onchain', 'defi', 'marketIndicators', 'referenceRates'];
  t.same(
    calls.splice(0),
    [...markets, 'tables', ...others].map((name) => `${name}.expire`),
  );
  stop();
  mock.timers.tick(5_000);
  t.same(calls, []);
});
