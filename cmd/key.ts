require('./launch.cjs')('key');
