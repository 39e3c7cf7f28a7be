import { gzipSync, zstdCompressSync } from 'node:zlib';
import { containerOf, scriptAndMap } from '../containers.ts';
import { mapText } from '../map-texts.ts';

/** Files that were made to take time or memory. Each returns the container; all are below the 100 MiB of an upload. */
export const symbolInputs: Readonly<Record<string, () => Buffer>> = {
  'a bomb in zstd': () => bomb(zstdCompressSync(Buffer.alloc(2 ** 26))),
  'a bomb in gzip': () => bomb(gzipSync(Buffer.alloc(2 ** 24))),
  'a number of 50 million digits': () => flat('f()', { sources: ['a'], mappings: 'g'.repeat(50_000_000) }),
  'columns that grow beyond all bounds': () => flat('f()', { mappings: `${'+/////D,'.repeat(100_000)}A` }),
  '10 million segments in one place': () =>
    flat('function a(){}', { sources: ['a'], mappings: 'AAAA,'.repeat(9_999_999) }),
  'a million segments from right to left': () =>
    flat('f()', { sources: ['a'], mappings: `+/////B${',DAAA'.repeat(1_000_000)}` }),
  '10 million lines': () => flat('\n'.repeat(9_999_999), { mappings: ';'.repeat(9_999_999) }),
  'sections in sections, 100,000 deep': () =>
    plain('f()', `${'{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":'.repeat(100_000)}0`),
  '40,000 sections': () =>
    plain('f()', JSON.stringify({ version: 3, sections: Array.from({ length: 40_000 }, section) })),
  'names of files that are addresses': () =>
    flat('f()', {
      sourceRoot: 'file:///',
      sources: ['../../../etc/passwd', 'file:///etc/passwd', 'http://169.254.169.254/latest/meta-data/', '/etc/passwd'],
      mappings: 'AAAA',
    }),
  'brackets, a million deep': () => flat('('.repeat(1_000_000), {}),
  'functions in functions, 300,000 deep': () => flat('a=>'.repeat(300_000), {}),
  'more functions than are read': () => flat('()=>0;'.repeat(500_001), {}),
  '100,000 functions whose names lie in one long word': () => {
    const functions = 100_000;
    const mappings = Array.from({ length: functions }, (_, index) => (index === 0 ? 'AAAA' : 'OAAC')).join(',');
    return flat('x=a=>a;'.repeat(functions), { sources: ['a'], sourcesContent: ['x'.repeat(300_000)], mappings });
  },
  'a Hermes map of two million functions': () => {
    const functionMap = { names: ['f'], mappings: 'AAC'.concat(',AAC'.repeat(1_999_999)) };
    const text = mapText({ sources: ['a'], mappings: 'AAAA', x_facebook_sources: [[functionMap]] });
    return containerOf(Buffer.from(text), { type: 3 });
  },
  '500,000 methods of one name': () =>
    containerOf(Buffer.from(`A -> a:\n${'  1:1:void f():1 -> b\n'.repeat(500_000)}`), { type: 4 }),
  '200,000 classes': () =>
    containerOf(
      Buffer.from(Array.from({ length: 200_000 }, (_, index) => `com.shop.Class${index} -> a${index}:\n`).join('')),
      { type: 4 },
    ),
  'a mapping of one line': () => containerOf(Buffer.from(`  ${'(.): -> '.repeat(12_000_000)}`), { type: 4 }),
  'a comment of one line': () => containerOf(Buffer.from(`# {${'"id":'.repeat(16_000_000)}`), { type: 4 }),
};

/** Payload of type 2 that decompresses to a gigabyte. */
const bomb = (part: Buffer): Buffer =>
  Buffer.concat([containerOf(Buffer.alloc(0)).subarray(0, 31), ...Array.from({ length: 16 }, () => part)]);

const plain = (script: string, map: string): Buffer => containerOf(scriptAndMap(script, map), { compression: 0 });
const flat = (script: string, members: Readonly<Record<string, unknown>>): Buffer => plain(script, mapText(members));
const section = (_: unknown, line: number) => ({
  offset: { line, column: 0 },
  map: { version: 3, sources: ['a'], names: [], mappings: 'AAAA' },
});
