require('./launch.cjs')('local');
