import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { confirm } from './confirm.ts';

/** A terminal at which somebody types a line. */
const typed = (line: string): NodeJS.ReadableStream & { isTTY: boolean } => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  terminal.write(`${line}\n`);
  return terminal;
};

// The promise: nothing is deleted unless somebody says yes.
test.each(['yes', 'y', ' YES '])('%p confirms', async (line) => {
  await expect(confirm('Delete it?', typed(line))).resolves.toBeUndefined();
});

test.each(['no', '', 'yesterday', 'n'])('%p does not', async (line) => {
  await expect(confirm('Delete it?', typed(line))).rejects.toThrow('Nothing was changed.');
});

test('without a terminal the error names the option', async () => {
  await expect(confirm('Delete it?', new PassThrough())).rejects.toThrow('add --yes');
});
