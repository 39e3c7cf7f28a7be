// A stop in the middle of traffic, of one process and of several; stop-under-load.integration.test.ts has the hardest case.
import { afterEach } from '@jest/globals';
import { endProcesses } from '../test/capture-processes.ts';
import { describeStops } from '../test/stop-under-load.ts';

afterEach(endProcesses);

describeStops([
  [1, 300],
  [1, 0],
  [3, 300],
]);
