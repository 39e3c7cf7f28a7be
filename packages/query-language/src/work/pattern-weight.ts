/** How hard a regular expression can be for the engine, which knows RE2's. */
export interface PatternWeight {
  /** About as many steps as RE2 makes of it: its length, with what is repeated counted as often. */
  steps: number;
  /**
   * Finding all matches reads each place of the text a few times at most. Not told of patterns in which something without an end stands in a
   * choice, or in a group that is repeated or may be missing: a short match can be looked for through all of the rest, at every place.
   */
  even: boolean;
}

interface Part {
  steps: number;
  /** Something in it repeats without an end. */
  open: boolean;
  even: boolean;
}

/** Weighs a pattern, well formed or not. Takes time as its length. */
export function weighPattern(pattern: string): PatternWeight {
  const reader = new PatternReader(pattern);
  let whole = reader.choice();
  // A bracket too many: the engine refuses it.
  while (reader.left()) whole = joined(whole, reader.skip());
  return { steps: whole.steps, even: whole.even };
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
      const other = this.sequence();
      const open = all.open || other.open;
      all = { steps: all.steps + other.steps + 1, open, even: !open };
    }
    return all;
  }

  private sequence(): Part {
    let all: Part = { steps: 0, open: false, even: true };
    while (this.left() && this.text[this.at] !== '|' && this.text[this.at] !== ')') all = joined(all, this.repeated());
    return all;
  }

  private repeated(): Part {
    const isGroup = this.text[this.at] === '(';
    let part = this.atom();
    for (let times = this.times(); times; times = this.times()) {
      const once = times.least === 1 && times.most === 1;
      const open = part.open || times.most === Infinity;
      // One character over and over is read as one; a group is not.
      const even = times.most === Infinity ? !isGroup && !part.open : part.even && (once || !part.open);
      part = { steps: part.steps * Math.max(1, times.most === Infinity ? times.least + 1 : times.most) + 1, open, even };
    }
    return part;
  }

  private times(): { least: number; most: number } | undefined {
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
    return { steps: 1, open: false, even: true };
  }

  // Brackets in it are letters: taken for what they are elsewhere, they would hide what comes after.
  private quoted(): Part {
    const start = this.at;
    const end = this.text.indexOf('\\E', start + 2);
    this.at = end === -1 ? this.text.length : end + 2;
    return { steps: this.at - start, open: false, even: true };
  }

  private group(): Part {
    this.at += 1;
    this.depth += 1;
    if (this.depth > depthMax) {
      this.at = this.text.length;
      return { steps: Infinity, open: true, even: false };
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
    return { steps: 1 + Math.ceil((this.at - start) / 8), open: false, even: true };
  }
}

function joined(one: Part, other: Part): Part {
  return { steps: one.steps + other.steps, open: one.open || other.open, even: one.even && other.even };
}
