import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';

const program = `
  import { createLogger } from '${join(import.meta.dirname, 'logger.ts')}';
  import { runProcess } from '${join(import.meta.dirname, '../process/run-process.ts')}';
  const logger = createLogger('tested', 'info', { linesTogether: true });
  const lines = () => { for (let line = 0; line < Number(process.env.LINES ?? 500); line++) logger.info({ line }, 'together'); };
  runProcess(() => ({ logger, start: async () => lines(), stop: async () => { lines(); if (process.env.FAULT) throw new Error('a fault'); } }));
  setInterval(() => {}, 1000);
`;

test.each([{}, { FAULT: '1' }])(
  'lines that are written together are all there when the process was asked to end: %j',
  async (environment) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const output = text(child.stdout as NonNullable<typeof child.stdout>);
    await once(child, 'message');
    child.kill('SIGTERM');
    const lines = (await output)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { msg: string });
    expect(lines.filter(({ msg }) => msg === 'together')).toHaveLength(1_000);
    expect(lines.some(({ msg }) => msg === 'stop failed')).toBe('FAULT' in environment);
  },
);

test.each([
  ['gone', 0],
  ['asleep', 0],
])('a process ends on request, though the reader of its log is %s', async (reader, code) => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { LINES: '20000' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (reader === 'gone') child.stdout?.destroy();
  await once(child, 'message');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([code, null]);
});

test('a reader that comes late has every line', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { LINES: '20000' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  const output = text(child.stdout as NonNullable<typeof child.stdout>);
  child.kill('SIGTERM');
  expect((await output).match(/"msg":"together"/g)).toHaveLength(40_000);
});
