import type { Command } from 'commander';
import { expect, test } from '@jest/globals';
import { createProgram } from './create-program.ts';

function descriptionsIn(command: Command, path = ''): [name: string, description: string][] {
  return command.commands.flatMap((one): [string, string][] => {
    const name = `${path}${one.name()}`;
    return [[name, one.description()], ...descriptionsIn(one, `${name} `)];
  });
}

test('the help says of every command what it does', () => {
  const described = descriptionsIn(createProgram());
  expect(described.length).toBeGreaterThan(35);
  expect(described.filter(([, description]) => description.trim() === '').map(([name]) => name)).toEqual([]);
});
