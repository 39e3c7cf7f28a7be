import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe } from '@jest/globals';

const installed = join(import.meta.dirname, '../../../.tools/bin/posthog-cli');

/** Whether the real posthog-cli is there: infra/ci/prepare builds it where there is cargo. */
export const hasPosthogCli = existsSync(installed);

/** A suite of the real posthog-cli. Without it the suite is skipped, and its name says why and what is tested instead. */
export function describePosthogCli(name: string, suite: () => void): void {
  const reason = 'skipped: infra/ci/prepare could not build it; cli.integration.test.ts replays its requests';
  if (hasPosthogCli) describe(name, suite);
  else describe.skip(`${name} (${reason})`, suite);
}

/** A project of the management API, and a personal key. */
export interface CliTarget {
  url: string;
  key: string;
  projectId: number;
}

/** Runs posthog-cli in a folder, which is its home too, and answers with what it printed. @throws with that when it fails. */
export async function runPosthogCli({ url, key, projectId }: CliTarget, folder: string, ...args: string[]) {
  const env = {
    HOME: folder,
    NO_COLOR: '1',
    POSTHOG_CLI_HOST: url,
    POSTHOG_CLI_API_KEY: key,
    POSTHOG_CLI_PROJECT_ID: String(projectId),
  };
  const { stdout, stderr } = await promisify(execFile)(installed, args, { cwd: folder, env, timeout: 60_000 });
  return stdout + stderr;
}
