import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const says = `
process.on('message', () => setTimeout(() => process.send([Date.now(), new Date().getTime(), Date.parse(Date()), new Date(5).getTime(), new Date() instanceof Date])));
process.on('disconnect', () => process.exit());
`;

test('a process with a shifted clock shows it everywhere; values other than "now" stay', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-clock-'));
  const script = join(folder, 'says.mjs');
  writeFileSync(script, says);
  const child = fork(script, {
    execArgv: ['--disable-warning=ExperimentalWarning', '--import', join(import.meta.dirname, 'shifted-clock.ts')],
  });
  const hourMs = 3_600_000;
  for (const clockShiftMs of [0, hourMs, -hourMs]) {
    child.send({ clockShiftMs });
    const [[...times]] = (await once(child, 'message')) as [[number, number, number, number, boolean]];
    const [now, made, printed, five, isDate] = times;
    for (const reported of [now, made, printed])
      expect(Math.abs(reported - Date.now() - clockShiftMs)).toBeLessThan(60_000);
    expect([five, isDate]).toEqual([5, true]);
  }
  child.disconnect();
  await once(child, 'exit');
  rmSync(folder, { recursive: true });
}, 20_000);
