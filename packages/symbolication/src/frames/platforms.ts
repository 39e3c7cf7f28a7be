/** How frames of a platform are resolved. */
interface Platform {
  /** The language that frames name. */
  lang: string;
  /** `always` and `with chunk id`: by a source map; `never`: as they came. */
  byMap: 'always' | 'with chunk id' | 'never';
  /** The code comes from a web page, so that whoever visits it can send frames. */
  isWeb?: true;
}

const web: Platform = { lang: 'javascript', byMap: 'always', isWeb: true };

/** Platforms of frames (contract/orgs-errors 5.1). */
const platforms = new Map<string, Platform>([
  ['web:javascript', web],
  ['javascript', web],
  ['node:javascript', { lang: 'javascript', byMap: 'with chunk id' }],
  ['hermes', { lang: 'javascript', byMap: 'never' }],
  ['rust', { lang: 'rust', byMap: 'never' }],
]);

/** What is known about a platform. One that is not listed passes through, with its own name as the language. */
export const platformOf = (name: string): Platform => platforms.get(name) ?? { lang: name, byMap: 'never' };
