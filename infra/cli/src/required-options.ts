import type { Command, Option } from 'commander';

/**
 * Marks required options in the help of all commands. An error then names all missing options, where commander names only the first.
 * Call it after all commands have been added.
 */
export function requireAllOptions(program: Command): void {
  const required = new Map<Command, readonly Option[]>();
  for (const command of withSubcommands(program)) {
    const options = command.options.filter(({ mandatory }) => mandatory);
    required.set(command, options);
    for (const option of options) {
      option.mandatory = false;
      option.description += ' (required)';
    }
  }
  program.hook('preAction', (_, command) => {
    const missing = (required.get(command) ?? []).filter(
      (option) => command.getOptionValue(option.attributeName()) === undefined,
    );
    if (missing.length === 0) return;
    const lines = missing.map(({ flags, description }) => `  ${flags}  ${description.replace(/ \(required\)$/, '')}`);
    command.error(`error: ${pathOf(command)} needs also:\n${lines.join('\n')}`);
  });
}

const withSubcommands = (command: Command): Command[] => [command, ...command.commands.flatMap(withSubcommands)];

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
