/** How hard a regular expression can be for the engine, which knows RE2's. */
export interface PatternWeight {
  /** About as many steps as RE2 makes of it: its length, with what is repeated counted as often. */
  steps: number;
  /**
   * Finding all matches reads each place of the text a few times at most. False for patterns in which a short match can
   * be found while a longer one is looked for through all of the rest, at every place: something without an end, after
   * which more must match, in a choice, in a group that is repeated or that may be missing.
   */
  even: boolean;
}

/** When the matches of a part are found in a few readings: always, if nothing after it must match, or never. */
type Even = 'always' | 'last' | 'never';

interface Part {
  steps: number;
  /** Something in it repeats without an end. */
  open: boolean;
  /** Behind such a thing more of it must match. */
  pending: boolean;
  /** No character at all matches it too. */
  empty: boolean;
  even: Even;
}

const nothing: Part = { steps: 0, open: false, pending: false, empty: true, even: 'always' };
const letter: Part = { ...nothing, steps: 1, empty: false };

/** Weighs a pattern, well formed or not. Takes time as its length. */
export function weighPattern(pattern: string): PatternWeight {
  const reader = new PatternReader(pattern);
  let whole = reader.choice();
  // A bracket too many: the engine refuses it.
  while (reader.left()) whole = joined(whole, reader.skip());
  return { steps: whole.steps, even: whole.even !== 'never' };
}

const depthMax = 100;

class PatternReader {
  private readonly text: string;
  private at = 0;
  private depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  left(): boolean {
    return this.at < this.text.length;
  }

  skip(): Part {
    this.at += 1;
    return this.choice();
  }

  choice(): Part {
    let all = this.sequence();
    while (this.text[this.at] === '|') {
      this.at += 1;
      all = either(all, this.sequence());
    }
    return all;
  }

  private sequence(): Part {
    let all = nothing;
    while (this.left() && this.text[this.at] !== '|' && this.text[this.at] !== ')') all = joined(all, this.repeated());
    return all;
  }

  private repeated(): Part {
    const isGroup = this.text[this.at] === '(';
    let part = this.atom();
    for (let times = this.times(); times; times = this.times()) part = repeated(part, times, isGroup);
    return part;
  }

  private times(): Times | undefined {
    const sign = this.text[this.at];
    const counted = sign === '{' ? /^\{(\d{1,9})(,?)(\d{0,9})\}/.exec(this.text.slice(this.at, this.at + 24)) : null;
    if (sign !== '*' && sign !== '+' && sign !== '?' && !counted) return undefined;
    this.at += counted?.[0].length ?? 1;
    if (!counted && this.text[this.at] === '?') this.at += 1;
    if (!counted) return { least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity };
    const [, least = '0', comma, most = ''] = counted;
    return { least: Number(least), most: comma === '' ? Number(least) : most === '' ? Infinity : Number(most) };
  }

  private atom(): Part {
    const character = this.text[this.at];
    if (character === '(') return this.group();
    if (character === '[') return this.oneOf();
    if (character === '\\' && this.text[this.at + 1] === 'Q') return this.quoted();
    this.at += character === '\\' ? 2 : 1;
    return letter;
  }

  // Brackets in it are letters: taken for what they are elsewhere, they would hide what comes after.
  private quoted(): Part {
    const start = this.at;
    const end = this.text.indexOf('\\E', start + 2);
    this.at = end === -1 ? this.text.length : end + 2;
    return { ...letter, steps: this.at - start };
  }

  private group(): Part {
    this.at += 1;
    this.depth += 1;
    if (this.depth > depthMax) {
      this.at = this.text.length;
      return { ...letter, steps: Infinity, open: true, even: 'never' };
    }
    const inside = this.choice();
    this.depth -= 1;
    this.at += 1;
    return { ...inside, steps: inside.steps + 2 };
  }

  // Letters of other scripts make several steps each.
  private oneOf(): Part {
    const start = this.at;
    this.at += 1;
    if (this.text[this.at] === '^') this.at += 1;
    if (this.text[this.at] === ']') this.at += 1;
    while (this.left() && this.text[this.at] !== ']') this.at += this.text[this.at] === '\\' ? 2 : 1;
    this.at += 1;
    return { ...letter, steps: 1 + Math.ceil((this.at - start) / 8) };
  }
}

function joined(one: Part, other: Part): Part {
  return {
    steps: one.steps + other.steps,
    open: one.open || other.open,
    pending: one.pending || other.pending || (one.open && !other.empty),
    empty: one.empty && other.empty,
    even: worst(one.even === 'last' && !other.empty ? 'never' : one.even, other.even),
  };
}

function either(one: Part, other: Part): Part {
  const open = one.open || other.open;
  const pending = one.pending || other.pending;
  return {
    steps: one.steps + other.steps + 1,
    open,
    pending,
    empty: one.empty || other.empty,
    even: pending ? 'never' : worst(one.even, other.even),
  };
}

interface Times {
  least: number;
  most: number;
}

function repeated(part: Part, { least, most }: Times, isGroup: boolean): Part {
  const open = part.open || most === Infinity;
  const again = most > 1 && part.open && !part.empty;
  const pending = part.pending || (least > 1 && again);
  return {
    steps: part.steps * Math.max(1, most === Infinity ? least + 1 : most) + 1,
    open,
    pending,
    empty: part.empty || least === 0,
    even: worst(part.even, evenOfRepeated()),
  };

  function evenOfRepeated(): Even {
    if (!open || (least === 1 && most === 1)) return 'always';
    if (pending || (again && part.even !== 'always')) return 'never';
    // One character over and over may end after each; a group ends at its end alone, and what is behind it is looked for there.
    return most === 1 || (!isGroup && !part.open) ? 'always' : 'last';
  }
}

function worst(one: Even, other: Even): Even {
  if (one === 'never' || other === 'never') return 'never';
  return one === 'last' ? one : other;
}
