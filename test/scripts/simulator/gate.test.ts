import t from 'tap';
import { gate } from '../../../scripts/simulator/venues/gate.ts';
import { absent } from '../../support/recordings.ts';
import { sameShapes } from '../../support/shape.ts';

const unused = 'no feed asks for it';
const skipped = {
  'analytics-contract-stats': unused,
  'analytics-liq-orders': unused,
  'contract-stats': unused,
  'funding-history': unused,
  liquidations: unused,
  'unified-history-loan-rate': unused,
};

/** The older of the two lists of contracts. */
const newer = {
  'perp-contracts-funding': [
    'enable_decimal',
    'enable_bonus',
    'enable_credit',
    'cross_leverage_default',
    'funding_cap_ratio',
    'voucher_leverage',
    'enable_circuit_breaker',
    'funding_rate_limit',
    'market_order_slip_ratio',
    'market_order_size_max',
    'create_time',
    'launch_time',
    'is_pre_market',
    'status',
    'contract_type',
  ],
};

t.test('keys and types are those of the recordings', { skip: absent }, async (t) => {
  t.equal(await sameShapes(t, gate, { skipped, newer }), 10);
});
