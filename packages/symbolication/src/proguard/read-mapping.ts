/** A line of a mapping; other comments say nothing about stacks. */
type MappingLine =
  | { kind: 'class'; original: string; obfuscated: string }
  | MethodLine
  | { kind: 'field' }
  | { kind: 'source file'; file: string }
  | { kind: 'synthesized' };

/** A method, or one of those that were inlined into it: the innermost has the first line. */
export interface MethodLine {
  kind: 'method';
  obfuscated: string;
  /** Lines of the compiled code; 0 and 0: all of them, as far as others do not name theirs. */
  start: number;
  end: number;
  /** Null for a method of the class at hand. */
  className: string | null;
  name: string;
  /** Types of its arguments, as they stand. */
  types: string;
  /** Lines of the source; undefined where the mapping does not say them. */
  originalStart: number | undefined;
  originalEnd: number | undefined;
}

const arrow = ' -> ';
const compiledLines = /^(\d{1,9}):(\d{1,9}):/;
const originalLines = /^:(\d{1,9})(?::(\d{1,9}))?$/;
const id = /["']?id["']?\s{0,9}:\s{0,9}["']([\w.]{1,100})["']/;
const fileName = /["']?fileName["']?\s{0,9}:\s{0,9}["']([^"']{1,1000})["']/;

/** Reads a line of a mapping of ProGuard or R8, without its end; null for other texts. Pure, linear. */
export function readMappingLine(line: string): MappingLine | null {
  const text = line.trim();
  if (text.startsWith('#')) return readComment(text);
  const at = text.lastIndexOf(arrow);
  if (at === -1) return null;
  const [original, obfuscated] = [text.slice(0, at), text.slice(at + arrow.length)];
  if (!/^\s/.test(line))
    return obfuscated.endsWith(':') ? { kind: 'class', original, obfuscated: obfuscated.slice(0, -1) } : null;
  return readMember(original, obfuscated);
}

/** R8's own information, in JSON. */
function readComment(text: string): MappingLine | null {
  if (!/^#\s{0,9}\{/.test(text)) return null;
  switch (id.exec(text)?.[1]) {
    case 'sourceFile': {
      const file = fileName.exec(text)?.[1];
      return file === undefined ? null : { kind: 'source file', file };
    }
    case 'com.android.tools.r8.synthesized':
      return { kind: 'synthesized' };
    default:
      return null;
  }
}

/** `[start:end:]type [class.]name(types)[:start[:end]]` */
function readMember(original: string, obfuscated: string): MappingLine {
  const open = original.indexOf('(');
  const close = original.indexOf(')', open);
  if (open === -1 || close === -1) return { kind: 'field' };
  const nameStart = original.lastIndexOf(' ', open) + 1;
  const compiled = compiledLines.exec(original);
  const lines = originalLines.exec(original.slice(close + 1));
  const dot = original.lastIndexOf('.', open);
  return {
    kind: 'method',
    obfuscated,
    start: Number(compiled?.[1] ?? 0),
    end: Number(compiled?.[2] ?? 0),
    className: dot < nameStart ? null : original.slice(nameStart, dot),
    name: original.slice(Math.max(dot + 1, nameStart), open),
    types: original.slice(open + 1, close),
    originalStart: lines?.[1] === undefined ? undefined : Number(lines[1]),
    originalEnd: lines?.[2] === undefined ? undefined : Number(lines[2]),
  };
}
