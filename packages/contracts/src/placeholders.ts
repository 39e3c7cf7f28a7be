// After the prefix of a key or token, if there is one. Keys and tokens that are made here are random letters and digits: none looks so.
// Node reads headers as Latin-1, in which the three bytes of `…` are three characters.
const blank =
  /^(?:ph[cxr]_)?(?:\.{2,}|(?:…|\u00e2\u0080\u00a6)+|x{3,20}|\*{2,}|<[^>]*>|\[[^\]]*\]|\{[^}]*\}+|%\w+%|\$\{?\w+\}?|(?:your|insert|paste|replace)[\s_-][\w\s-]*)$/i;
const capitals = /^(?:[A-Z]+_)*(?:KEY|TOKEN)$/;

/** Whether a text is what docs write in place of a key or token: `phc_...`, `<your key>`, `$TOKEN`, `YOUR_API_KEY`. Pure. */
export function isPlaceholder(text: string): boolean {
  return blank.test(text) || capitals.test(text);
}
