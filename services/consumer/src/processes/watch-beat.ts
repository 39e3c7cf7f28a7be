// The thread that watches the event loop of its process; see `endWhenStuck`.
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { WatchOrder } from './end-when-stuck.ts';

const { beat: shared, afterMs } = workerData as WatchOrder;
const beat = new Int32Array(shared);
let lastSeen = -1;
let checksWithout = 0;
const checkMs = 1_000;

// Counts checks, not time: when the whole process is stopped for a while, this thread is too.
for (;;) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, checkMs);
  const seen = Atomics.load(beat, 0);
  checksWithout = seen === lastSeen ? checksWithout + 1 : 0;
  lastSeen = seen;
  if (checksWithout * checkMs > afterMs) {
    writeSync(2, `the event loop has not turned for ${afterMs} ms: the process is ended\n`);
    process.kill(process.pid, 'SIGKILL');
  }
}
