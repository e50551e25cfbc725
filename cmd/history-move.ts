require('./launch.cjs')('history-move');
