require('./launch.cjs')('normalise');
