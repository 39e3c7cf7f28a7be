import { spawnSync } from 'node:child_process';
import { describe } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';
import { mustRun } from './config.ts';

const commands = ['chromium', 'chromium-browser', 'google-chrome'];

/** The machine's own browser; none is ever downloaded. */
function findChromium(): string | undefined {
  return commands.map((command) => spawnSync('which', [command], { encoding: 'utf8' }).stdout?.trim()).find(Boolean);
}

const executablePath = findChromium();

/** A suite that needs a browser. Without Chromium it is skipped, and its name says why; in continuous integration it fails. */
export function describeBrowser(name: string, suite: () => void): void {
  if (executablePath !== undefined || mustRun()) describe(name, suite);
  else describe.skip(`${name} (skipped: this machine has no Chromium)`, suite);
}

/** @throws when there is none. */
export async function startBrowser(): Promise<Browser> {
  if (executablePath === undefined)
    throw new Error(
      `None of ${commands.join(', ')} is on the PATH. Debian's package is chromium; infra/ci/prepare installs it.`,
    );
  // The sandbox does not work for root, and what is loaded is ours. The last one hides that a program drives it.
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-blink-features=AutomationControlled'];
  return await chromium.launch({ executablePath, args });
}
