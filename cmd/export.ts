require('./launch.cjs')('export');
