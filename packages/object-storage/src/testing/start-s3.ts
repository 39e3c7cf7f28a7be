import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@millrace/engines/ports.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';

/** Where infra/ci/prepare puts the server. */
export const installedS3 = join(import.meta.dirname, '../../../../.tools/bin/versitygw');
const keys = { access: 'millrace', secret: 'secret-of-the-tests' };

/** Command line of a server on this port of 127.0.0.1, whose objects are in a folder that is there. */
export function s3Command(port: number, objects: string): { command: string; args: string[] } {
  const settings = ['--port', `127.0.0.1:${port}`, '--access', keys.access, '--secret', keys.secret];
  return {
    command: existsSync(installedS3) ? installedS3 : 'versitygw',
    args: [...settings, '--health', '/health', 'posix', '--nometa', objects],
  };
}

/** Resolves when a server on this port answers. @throws when it does not for some seconds */
export async function s3IsReady(port: number): Promise<void> {
  await eventually(async () => {
    if ((await fetch(`http://127.0.0.1:${port}/health`)).status !== 200) throw new Error('not ready');
  });
}

/** Settings of a storage on a server that listens at this port. */
export const s3Environment = (port: number): Record<string, string> => ({
  STORAGE_S3_BUCKET: 'millrace-tests',
  STORAGE_S3_ENDPOINT: `http://127.0.0.1:${port}`,
  STORAGE_S3_ACCESS_KEY: keys.access,
  STORAGE_S3_SECRET_KEY: keys.secret,
});

/** versitygw, a real S3 server that checks signatures, policies and expiry; infra/ci/prepare builds it. */
export async function startS3() {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-s3-'));
  const port = await freePort();
  mkdirSync(join(folder, 'objects'));
  const { command, args } = s3Command(port, join(folder, 'objects'));
  const server = spawn(command, args, { stdio: 'ignore' });
  await once(server, 'spawn');
  await s3IsReady(port);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    environment: s3Environment(port),
    stop() {
      server.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    },
  };
}
