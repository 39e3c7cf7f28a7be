const repeatMax = 1_000;
const codeMax = 0x10ffff;

/** Message for the author of a pattern. */
class PatternFault extends Error {
  override name = 'PatternFault';
}

/** Number of capturing groups, named ones included; or why the pattern does not compile, as ClickHouse's RE2 would say. */
type PatternReading = { groups: number; fault?: never } | { fault: string };

/**
 * Reads a regular expression of RE2. Takes time as its length. Whether it is small enough is checked when the query is
 * compiled. Pure.
 */
export function readPattern(pattern: string): PatternReading {
  try {
    return { groups: new PatternReader(pattern).whole() };
  } catch (error) {
    if (error instanceof PatternFault) return { fault: error.message };
    throw error;
  }
}

const posixClasses: ReadonlySet<string> = new Set(
  'alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit'.split(' '),
);
const controls = 'afnrtv';
const textClasses = 'dDsSwW';
const places = 'AbBzC';

/** Groups are counted, not followed into: a pattern may have thousands of brackets. */
class PatternReader {
  private readonly text: string;
  private at = 0;
  private open = 0;
  private captured = 0;
  private readonly names = new Set<string>();
  /** Is there something that an operator can repeat? `repeated`: it already is. */
  private before: 'nothing' | 'atom' | 'repeated' = 'nothing';

  constructor(text: string) {
    this.text = text;
  }

  /** Number of capturing groups. */
  whole(): number {
    while (this.at < this.text.length) this.part();
    if (this.open > 0) throw new PatternFault('a ( is never closed');
    return this.captured;
  }

  private part(): void {
    if (this.repetition()) return;
    const character = this.take();
    if (character === '(') this.group();
    else if (character === ')') this.close();
    else if (character === '|') this.before = 'nothing';
    else {
      if (character === '[') this.oneOf();
      else if (character === '\\') this.escape();
      this.before = 'atom';
    }
  }

  private repetition(): boolean {
    const [sign] = /^(?:[*+?]|\{(?:\d{1,9}(?:,\d{0,9})?)\})/.exec(this.text.slice(this.at, this.at + 24)) ?? [];
    if (sign === undefined) return false;
    this.at += sign.length;
    if (this.before === 'nothing') throw new PatternFault(`${sign} repeats nothing`);
    if (this.before === 'repeated') throw new PatternFault(`${sign} repeats a repetition`);
    const [least = 0, most] = sign.startsWith('{') ? sign.slice(1, -1).split(',').map(Number) : [];
    // `{2,}` has an empty end, which counts as 0.
    if (Math.max(least, most ?? 0) > repeatMax || (most !== undefined && !sign.endsWith(',}') && most < least))
      throw new PatternFault(`${sign} is not a number of times up to ${repeatMax}`);
    if (this.text[this.at] === '?') this.at += 1;
    this.before = 'repeated';
    return true;
  }

  private group(): void {
    if (this.text[this.at] !== '?') {
      this.captured += 1;
    } else {
      const [start = '', name, sign] =
        /^\?(?:P?<(\w{1,100})>|(?:[imsU]+|(?:[imsU]*-[imsU]+))?([:)]))/.exec(this.text.slice(this.at, this.at + 120)) ??
        [];
      if (start === '')
        throw new PatternFault(`(${this.text.slice(this.at, this.at + 3)} begins no group that RE2 knows`);
      this.at += start.length;
      if (name !== undefined) this.name(name);
      // Flags alone are no part that could be repeated.
      if (sign === ')') return;
    }
    this.open += 1;
    this.before = 'nothing';
  }

  private name(name: string): void {
    if (this.names.has(name)) throw new PatternFault(`two groups are named ${name}`);
    this.names.add(name);
    this.captured += 1;
  }

  private close(): void {
    if (this.open === 0) throw new PatternFault('a ) closes nothing');
    this.open -= 1;
    this.before = 'atom';
  }

  private escape(): void {
    const character = this.take();
    if (character === 'Q') {
      const end = this.text.indexOf('\\E', this.at);
      this.at = end === -1 ? this.text.length : end + 2;
    } else if (!places.includes(character)) {
      this.escaped(character);
    }
  }

  // The code of a character; undefined for a class of them.
  private escaped(character: string): number | undefined {
    if (textClasses.includes(character)) return undefined;
    if (character === 'p' || character === 'P') return this.property();
    if (character === 'x') return this.hexadecimal();
    if (/[0-7]/.test(character)) return this.octal(character);
    if (controls.includes(character)) return [7, 12, 10, 13, 9, 11][controls.indexOf(character)];
    if (/[A-Za-z0-9]/.test(character) || character > '\x7f') throw new PatternFault(`\\${character} is not known`);
    return character.charCodeAt(0);
  }

  private property(): undefined {
    const [whole, name = ''] =
      /^(?:\{\^?([A-Za-z_]{1,40})\}|[CLMNPSZ])/.exec(this.text.slice(this.at, this.at + 44)) ?? [];
    if (whole === undefined || (whole.length > 1 && !isProperty(name)))
      throw new PatternFault(`\\p${this.text.slice(this.at, this.at + 20)} is no class of characters`);
    this.at += whole.length;
    return undefined;
  }

  private hexadecimal(): number {
    const [whole, long, short = ''] =
      /^(?:\{([0-9a-f]{1,8})\}|([0-9a-f]{2}))/i.exec(this.text.slice(this.at, this.at + 12)) ?? [];
    const code = Number.parseInt(long ?? short, 16);
    if (whole === undefined || code > codeMax) throw new PatternFault('\\x needs the code of a character');
    this.at += whole.length;
    return code;
  }

  // A single digit would name a group, which RE2 cannot match again.
  private octal(first: string): number {
    const [rest = ''] = /^[0-7]{0,2}/.exec(this.text.slice(this.at, this.at + 2)) ?? [];
    if (first !== '0' && rest === '') throw new PatternFault(`\\${first} is not known`);
    this.at += rest.length;
    return Number.parseInt(first + rest, 8);
  }

  private oneOf(): void {
    if (this.text[this.at] === '^') this.at += 1;
    for (let first = true; first || this.text[this.at] !== ']'; first = false) this.member();
    this.at += 1;
  }

  private member(): void {
    const [named, name = ''] = /^\[:\^?(.{0,20}?):\]/.exec(this.text.slice(this.at, this.at + 26)) ?? [];
    if (named !== undefined) {
      if (!posixClasses.has(name)) throw new PatternFault(`${named} is no class of characters`);
      this.at += named.length;
      return;
    }
    const first = this.memberCode();
    if (first === undefined || this.text[this.at] !== '-' || this.text[this.at + 1] === ']') return;
    this.at += 1;
    const last = this.memberCode();
    if (last === undefined || last < first) throw new PatternFault('a class has a range that ends before it begins');
  }

  private memberCode(): number | undefined {
    if (this.at >= this.text.length) throw new PatternFault('a [ is never closed');
    const character = this.take();
    return character === '\\' ? this.escaped(this.take()) : character.codePointAt(0);
  }

  private take(): string {
    const code = this.text.codePointAt(this.at);
    if (code === undefined) throw new PatternFault('it ends with a backslash');
    const character = String.fromCodePoint(code);
    this.at += character.length;
    return character;
  }
}

/** Is this a category of characters, or a script? */
function isProperty(name: string): boolean {
  if (name === 'Any') return true;
  const written = name.length > 2 ? `Script=${name}` : name;
  try {
    return new RegExp(`\\p{${written}}`, 'u').source !== '';
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
