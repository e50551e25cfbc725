/** How Binance refuses. https://developers.binance.com/docs/derivatives/usds-margined-futures/error-code */
import t from 'tap';
import { readFault } from '../../../../actors/upstream/faults.ts';
import { apis } from '../../../../actors/venues/binance/markets.ts';

t.test(
  'illegal characters: a symbol is unknown; of another parameter the request is refused',
  (t) => {
    const meaningOf = (name: string) => {
      const msg = `Illegal characters found in parameter '${name}'; legal range is '^[0-9]{1,20}$'.`;
      return readFault(apis.linear, 400, { code: -1100, msg })?.code;
    };
    t.equal(meaningOf('symbol'), 'unknown_instrument');
    t.equal(meaningOf('startTime'), 'refused');
    const unknown = { code: -1121, msg: 'Invalid symbol.' };
    t.equal(readFault(apis.spot, 400, unknown)?.code, 'unknown_instrument');
    t.end();
  },
);
