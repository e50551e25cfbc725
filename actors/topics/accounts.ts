/** The keys or the plan of an account have changed: processes with them in memory look them up again. */
export interface AccountChange {
  /** One more than that of the change before; from 1 again when Redis lost its memory. */
  number: number;
  account: string;
  /** The id of the one key that was revoked; absent where all of the account are to be looked up. */
  key?: string;
}
