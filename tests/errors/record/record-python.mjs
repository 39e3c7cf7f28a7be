// Runs record-python.py for each failure, with the recorder beside it. In this folder, with the Node of the repository:
//   python3 -m venv venv && venv/bin/pip install -r requirements.txt && node record-python.mjs
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRecorder } from '../../llm/record/recorder.mjs';

const here = import.meta.dirname;
const version = readFileSync(join(here, 'requirements.txt'), 'utf8').trim().replace('==', ' ');
const recorder = await startRecorder([here]);
for (const scenario of ['add_bad_item', 'sum_without_price', 'order', 'uncaught']) {
  const child = spawn(join(here, 'venv/bin/python'), [join(here, 'record-python.py'), recorder.url, scenario], {
    stdio: 'inherit',
  });
  await once(child, 'exit');
}
const count = recorder.write(join(here, '../recorded/posthog-python.http'), [
  `Recorded from ${version} by record/record-python.py.`,
]);
console.log(count);
recorder.close();
