import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';

describe('TypeScript without a build', () => {
  test('Node runs another package’s .ts file, imported by the workspace’s name, in a plain process', () => {
    const program = `
      import { createLifecycle } from '@millrace/runtime/lifecycle.ts';
      const lifecycle: { start(): Promise<void> } = createLifecycle([{ name: 'a', start: () => { process.stdout.write('started' satisfies string); } }]);
      await lifecycle.start();
    `;
    const output = execFileSync(process.execPath, ['--input-type=module-typescript', '-e', program], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    });
    expect(output).toBe('started');
  });
});
