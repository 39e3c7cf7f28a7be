import { describe, expect, test } from '@jest/globals';
import { BenchArgumentError, readBenchArguments } from './bench-arguments.ts';

const known = ['capture', 'end-to-end'];

describe('the command line of the bench', () => {
  test('nothing said means everything', () => {
    expect(readBenchArguments([], known)).toEqual({ names: known, json: false, writeReadme: false });
    expect(readBenchArguments(['--json'], known)).toEqual({ names: known, json: true, writeReadme: false });
  });

  test('named ones alone, in the order of the list', () => {
    expect(readBenchArguments(['end-to-end', '--write-readme', 'capture'], known)).toEqual({ names: known, json: false, writeReadme: true });
    expect(readBenchArguments(['end-to-end'], known).names).toEqual(['end-to-end']);
  });

  test('what nobody knows is an error that says what there is', () => {
    expect(() => readBenchArguments(['captrue', '--jsn', 'capture'], known)).toThrow(BenchArgumentError);
    expect(() => readBenchArguments(['captrue'], known)).toThrow(/captrue.*capture, end-to-end.*--json/);
  });
});
