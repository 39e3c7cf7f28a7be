import { tokenize, type Token } from '../parse/lexer.ts';
import { SpanError } from '../query-error.ts';
import { indexOf, wholeLists, type LearnedNames } from './learned-names.ts';
import { logicalTables } from './logical-schema.ts';
import type { PropertyOwnerPath } from './project-schema.ts';

/**
 * The names that a statement can be about: those that its text or a value of its run has, at whatever depth; all properties of a table
 * that it describes. With them it compiles as with all names, but for suggestions, which `withSuggestions` adds. To be sent to another
 * thread: a project may have 80,000 names. Pure.
 */
export function mentionedNames(names: LearnedNames, text: string, values: readonly unknown[]): LearnedNames {
  const tokens = tokensOf(text);
  const mentioned = mentionsOf(tokens, values);
  const described = describedOwners(tokens);
  const { events, properties } = indexOf(names);
  const lists = [...properties].map(([owner, byName]) => [
    owner,
    described.has(owner as PropertyOwnerPath) ? [...byName.values()] : found(mentioned, (name) => byName.get(name)),
  ]);
  return {
    events: found(mentioned, (name) => (events.has(name) ? name : undefined)),
    properties: Object.fromEntries(lists) as LearnedNames['properties'],
    isComplete: names.isComplete,
    whole: wholeLists(names),
  };
}

// A text that cannot be cut into tokens is refused before any name is read.
function tokensOf(text: string): readonly Token[] {
  try {
    return tokenize(text);
  } catch (error) {
    if (error instanceof SpanError) return [];
    throw error;
  }
}

function mentionsOf(tokens: readonly Token[], values: readonly unknown[]): ReadonlySet<string> {
  const mentioned = new Set<string>();
  for (const { kind, text } of tokens) {
    mentioned.add(text);
    if (kind === 'number') for (const sign of ['', '-']) mentioned.add(sign + String(Number(text)));
  }
  const left: unknown[] = [...values];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'object' && value !== null) {
      for (const member of Object.values(value)) left.push(member);
      for (const word of wordsOf(value)) mentioned.add(word);
    } else mentioned.add(String(value));
  }
  return mentioned;
}

// A filter of type hogql is an expression.
function wordsOf(value: object): Iterable<string> {
  if (!('type' in value) || value.type !== 'hogql' || !('key' in value) || typeof value.key !== 'string') return [];
  return mentionsOf(tokensOf(value.key), []);
}

function describedOwners([first, ...tokens]: readonly Token[]): ReadonlySet<PropertyOwnerPath> {
  const owners = new Set<PropertyOwnerPath>();
  if (first?.kind !== 'word' || !/^desc(?:ribe)?$/i.test(first.text)) return owners;
  for (const { text } of tokens) {
    const properties = logicalTables.get(text)?.fields['properties'];
    if (properties?.kind === 'properties' && properties.owner !== undefined) owners.add(properties.owner);
  }
  return owners;
}

function found<One>(mentioned: ReadonlySet<string>, find: (name: string) => One | undefined): One[] {
  return [...mentioned].flatMap((name) => find(name) ?? []);
}
