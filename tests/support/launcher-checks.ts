import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { processesOf } from './processes.ts';

/** Nothing that has to do with the folder runs any more, or it ends before the deadline; and nobody claims it. */
export async function expectNothingLeft(dataDir: string, deadlineMs = 0): Promise<void> {
  await eventually(() => expect(processesOf(dataDir)).toEqual([]), { deadlineMs });
  expect(existsSync(join(dataDir, 'local.json'))).toBe(false);
  expect(existsSync(join(dataDir, 'launcher.pid'))).toBe(false);
}
