/** Ids that broken clients send for "nobody", in lower case (contract/capture 2.4: the union of its lists). */
const illegal: ReadonlySet<string> = new Set([
  'anonymous',
  'guest',
  'distinctid',
  'distinct_id',
  'id',
  'not_authenticated',
  'email',
  'undefined',
  'true',
  'false',
  '[object object]',
  'nan',
  'none',
  'null',
  '0',
  'anonymous-user',
  'backend',
  'system',
  'user',
  '00000000-0000-0000-0000-000000000000',
]);

/** The longest of them, in two quotes. Longer ids are not looked at. */
const lengthMax = 38;

/**
 * True for a distinct id that names nobody: as the id of an event it is taken, but it must never join persons. In any
 * case of letters, with blanks around it, in single or double quotes.
 */
export function isIllegalDistinctId(id: string): boolean {
  const trimmed = id.trim();
  if (trimmed === '') return true;
  if (trimmed.length > lengthMax) return false;
  const quoted = /^(?:"(.*)"|'(.*)')$/s.exec(trimmed);
  const bare = quoted === null ? trimmed : (quoted[1] ?? quoted[2] ?? '').trim();
  return bare === '' || illegal.has(bare.toLowerCase());
}
