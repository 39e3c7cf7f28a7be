import { describe, expect, test } from '@jest/globals';
import { BenchArgumentError, benchUsage, readBenchArguments } from './bench-arguments.ts';

const known = [{ name: 'capture' }, { name: 'end-to-end' }, { name: 'memory', onlyByName: true }];
const lengths = { minutes: null, outageSeconds: null, stretch: false, events: null };

describe('the command line of the bench', () => {
  test('without arguments everything runs that needs no name', () => {
    expect(readBenchArguments([], known)).toEqual({
      names: ['capture', 'end-to-end'],
      json: false,
      writeTable: false,
      isHelp: false,
      lengths,
    });
    expect(readBenchArguments(['--json'], known)).toEqual({
      names: ['capture', 'end-to-end'],
      json: true,
      writeTable: false,
      isHelp: false,
      lengths,
    });
  });

  test('named ones alone, in the order of the list', () => {
    expect(readBenchArguments(['memory', '--write-table', 'capture'], known)).toEqual({
      names: ['capture', 'memory'],
      json: false,
      writeTable: true,
      isHelp: false,
      lengths,
    });
  });

  test('lengths go with the measurements that have some', () => {
    expect(readBenchArguments(['end-to-end', '--minutes', '5', '--stretch'], known).lengths).toEqual({
      ...lengths,
      minutes: 5,
      stretch: true,
    });
    expect(readBenchArguments(['--outage-seconds=60'], known).lengths.outageSeconds).toBe(60);
    expect(readBenchArguments(['--events', '10000000'], known).lengths.events).toBe(10_000_000);
    for (const wrong of ['0', '-1', 'x', ''])
      expect(() => readBenchArguments([`--minutes=${wrong}`], known)).toThrow(BenchArgumentError);
  });

  test('help lists the arguments', () => {
    for (const requested of ['--help', '-h']) expect(readBenchArguments([requested], known).isHelp).toBe(true);
    expect(benchUsage(known)).toMatch(/capture, end-to-end, memory.*--json/s);
  });

  test('an unknown argument is an error that lists the arguments', () => {
    for (const wrong of ['--jsn', 'captrue'])
      expect(() => readBenchArguments([wrong, 'capture'], known)).toThrow(BenchArgumentError);
    expect(() => readBenchArguments(['captrue'], known)).toThrow(/captrue.*capture, end-to-end, memory.*--json/s);
  });
});
