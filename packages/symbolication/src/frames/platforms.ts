/** Symbols that frames of a platform are resolved by; `none`: as they came. */
type SymbolsOfFrames = 'source map' | 'source map by chunk id' | 'Hermes map' | 'ProGuard mapping' | 'none';

/** How frames of a platform are resolved. */
interface Platform {
  /** The language that frames name. */
  lang: string;
  symbols: SymbolsOfFrames;
  /** The code comes from a web page, so that whoever visits it can send frames. */
  isWeb?: true;
}

const web: Platform = { lang: 'javascript', symbols: 'source map', isWeb: true };

/** Platforms of frames (contract/orgs-errors 5.1). */
const platforms = new Map<string, Platform>([
  ['web:javascript', web],
  ['javascript', web],
  ['node:javascript', { lang: 'javascript', symbols: 'source map by chunk id' }],
  ['hermes', { lang: 'javascript', symbols: 'Hermes map' }],
  ['java', { lang: 'java', symbols: 'ProGuard mapping' }],
]);

/** Knowledge about a platform. One that is not listed passes through, with its own name as the language. */
export const platformOf = (name: string): Platform => platforms.get(name) ?? { lang: name, symbols: 'none' };
