// Looks whether each rule's source that code and documents name is there: `contract/capture 2.5`, `contract/decisions 26`, `spec 4.5`
// are headings, or items of a list, in docs/contract. And whether each path that they name is one of the repository, and each link of a
// document leads to a file, and to a heading of it.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'docs', 'contract');

/** A reference: its document, and the numbers after it (`2.5, 3.1`, `B9`). Comments may break the line between the two. */
const reference =
  /\b(?:contract\/([a-z-]+)|(spec))(?:\s|\*|\/\/)+((?:[A-Z]\d*|\d+(?:\.\d+)*)(?:(?:,| and| to) (?:[A-Z]\d+|\d+(?:\.\d+)*))*)/g;

/** A path in backticks, or its end: `queries/stream/stream-rows.ts`. */
const path = /`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|mjs|cjs|sql|wat|yml))`/g;

const sections = new Map<string, ReadonlySet<string> | null>();

/** Numbers of the document's headings, and of the items of its lists; null: there is no such document. */
function sectionsOf(document: string): ReadonlySet<string> | null {
  const known = sections.get(document);
  if (known !== undefined) return known;
  const file = join(folder, `${document}.md`);
  const found = existsSync(file)
    ? new Set(
        [...readFileSync(file, 'utf8').matchAll(/^(?:#{2,} )?([A-Z]?\d*(?:\.\d+)*)\.? /gm)].map(
          ([, number = '']) => number,
        ),
      )
    : null;
  sections.set(document, found);
  return found;
}

/** Names under which a document's headings are linked to: small letters, without marks, hyphens for blanks. */
function anchorsOf(document: string): string[] {
  return [...withoutExamples(readFileSync(join(root, document), 'utf8')).matchAll(/^#+ (.*)$/gm)].map(
    ([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
  );
}

/** A document without its blocks of code. */
function withoutExamples(text: string): string {
  return text
    .split('```')
    .filter((_, index) => index % 2 === 0)
    .join('');
}

/** Where the links of a document lead that stay in the repository. */
function linksOf(text: string): string[] {
  const targets = withoutExamples(text)
    .split('](')
    .slice(1)
    .map((behind) => behind.split(')', 1)[0] ?? '');
  return targets.filter((to) => !/^(?:https?:|mailto:)|\s/.test(to));
}

/** Links of a document that lead nowhere. */
function deadLinks(document: string, text: string): string[] {
  return linksOf(text).flatMap((to) => {
    links += 1;
    const [path = '', heading] = to.split('#');
    const target = path === '' ? document : normalize(join(dirname(document), path));
    if (!existsSync(join(root, target))) return [`${document}: the link to ${path} leads nowhere`];
    const isThere = heading === undefined || !target.endsWith('.md') || anchorsOf(target).includes(heading);
    return isThere ? [] : [`${document}: ${target} has no heading #${heading}`];
  });
}

const errors: string[] = [];
let checked = 0;
let paths = 0;
let links = 0;
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\0');
for (const file of files.filter(
  (name) => /\.(ts|mjs|cjs|sql|prisma|md|ya?ml|wat)$/.test(name) && existsSync(join(root, name)),
)) {
  const text = readFileSync(join(root, file), 'utf8');
  if (file.endsWith('.md')) errors.push(...deadLinks(file, text));
  for (const [, name = ''] of file === 'CHANGELOG.md' ? [] : text.matchAll(path)) {
    paths += 1;
    if (!files.some((known) => known === name || known.endsWith(`/${name}`)))
      errors.push(`${file}: there is no ${name}`);
  }
  for (const [, contract, spec, numbers = ''] of text.matchAll(reference)) {
    const document = contract ?? spec ?? '';
    const there = sectionsOf(document);
    for (const number of numbers.split(/, | and | to /)) {
      checked += 1;
      if (there === null)
        errors.push(`${file}: contract/${document} ${number}: docs/contract/${document}.md is not there`);
      else if (!there.has(number)) errors.push(`${file}: docs/contract/${document}.md has no ${number}`);
    }
  }
}
// A pattern that finds nothing would hold everything for good.
if (checked < 300 || paths < 40 || links < 200)
  errors.push(
    `only ${checked} references, ${paths} paths and ${links} links were found: the patterns of this check are wrong`,
  );
for (const error of errors) process.stdout.write(`${error}\n`);
process.exit(errors.length === 0 ? 0 : 1);
