/** What a call costs in Node: `figures.js start` makes one, `figures.js` measures many. `run` prints the ratios. */

import assert from 'node:assert/strict';

import { Gate, Machine } from '../node/src/index.js';

const system = { presence: 'executable', location: process.execPath };
const app = { linux: system, darwin: system };
const gate = new Gate();
gate.register('asks', { app, requires: { app: true } });
gate.register('asks nothing', { app });
assert(gate.availability('asks').offerable);

/** The shortest of some rounds, for one call: what else the machine does can only add to a time. */
function microseconds(call, times = 2000, rounds = 9) {
  const measured = Array.from({ length: rounds }, () => {
    const begun = process.hrtime.bigint();
    for (let time = 0; time < times; time += 1) call();
    return Number(process.hrtime.bigint() - begun) / times / 1000;
  });
  return Math.min(...measured);
}

if (process.argv[2] !== 'start') {
  const machine = new Machine();
  console.log(JSON.stringify({
    call: microseconds(() => gate.availability('asks')),
    record: microseconds(() => gate.availability('asks nothing')),
    crossing: microseconds(() => gate.versionAtLeast('1', '2')),
    stat: microseconds(() => machine.stat(process.execPath)),
  }));
}
