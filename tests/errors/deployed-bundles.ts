import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bundler, bundlers } from '@millrace/symbolication/testing/bundles.ts';
import { hasPosthogCli, runPosthogCli } from '@millrace/testkit/posthog-cli.ts';
import { createReplay, readCalls } from '@millrace/testkit/recorded-calls.ts';
import type { Local } from '../support/system.ts';
import { writeBundles } from './bundles.ts';

/** Bundles as they are deployed, with chunk ids in them, by bundler. */
export type Deployed = Readonly<Record<Bundler, string>>;

const recording = join(import.meta.dirname, 'recorded/posthog-cli.json');

/** In a test's name: who uploads the maps. */
export const uploader = hasPosthogCli ? 'posthog-cli itself' : 'requests recorded from posthog-cli';

/** Files that posthog-cli left when it was recorded, by name. */
export const recordedFiles = (): Record<string, string> =>
  (JSON.parse(readFileSync(recording, 'utf8')) as { files: Record<string, string> }).files;

/** Uploads the maps of all bundles by posthog-cli, or as it did when it was recorded. @throws when one is refused. */
export async function deployBundles(local: Local, folder: string): Promise<Deployed> {
  if (hasPosthogCli) return await deployByCli(local, folder);
  const replay = createReplay(local.apiUrl, local.personalApiKey, local.projectId);
  for (const call of readCalls(recording)) {
    const { status, bytes } = await replay.send(call);
    if (status !== call.status) throw new Error(`${call.method} ${call.url} is ${status}: ${bytes.toString()}`);
  }
  return scriptsOf(recordedFiles());
}

async function deployByCli(local: Local, folder: string): Promise<Deployed> {
  const dist = join(folder, 'dist');
  mkdirSync(dist);
  writeBundles(dist);
  const target = { url: local.apiUrl, key: local.personalApiKey, projectId: local.projectId };
  await runPosthogCli(target, folder, 'sourcemap', 'inject', '--directory', dist);
  await runPosthogCli(target, folder, 'sourcemap', 'upload', '--directory', dist);
  const names = Object.keys(recordedFiles());
  return scriptsOf(Object.fromEntries(names.map((name) => [name, readFileSync(join(dist, name), 'utf8')])));
}

const scriptsOf = (files: Record<string, string>): Deployed =>
  Object.fromEntries(bundlers.map((bundler) => [bundler, files[`${bundler}.js`]])) as Deployed;
