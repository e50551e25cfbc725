import t from 'tap';
import { addressForm, isAddressOf } from '../../../actors/chains/address.ts';
import { chainIds, evmChainIds } from '../../../config/chains.ts';

const mixed = '0xdAC17F958D2ee523a2206206994597C13D831ec7';

t.test('EVM: hexadecimal, with the right checksum where cases are mixed', async (t) => {
  for (const chain of evmChainIds) {
    t.ok(isAddressOf(chain, mixed));
    t.ok(isAddressOf(chain, mixed.toLowerCase()));
    t.ok(isAddressOf(chain, `0x${mixed.slice(2).toUpperCase()}`));
    t.notOk(isAddressOf(chain, mixed.replace('dAC', 'DAC')), 'wrong checksum');
    t.notOk(isAddressOf(chain, mixed.slice(2)), 'without 0x');
    t.notOk(isAddressOf(chain, mixed.slice(0, -1)), 'too short');
    t.notOk(isAddressOf(chain, `${mixed}0`), 'too long');
    t.notOk(isAddressOf(chain, ` ${mixed}`));
    t.notOk(isAddressOf(chain, `${mixed}\n`));
    t.notOk(isAddressOf(chain, mixed.replace('d', 'g')));
  }
});

t.test('Solana: base58 of 32 bytes', async (t) => {
  for (const good of [
    'So11111111111111111111111111111111111111112',
    '11111111111111111111111111111111',
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    'A1TMhSGzQxMr1TboBKtgixKz1sS6REASMxPo1qsyTSJd',
  ]) {
    t.ok(isAddressOf('solana', good), good);
  }
  for (const bad of [
    '',
    '1111111111111111111111111111111',
    '111111111111111111111111111111111',
    'A1TMhSGzQxMr1TboBKtgixKz1sS6REASMxPo1qsyTS',
    'A1TMhSGzQxMr1TboBKtgixKz1sS6REASMxPo1qsyTSJdd',
    'O0Il11111111111111111111111111111111111111',
    'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz',
    ' So11111111111111111111111111111111111111112',
    mixed,
  ]) {
    t.notOk(isAddressOf('solana', bad), bad);
  }
});

t.test('Bitcoin: every form of the main network, with its checksum', async (t) => {
  for (const good of [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    'BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ',
    'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
  ]) {
    t.ok(isAddressOf('bitcoin', good), good);
  }
  for (const bad of [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp',
    'bc1qAr0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
    '',
    mixed,
  ]) {
    t.notOk(isAddressOf('bitcoin', bad), bad);
  }
});

t.test('long texts are refused unread; each chain names its form', async (t) => {
  for (const chain of chainIds) {
    t.notOk(isAddressOf(chain, '1'.repeat(1_000_000)));
    t.match(addressForm(chain), /hexadecimal|base58|checksum/);
  }
});
