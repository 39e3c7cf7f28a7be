// Runs record-python.py for each wrapper, with the fake provider and the recorder beside it.
import { spawn } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeProvider } from '../provider/fake-provider.ts';
import { startRecorder } from './recorder.mjs';

const here = import.meta.dirname;
const pinned = readFileSync(join(here, 'requirements.txt'), 'utf8').trim().split('\n');
const versions = (names) =>
  pinned
    .filter((line) => names.includes(line.split('==')[0]))
    .map((line) => line.replace('==', ' '))
    .join(', ');
const wrappers = {
  openai: ['openai'],
  // The same on the lane of AI events, nothing left out.
  'openai-full': ['openai'],
  anthropic: ['anthropic'],
  langchain: ['langchain-core', 'langchain-openai'],
  'openai-agents': ['openai-agents'],
};
const provider = await startFakeProvider();
const recorder = await startRecorder([realpathSync(join(here, 'node_modules')), here]);
const only = process.argv[2];

for (const [wrapper, names] of Object.entries(wrappers)) {
  if (only !== undefined && only !== wrapper) continue;
  const args = [join(here, 'record-python.py'), wrapper, provider.url, recorder.url];
  const child = spawn(join(here, 'venv/bin/python'), args, { stdio: 'inherit' });
  await new Promise((resolve) => child.on('exit', resolve));
  const count = recorder.write(join(here, `../recorded/python-${wrapper}.http`), [
    `Recorded from ${versions(['posthog', ...names])} by record/record-python.py, its model a fake one.`,
  ]);
  console.log(wrapper, count);
}
await provider.close();
recorder.close();
