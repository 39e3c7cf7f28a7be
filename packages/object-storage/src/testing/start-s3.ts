import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@millrace/engines/ports.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';

const installed = join(import.meta.dirname, '../../../../.tools/bin/versitygw');
const keys = { access: 'millrace', secret: 'secret-of-the-tests' };

/** versitygw, a real S3 server that checks signatures, policies and expiry; infra/ci/prepare builds it. */
export async function startS3() {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-s3-'));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  mkdirSync(join(folder, 'objects'));
  const settings = ['--port', `127.0.0.1:${port}`, '--access', keys.access, '--secret', keys.secret];
  const server = spawn(
    existsSync(installed) ? installed : 'versitygw',
    [...settings, '--health', '/health', 'posix', '--nometa', join(folder, 'objects')],
    { stdio: 'ignore' },
  );
  await once(server, 'spawn');
  await eventually(async () => {
    if ((await fetch(`${endpoint}/health`)).status !== 200) throw new Error('not ready');
  });
  return {
    endpoint,
    /** Settings of a storage in it. */
    environment: {
      STORAGE_S3_BUCKET: 'millrace-tests',
      STORAGE_S3_ENDPOINT: endpoint,
      STORAGE_S3_ACCESS_KEY: keys.access,
      STORAGE_S3_SECRET_KEY: keys.secret,
    },
    stop() {
      server.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    },
  };
}
