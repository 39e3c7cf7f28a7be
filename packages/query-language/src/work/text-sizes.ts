import { sum, textOf, type Estimate } from './estimate.ts';
import { allMade, at, count, word, type Size } from './size.ts';
import { costOf, spend } from '../budget.ts';
import type { ResolvedCall } from '../resolved.ts';

const joined: Size = (args) =>
  textOf(
    sum(args, (arg) => arg.bytes),
    allMade(args),
  );
const padded: Size = ([text = word, length = word, ...pad]) =>
  textOf(Math.max(text.bytes, count(length)), allMade([text, length, ...pad]));

// As many values as a format can name.
function bracesOf({ text, bytes }: Estimate, expr: ResolvedCall): number {
  if (text === undefined) return bytes / 2;
  spend(text.length * costOf.letter, expr);
  let count = 1;
  for (let place = text.indexOf('{'); place !== -1; place = text.indexOf('{', place + 1)) count += 1;
  return count;
}

function replaced([text = word, from = word, to = word]: readonly Estimate[]): Estimate {
  if (!allMade([text, from, to])) return textOf(text.bytes + to.bytes, false);
  return textOf(text.bytes * Math.max(1, to.bytes / Math.max(1, from.text === undefined ? 1 : from.bytes)), true);
}

// A match goes into the replacement as often as this names it, or a part of it; all matches together are no longer than the text.
const rematched =
  (matches: (text: Estimate) => number): Size =>
  ([text = word, from = word, to = word], expr) => {
    if (!allMade([text, from, to])) return textOf(text.bytes * (1 + references(to, expr)) + to.bytes, false);
    return textOf(text.bytes * (1 + references(to, expr)) + matches(text) * to.bytes, true);
  };

function references({ text, bytes }: Estimate, expr: ResolvedCall): number {
  if (text === undefined) return bytes / 2;
  spend(text.length * costOf.letter, expr);
  let count = 0;
  for (let place = text.indexOf('\\'); place !== -1; place = text.indexOf('\\', place + 2)) count += 1;
  return count;
}

const grown =
  (factor: number, more = 0): Size =>
  (args) =>
    textOf(sum(args, (arg) => arg.bytes) * factor + more, allMade(args));
const short =
  (bytes: number): Size =>
  (args) =>
    textOf(bytes, allMade(args));

/** The functions whose result is a text that may be longer or shorter than their arguments. */
export const textSizes: Readonly<Record<string, Size>> = {
  repeat: ([text = word, times = word]) =>
    textOf(Math.min(text.bytes * count(times, text.bytes), 1e12), text.made && times.made),
  space: ([length = word]) => textOf(count(length), length.made),
  leftPad: padded,
  rightPad: padded,
  concat: joined,
  concatWithSeparator: (args) =>
    textOf(
      sum(args, (arg) => arg.bytes + at(args, 0).bytes),
      allMade(args),
    ),
  format: (args, expr) =>
    textOf(
      at(args, 0).bytes + bracesOf(at(args, 0), expr) * Math.max(...args.slice(1).map((arg) => arg.bytes), 0),
      allMade(args),
    ),
  replaceAll: replaced,
  replaceRegexpAll: rematched((text) => text.bytes + 1),
  replaceRegexpOne: rematched(() => 1),
  toJSONString: (args) => textOf(at(args, 0).bytes * 6, allMade(args)),
  toString: (args: readonly Estimate[]) =>
    textOf(at(args, 0).bytes * (at(args, 0).item || at(args, 0).members ? 3 : 1) + 30, allMade(args)),
  hex: grown(2, 16),
  base64Encode: grown(4 / 3, 4),
  ...Object.fromEntries(['lowerUTF8', 'upperUTF8', 'initcapUTF8', 'toValidUTF8'].map((name) => [name, grown(3)])),
  translateUTF8: grown(4),
  bar: short(3_000),
  ...Object.fromEntries(
    [
      'MD5',
      'SHA1',
      'SHA256',
      'SHA512',
      'formatReadableSize',
      'formatReadableDecimalSize',
      'formatReadableQuantity',
      'IPv4NumToString',
      'monthName',
      'dateName',
      'soundex',
    ].map((name) => [name, short(64)]),
  ),
  formatReadableTimeDelta: short(200),
  encodeURLComponent: (args) => textOf(at(args, 0).bytes * 3, allMade(args)),
  encodeURLFormComponent: (args) => textOf(at(args, 0).bytes * 3, allMade(args)),
  formatDateTime: (args) => textOf(at(args, 1).bytes * 5, allMade(args)),
  arrayStringConcat: (args) => textOf(at(args, 0).bytes + at(args, 0).items * (at(args, 1).bytes + 20), allMade(args)),
  substring: ([text = word, from = word, length]) =>
    textOf(Math.min(text.bytes, length?.most ?? Infinity), text.made && from.made),
  substringUTF8: ([text = word, from = word, length]) =>
    textOf(Math.min(text.bytes, (length?.most ?? Infinity) * 4), text.made && from.made),
  left: ([text = word, length = word]) => textOf(Math.min(text.bytes, length.most ?? Infinity), text.made),
  ...Object.fromEntries(
    ['leftUTF8', 'rightUTF8'].map((name) => [
      name,
      ([text = word, length = word]) => textOf(Math.min(text.bytes, (length.most ?? Infinity) * 4), text.made),
    ]),
  ),
  right: ([text = word, length = word]) => textOf(Math.min(text.bytes, length.most ?? Infinity), text.made),
};
