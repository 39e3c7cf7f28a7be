/** Longer names are cut at 250 characters: many functions may point into one long word. */
const identifier = /[\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]{0,249}/uy;
/** Words that stand before the name of a function or method. */
const modifiers = new Set(['async', 'function', 'get', 'set', 'static']);
/** Between them, and the star of a generator. A name that is longer ago than this is not looked for. */
const gap = /[\s*]{1,100}/y;
const symbol = /\[Symbol\.[a-zA-Z]{1,20}\]/y;
const namedFunction =
  /(?:async[ \t]{1,20})?function[\s*]{1,100}([\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]{0,249})/uy;
const quoted = /"([^"\\\n]{1,100})"|'([^'\\\n]{1,100})'/y;

/** The most modifiers that a name has: `static async *`. */
const modifiersMax = 3;

/**
 * Name that is declared at a place of a source: an identifier, a key in quotes, a symbol in brackets. Modifiers before it do not
 * count. Pure.
 */
export function readName(text: string, at: number): string | undefined {
  let found: string | undefined;
  for (let count = 0; count <= modifiersMax; count++) {
    const word = matchAt(identifier, text, at)?.[0] ?? matchAt(symbol, text, at)?.[0] ?? readQuoted(text, at);
    // `get() {}` is a method of this name.
    if (word === undefined) return found;
    if (!modifiers.has(word)) return word;
    found = word;
    at += word.length;
    at += matchAt(gap, text, at)?.[0].length ?? 0;
  }
  return undefined;
}

/** Name behind the word `function` that stands at a place of a source, maybe behind `async`. Pure. */
export const readFunctionName = (text: string, at: number): string | undefined => matchAt(namedFunction, text, at)?.[1];

function readQuoted(text: string, at: number): string | undefined {
  const found = matchAt(quoted, text, at);
  return found?.[1] ?? found?.[2];
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
