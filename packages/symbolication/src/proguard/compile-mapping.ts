import { createFile } from '../index/column-file.ts';
import { writeStrings } from '../index/write-index.ts';
import { lengthsMax } from '../lengths.ts';
import { none } from '../source-map/segments.ts';
import { SymbolDataError } from '../symbol-data-error.ts';
import { cut } from '../text/cut.ts';
import { type MappingFile, mappingFormat } from './mapping-format.ts';
import { type MappedMethod, MethodNames } from './method-names.ts';
import { type MethodLine, readMappingLine } from './read-mapping.ts';

/** Lines of a mapping: that of a large app has some 600,000. */
const linesMax = 2_000_000;

/** A class as it was read; names are places in the list of strings. */
interface ReadClass {
  obfuscated: number;
  original: number;
  methods: ReadMethod[];
}

interface ReadMethod extends MappedMethod {
  originalStart: number;
  originalEnd: number;
  isSynthesized: boolean;
}

/**
 * Compiles the text of a mapping of ProGuard or R8 into a file that `openMapping` reads without parsing. Pure.
 * @throws {SymbolDataError} for a text that names no class, or has too many lines
 */
export function compileMapping(text: string): Buffer {
  const reader = new MappingReader();
  let lines = 0;
  for (let at = 0; at < text.length; lines++) {
    if (lines >= linesMax) throw new SymbolDataError('mapping', `more than ${linesMax} lines`);
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next;
    reader.add(text.slice(at, end));
    at = end + 1;
  }
  reader.endClass();
  if (reader.classes.length === 0) throw new SymbolDataError('mapping', 'it names no class');
  return write(reader);
}

/** Takes the lines of a mapping in, one after another. */
class MappingReader {
  readonly classes: ReadClass[] = [];
  /** Files by the original names of their classes. */
  readonly files = new Map<number, number>();
  readonly #strings = new Map<string, number>();
  /** Signature of each method of the class at hand, and those that the compiler made. */
  #signatures: string[] = [];
  #synthesized = new Set<string>();
  /** The method that the next comment belongs to. */
  #method: string | undefined;

  get strings(): string[] {
    return [...this.#strings.keys()];
  }

  add(text: string): void {
    const line = readMappingLine(text);
    if (line === null) return;
    if (line.kind === 'class') {
      this.endClass();
      this.classes.push({
        obfuscated: this.#intern(line.obfuscated),
        original: this.#intern(line.original),
        methods: [],
      });
      return;
    }
    const current = this.classes.at(-1);
    if (current === undefined) return;
    if (line.kind === 'method') this.#addMethod(current, line);
    else if (line.kind === 'source file') this.files.set(current.original, this.#intern(line.file));
    else if (line.kind === 'field') this.#method = undefined;
    else if (this.#method !== undefined) this.#synthesized.add(this.#method);
  }

  /** A method is the compiler's wherever it stands in its class, however often the mapping says so. */
  endClass(): void {
    const methods = this.#synthesized.size === 0 ? [] : (this.classes.at(-1)?.methods ?? []);
    for (const [index, method] of methods.entries())
      method.isSynthesized = this.#synthesized.has(this.#signatures[index] as string);
    this.#signatures = [];
    this.#synthesized = new Set();
    this.#method = undefined;
  }

  #addMethod(current: ReadClass, line: MethodLine): void {
    const { className, name, types, start, end, originalStart = none, originalEnd = none } = line;
    this.#method = `${className ?? ''}.${name}(${types})`;
    this.#signatures.push(this.#method);
    current.methods.push({
      obfuscated: this.#intern(line.obfuscated),
      start,
      end,
      className: className === null ? current.original : this.#intern(className),
      name: this.#intern(name),
      originalStart,
      originalEnd,
      isSynthesized: false,
    });
  }

  /** Names of frames are cut alike, so that they are found all the same. */
  #intern(text: string): number {
    const string = cut(text, lengthsMax.name);
    const index = this.#strings.get(string) ?? this.#strings.size;
    this.#strings.set(string, index);
    return index;
  }
}

function write({ strings, classes, files }: MappingReader): Buffer {
  const order = strings.map((_, index) => index).sort((one, other) => compare(strings[one], strings[other]));
  const places = new Uint32Array(strings.length);
  for (const [place, index] of order.entries()) places[index] = place;
  const texts = order.map((index) => strings[index] as string);
  const placeOf = (index: number): number => places[index] as number;
  classes.sort((one, other) => placeOf(one.obfuscated) - placeOf(other.obfuscated));
  const names = new MethodNames();
  const classStarts = classes.map(({ methods }) => {
    methods.sort((one, other) => placeOf(one.obfuscated) - placeOf(other.obfuscated));
    const start = names.obfuscatedMethod.length;
    names.addClass(methods);
    return start;
  });
  const { bytes, columns, areas } = createFile(mappingFormat, {
    strings: strings.length,
    classes: classes.length,
    names: names.obfuscatedMethod.length,
    methods: names.methodStarts.at(-1) as number,
    spans: names.spanMethod.length,
    stringBytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  });
  writeStrings(columns.stringEnds, areas.strings, texts);
  columns.obfuscatedClass.set(classes.map(({ obfuscated }) => placeOf(obfuscated)));
  columns.originalClass.set(classes.map(({ original }) => placeOf(original)));
  columns.classStarts.set([...classStarts, names.obfuscatedMethod.length]);
  columns.obfuscatedMethod.set(names.obfuscatedMethod.map(placeOf));
  for (const name of nameColumns) columns[name].set(names[name]);
  writeMethods(columns, { classes, files, placeOf });
  return bytes;
}

/** Columns that stand in the file as they were made. */
const nameColumns = [
  'methodStarts',
  'otherMethod',
  'hasOtherLines',
  'spanStarts',
  'spanFirstLine',
  'spanMethod',
] as const;

interface Written extends Pick<MappingReader, 'classes' | 'files'> {
  /** Place of a string in the file. */
  placeOf: (index: number) => number;
}

function writeMethods(columns: MappingFile['columns'], { classes, files, placeOf }: Written): void {
  let at = 0;
  for (const { methods } of classes)
    for (const method of methods) {
      const file = files.get(method.className);
      columns.start[at] = method.start;
      columns.end[at] = method.end;
      columns.className[at] = placeOf(method.className);
      columns.name[at] = placeOf(method.name);
      columns.file[at] = file === undefined ? none : placeOf(file);
      columns.originalStart[at] = method.originalStart;
      columns.originalEnd[at] = method.originalEnd;
      columns.isSynthesized[at++] = Number(method.isSynthesized);
    }
}

/** The order of `<`, in which names are looked up. */
const compare = (one = '', other = ''): number => (one < other ? -1 : Number(one > other));
