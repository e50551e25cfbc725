import t from 'tap';
import { bingx } from '../../../../actors/venues/bingx/index.ts';
import { wholeVenue } from '../suite/index.ts';

wholeVenue(t, bingx);
