// Records what the wrappers of @posthog/ai send while they talk to the fake provider. In this folder, with the Node of the repository:
// npm install --ignore-scripts && node record-node.mjs
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { PostHog } from 'posthog-node';
import { startFakeProvider } from '../provider/fake-provider.ts';
import { startRecorder } from './recorder.mjs';

const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));
const versions = (names) => names.map((name) => `${name} ${dependencies[name]}`).join(', ');
const wrappers = {
  openai: ['openai'],
  // The same on the lane of AI events, nothing left out.
  'openai-full': ['openai'],
  anthropic: ['@anthropic-ai/sdk'],
  vercel: ['ai', '@ai-sdk/openai'],
  langchain: ['@langchain/core', '@langchain/openai'],
  'openai-agents': ['@openai/agents'],
};
const provider = await startFakeProvider();
const recorder = await startRecorder([realpathSync(join(import.meta.dirname, 'node_modules')), import.meta.dirname]);
const only = process.argv[2];

for (const [wrapper, names] of Object.entries(wrappers)) {
  if (only !== undefined && only !== wrapper) continue;
  const isFull = wrapper.endsWith('-full');
  const posthog = new PostHog('phc_recorded', {
    host: recorder.url,
    flushAt: 100,
    flushInterval: 60_000,
    enableFullAiCapture: isFull,
  });
  posthog.on('error', (error) => console.error(wrapper, error));
  const { record } = await import(`./node/${wrapper.replace('-full', '')}.mjs`);
  await record({
    posthog,
    url: provider.url,
    trace: (name) => `${wrapper === 'openai-agents' ? 'trace_' : ''}node-${wrapper}-${name}`,
  });
  await posthog.shutdown(10_000);
  const count = recorder.write(join(import.meta.dirname, `../recorded/node-${wrapper}.http`), [
    `Recorded from ${versions(['@posthog/ai', 'posthog-node', ...names])} by record/record-node.mjs, its model a fake one.`,
  ]);
  console.log(wrapper, count);
}
await provider.close();
recorder.close();
process.exit(0);
