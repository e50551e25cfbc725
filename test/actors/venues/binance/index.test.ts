import t from 'tap';
import { binance } from '../../../../actors/venues/binance/index.ts';
import { wholeVenue } from '../suite/index.ts';

wholeVenue(t, binance);
