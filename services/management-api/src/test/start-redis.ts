import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { freePort } from '@millrace/engines/ports.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';

/** A real redis-server, which is part of Debian, for tests of the full tier. Returns where it is, and what ends it. */
export async function startRedis(): Promise<{ url: string; stop(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-redis-'));
  const port = await freePort();
  const redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder], {
    stdio: 'ignore',
  });
  await eventually(() =>
    expect(execFileSync('redis-cli', ['-p', String(port), 'ping'], { encoding: 'utf8' })).toBe('PONG\n'),
  );
  return {
    url: `redis://127.0.0.1:${port}`,
    stop() {
      redis.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
