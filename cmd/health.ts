require('./launch.cjs')('health');
