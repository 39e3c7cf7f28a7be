/** One thing that Millrace is made of, or made and tested with. */
export interface Part {
  kind: 'library' | 'application' | 'platform' | 'container';
  /** Package URL; names the part within the bill. */
  purl: string;
  group?: string;
  name: string;
  version: string;
  /** SPDX id or expression; undefined: not known here. */
  license?: string | undefined;
  /** By algorithm, in hexadecimal; none: nothing pins it. */
  hashes: { sha512?: string; sha256?: string };
  /** `required`: something that runs needs it; `excluded`: only checks and tests do. */
  scope: 'required' | 'excluded';
  /** Whether Millrace itself names it, and not only something that it needs. */
  isDirect: boolean;
  /** Package URLs of what it needs. */
  needs: readonly string[];
  /** Facts that have no field of their own, by name. */
  properties?: Readonly<Record<string, string>>;
}
