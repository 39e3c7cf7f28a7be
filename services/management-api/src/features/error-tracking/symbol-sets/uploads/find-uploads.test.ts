import { expect, test } from '@jest/globals';
import { candidates } from './find-uploads.ts';

const upload = (key: string, contentHash: string | null) => ({
  key,
  contentHash,
  symbolSetId: 's',
  startedAt: new Date(0),
  replacedAt: null,
});
const set = (storageKey: string | null, contentHash: string | null, ...uploads: ReturnType<typeof upload>[]) => ({
  storageKey,
  contentHash,
  uploads,
});

test.each<[string, ReturnType<typeof set>, string[]]>([
  ['one upload', set(null, null, upload('u1', 'h')), ['u1']],
  ['two of the same content, the newer first', set(null, null, upload('u2', 'h'), upload('u1', 'h')), ['u2', 'u1']],
  ['never that of other content', set(null, null, upload('u2', 'h2'), upload('u1', 'h')), ['u1']],
  ['finished already', set('file', 'h'), ['file']],
  ['finished already, while other content is uploaded', set('file', 'h', upload('u1', 'h2')), ['file']],
  // Also one that was begun before, and cut off or made again: a finish that is made again keeps its file.
  ['finished, and begun by another build', set('file', 'h', upload('u1', 'h')), ['file', 'u1']],
  ['another build has other content in place', set('file', 'h2', upload('u1', 'h')), ['u1']],
  ['begun without a hash', set('file', null, upload('u2', null), upload('u1', 'h2')), ['u2']],
  ['begun with another hash, as nobody else did', set(null, null, upload('u1', 'h2')), ['u1']],
  ['nothing that could be it', set('file', null, upload('u1', 'h2')), []],
  ['no upload at all', set('file', 'h2'), []],
  ['neither upload nor file', set(null, null), []],
])('%s', (_name, given, keys) => expect(candidates(given, 'h')).toEqual(keys));
