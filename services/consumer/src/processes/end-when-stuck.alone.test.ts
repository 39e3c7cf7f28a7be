import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const watched = JSON.stringify(join(import.meta.dirname, 'end-when-stuck.ts'));

/** Runs a program whose event loop may stand still for `afterMs`; returns its exit code, or the signal that ended it. */
async function run(program: string, afterMs = 1_500): Promise<unknown> {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `const { endWhenStuck } = await import(${watched}); endWhenStuck(${afterMs}); ${program}`,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal ?? code;
}

// The programs wait more than they work: they run side by side.
test.concurrent('a process whose event loop hangs is ended', async () => {
  expect(await run('setTimeout(() => { for (;;); }, 100);')).toBe('SIGKILL');
});

test.concurrent('one that works is not, nor does the watching keep it alive', async () => {
  expect(
    await run('const end = Date.now() + 4_000; (function work() { if (Date.now() < end) setTimeout(work, 200); })();'),
  ).toBe(0);
});

test.concurrent('one that hangs for a moment several times is not ended: the moments do not add up', async () => {
  const hang = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_200);';
  const work = 'await new Promise((resolve) => setTimeout(resolve, 1_500));';
  expect(await run(`for (let time = 0; time < 3; time++) { ${work} ${hang} }`, 2_500)).toBe(0);
});
