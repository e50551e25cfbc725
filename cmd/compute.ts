require('./launch.cjs')('compute');
