import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { symbolInputs } from '../testing/hostile/symbol-inputs.ts';

const program = join(import.meta.dirname, '../testing/hostile/read-input.ts');
/** The process makes the input too. A machine that is busy takes its time, but not more memory. */
const bounds = { cpuMs: 10_000, memoryMb: 700 };

const answers: Readonly<Record<keyof typeof symbolInputs, string | RegExp>> = {
  'a bomb in zstd': 'container data invalid: more than 268435456 bytes when decompressed',
  'a bomb in gzip': 'container data invalid: zstd cannot decompress it',
  'a number of 50 million digits': 'map invalid: a number of mappings overflows',
  'columns that grow beyond all bounds': 'map invalid: a number of mappings is out of range',
  'a million segments from right to left': 'map invalid: more than 1000000 segments of a line are in no order',
  'sections in sections, 100,000 deep': 'map invalid: more than 1000000 values',
  'names of files that are addresses': /"source":"file:\/\/\/..\/..\/..\/etc\/passwd"/,
  'a mapping of one line': 'mapping invalid: it names no class',
  'a comment of one line': 'mapping invalid: it names no class',
};

test.each(Object.keys(symbolInputs))('%s: within the memory of the thread that compiles, and in seconds', (name) => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--max-old-space-size=512', program, name]);
  const text = stdout.toString();
  if (text === '') throw new Error(`the process has ended: ${stderr.toString()}`);
  const { answer, cpuMs, memoryMb } = JSON.parse(text) as { answer: string; cpuMs: number; memoryMb: number };
  expect(answer).toMatch(answers[name] ?? /^(?:null|\{.*\}|a \d+|undefined 0|A 50|com\.shop\.\w+ 0)$/);
  expect(cpuMs).toBeLessThan(bounds.cpuMs);
  expect(memoryMb).toBeLessThan(bounds.memoryMb);
});
