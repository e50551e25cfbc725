/** Option chains: each reading is one list of an exchange. */
export type { OptionRow } from '../../indicators/options/chain.ts';
