import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { typescriptModule, type TypedEvent } from './typescript-module.ts';

// The promise to programmers: the module compiles, whatever names strangers have sent, and is the same for the same names (contract/clients B11).

/** Members of `EventSchemas` as the compiler of TypeScript reads them: the name of each event, with those of its properties and their types. */
function schemasOf(content: string): Record<string, unknown> {
  const file = ts.createSourceFile('module.ts', content, ts.ScriptTarget.Latest, true);
  const { diagnostics } = ts.transpileModule(content, { reportDiagnostics: true });
  expect(diagnostics?.map(({ messageText }) => messageText)).toEqual([]);
  const schemas = file.statements.filter(ts.isInterfaceDeclaration).find(({ name }) => name.text === 'EventSchemas');
  return Object.fromEntries((schemas?.members ?? []).map(read));
}

function read(member: ts.TypeElement): [name: string, type: unknown] {
  if (!ts.isPropertySignature(member) || !ts.isStringLiteral(member.name)) throw new Error(member.getText());
  const { type } = member;
  if (type !== undefined && ts.isTypeLiteralNode(type)) return [member.name.text, type.members.map(read)];
  return [member.name.text, type?.getText()];
}

const events: TypedEvent[] = [
  { name: 'signed_up', properties: [] },
  {
    name: 'bought',
    properties: [
      { name: 'price', type: 'Numeric' },
      { name: 'at', type: 'DateTime' },
      { name: 'is_gift', type: 'Boolean' },
      { name: 'items', type: 'List' },
      { name: 'plan', type: 'String' },
      { name: 'odd', type: null },
    ],
  },
];

describe('the module', () => {
  test('has each event with its properties by name, and their types', () => {
    expect(schemasOf(typescriptModule(events).content)).toEqual({
      bought: [
        ['at', 'string | Date'],
        ['is_gift', 'boolean'],
        ['items', 'unknown[]'],
        ['odd', 'unknown'],
        ['plan', 'string'],
        ['price', 'number'],
      ],
      signed_up: 'Record<string, unknown>',
    });
  });

  test.each([
    "it's",
    '"; } process.exit(1); interface X { "',
    '*/ alert(1) /*',
    '// not a comment',
    'new\nline\r\u2028\u2029\u0085',
    '`${1}`',
    String.raw`back\slash\u0041`,
    '</script>',
    '🦀 \ud800',
    '',
    '__proto__x',
    'constructor',
  ])('a name is nothing but a name: %j', (name) => {
    const { content } = typescriptModule([{ name, properties: [{ name, type: 'String' }] }]);
    expect(schemasOf(content)).toEqual({ [name]: [[name, 'string']] });
    expect(content.split('\n')).toHaveLength(
      typescriptModule([{ name: 'a', properties: [{ name: 'a', type: 'String' }] }]).content.split('\n').length,
    );
  });

  test('is the same whatever the order of the names, and has another hash when a type is another', () => {
    const hash = (list: TypedEvent[]): string => typescriptModule(list).schemaHash;
    expect(typescriptModule(events.toReversed())).toEqual(typescriptModule(events));
    expect(hash([{ name: 'a', properties: [{ name: 'b', type: 'String' }] }])).not.toBe(
      hash([{ name: 'a', properties: [{ name: 'b', type: 'Numeric' }] }]),
    );
  });
});
