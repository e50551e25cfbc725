/** Tokens that are held as another number than an index or their units make: scaled amounts of Token-2022 and ERC-8056, rebasing. */
import t from 'tap';
import type { WalletReply } from '../../../actors/topics/wallet.ts';
import { json } from '../../support/faulty-server.ts';
import { asked, evmAddress, mint, reply, solanaAddress, token, world } from './world.ts';

const listed = ({ portfolio }: WalletReply) =>
  portfolio.tokens.map((row) => [row.token, row.balance, row.price_usd, row.value_usd]);

t.test(
  'a token whose issuer multiplies balances is shown so, and worth what pools pay for the units in it',
  async (t) => {
    const split = { decimals: 8, raw: '250000000', multiplier: 10, newer: true };
    const w = await world(t, {
      native: 0n,
      tokens: [
        token(1, { contract: mint(1), ...split }),
        token(1, { contract: mint(1), ...split, raw: '50000000' }),
        token(2, {
          contract: mint(2),
          decimals: 6,
          raw: '1500000',
          multiplier: 1.0042,
          newer: true,
        }),
      ],
    });
    const found = await reply(w, w.wallets(), 'solana', solanaAddress);
    // Two dollars for 10^8 units: 6 for the 3 * 10^8 of both accounts.
    t.match(listed(found).slice(0, 1), [['T1', 30, 0.2, 6]]);
    const [, second] = found.portfolio.tokens;
    t.match(second, { token: 'T2', balance: 1.5063, value_usd: 3 });
    const evm = await world(t, {
      tokens: [token(1, { multiplier: 4 }), token(2, { multiplier: 1 })],
    });
    t.match(
      listed(await reply(evm, evm.wallets(), 'ethereum', evmAddress)).filter(
        ([name]) => name !== 'ETH',
      ),
      [
        ['T1', 4, 0.5, 2],
        ['T2', 1, 2, 2],
      ],
    );
  },
);

t.test(
  'a rebasing token has the balance of its contract, not the one of the last transfer',
  async (t) => {
    const whole = 10n ** 18n;
    const w = await world(t, {
      native: 0n,
      tokens: [
        token(1, { raw: '9963000000000000000000', held: 10_430n * whole }),
        token(2, { held: 0n }),
        token(3),
      ],
    });
    const found = await reply(w, w.wallets());
    t.match(
      listed(found).map(([name, balance]) => [name, balance]),
      [
        ['T1', 10_430],
        ['T3', 1],
        ['ETH', 0],
      ],
      'one that is sold since is gone; of one whose contract does not answer the index counts',
    );
    t.equal(found.partial, null);
    t.equal(asked(w, 'node.ethereum.test'), 4, 'one call for all of them');
  },
);

t.test(
  'a token of another number than its units: its index, an older index, and the chain alone',
  async (t) => {
    const w = await world(t, {
      native: 0n,
      // The index has half a dollar for one as it is shown, pools have two for its units.
      tokens: [
        token(1, { multiplier: 4, rate: '0.5', coin: undefined }),
        token(2, { factor: 4n * 10n ** 18n }),
      ],
    });
    const both = [
      ['T1', 4, 0.5, 2],
      ['T2', 4, 0.5, 2],
      ['ETH', 0, 2_000, 0],
    ];
    t.strictSame(listed(await reply(w, w.wallets())), both);
    const refused = json({ errors: [{ title: 'Invalid value' }] }, 422);
    const empty = json({ items: [], next_page_params: null });
    w.on('base.blockscout.com', (request, response) =>
      (request.url?.includes('8056') ? refused : empty)(request, response),
    );
    const older = await reply(w, w.wallets(), 'base');
    t.equal(older.message, null);
    t.equal(older.portfolio.tokens.length, 1);
    t.equal(asked(w, 'base.blockscout.com'), 2);
  },
);
