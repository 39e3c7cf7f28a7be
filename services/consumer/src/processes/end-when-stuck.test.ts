import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const watched = JSON.stringify(join(import.meta.dirname, 'end-when-stuck.ts'));

/** Runs a program that is watched with a second of patience; answers how it ended. */
async function run(
  program: string,
  during: (pid: number) => Promise<void> = () => Promise.resolve(),
): Promise<unknown> {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `const { endWhenStuck } = await import(${watched}); endWhenStuck(1500); process.stdout.write('!'); ${program}`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  await during(child.pid ?? 0);
  const [code, signal] = (await exited) as [number | null, string | null];
  return signal ?? code;
}

test('a process whose event loop hangs is ended', async () => {
  expect(await run('setTimeout(() => { for (;;); }, 100);')).toBe('SIGKILL');
});

test('one that works is not, nor does the watching keep it alive', async () => {
  expect(
    await run('const end = Date.now() + 4_000; (function work() { if (Date.now() < end) setTimeout(work, 200); })();'),
  ).toBe(0);
});
