/** A wallet's portfolio, as it travels (specification 2.6). */

/** As the client sent it, unchecked. */
export interface WalletRequest {
  address: string;
  chain: string;
}

export interface WalletToken {
  /** Symbol. */
  token: string;
  chain: string;
  /** In whole coins. */
  balance: number;
  /** Absent for the native coin. */
  contract?: string;
  /** US dollars; 0 without a price. */
  price_usd: number;
  value_usd: number;
}

export interface Portfolio {
  address: string;
  chain: string;
  /** Sum over the tokens. */
  total_value_usd: number;
  /** The most valuable first. */
  tokens: WalletToken[];
}

export interface WalletReply {
  /** Empty where `message` says why. */
  portfolio: Portfolio;
  /** Which step failed; null when none did. */
  message: string | null;
  /** What is missing of an answer that is no error, in words; null when nothing is. */
  partial: string | null;
  /** Unix ms. */
  received: number;
}
