/** The first characters (UTF-16) of a text that has more, with a marker behind them. No pair of surrogates is cut in two. Pure. */
export function cut(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const last = text.charCodeAt(lengthMax - 1);
  const end = last >= 0xd800 && last < 0xdc00 ? lengthMax - 1 : lengthMax;
  return `${text.slice(0, end)}…`;
}
