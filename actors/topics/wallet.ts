/** The portfolio of a wallet (specification 2.6). */
import * as s from './schema.ts';

/** As the client sent it, unchecked. */
export interface WalletParams {
  address: string;
  chain: string;
}

/** Tokens of a wallet and their value. */
export const portfolio = s.object({
  address: s.string('As asked.'),
  chain: s.string('As asked.'),
  total_value_usd: s.number('Sum over the tokens.'),
  tokens: s.list(
    s.object({
      token: s.string('Symbol.'),
      chain: s.string('Chain of the token.'),
      balance: s.number('Whole coins.'),
      contract: s.optional(s.string('Absent for the native coin.')),
      price_usd: s.number('0 for a token without a price.'),
      value_usd: s.number('Balance x price.'),
    }),
    'The most valuable first.',
  ),
});
export type Portfolio = s.Static<typeof portfolio>;
export type WalletToken = Portfolio['tokens'][number];

export interface WalletReply {
  /** Empty where `message` says why. */
  portfolio: Portfolio;
  /** Which step failed; null when none did. */
  message: string | null;
  /** The missing part of an answer without error, in words; null when nothing is missing. */
  partial: string | null;
  /** Unix ms. */
  received: number;
}
