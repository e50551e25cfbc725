require('./launch.cjs')('history');
