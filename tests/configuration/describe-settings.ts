import { captureSettings } from '@millrace/capture/config';
import { cliSettings } from '@millrace/cli/config';
import { consumerSettings } from '@millrace/consumer/config';
import { launcherSettings } from '@millrace/local/config';
import { settings as managementApiSettings } from '@millrace/management-api/config';
import { listSettings, type Setting, type Settings } from '@millrace/runtime/config.ts';
import { testSettings } from '@millrace/testkit/config.ts';

/** A program, and where it declares the variables that it reads. */
export interface Reader {
  name: string;
  /** From the root folder. */
  file: string;
  settings: Settings;
}

/** Everything that reads the environment. */
export const readers: readonly Reader[] = [
  { name: 'capture', file: 'services/capture/src/config.ts', settings: captureSettings },
  { name: 'consumer', file: 'services/consumer/src/config.ts', settings: consumerSettings },
  { name: 'management-api', file: 'services/management-api/src/config.ts', settings: managementApiSettings },
  { name: 'npm start', file: 'infra/local/src/config.ts', settings: launcherSettings },
  { name: 'npm run millrace', file: 'infra/cli/src/config.ts', settings: cliSettings },
  { name: 'npm test', file: 'packages/testkit/src/config.ts', settings: testSettings },
];

const head = `# Every variable that is read, with its default. None is needed for npm start and npm test, which choose for themselves.
# An empty value counts as unset.
`;

/** The text of `.env.example`: each variable once, under its first reader, with the words of that declaration. */
export function describeSettings(programs: readonly Reader[]): string {
  const readersOf = Map.groupBy(
    programs.flatMap(({ name, settings }) => listSettings(settings).map(({ variable }) => ({ variable, name }))),
    ({ variable }) => variable,
  );
  const reported = new Set<string>();
  const sections = programs.map(({ name, settings }) => {
    const own = listSettings(settings).filter(({ variable }) => !reported.has(variable));
    for (const { variable } of own) reported.add(variable);
    const others = ({ variable }: Setting<unknown>): string[] =>
      (readersOf.get(variable) ?? []).map((reader) => reader.name).filter((other) => other !== name);
    return `\n# ---- ${name} ----\n${own.map((setting) => describe(setting, others(setting))).join('')}`;
  });
  return head + sections.join('');
}

function describe({ variable, description, defaultText }: Setting<unknown>, others: readonly string[]): string {
  const notes = [
    ...(defaultText === undefined ? ['must be set'] : []),
    ...(others.length > 0 ? [`also read by ${others.join(', ')}`] : []),
  ];
  return `\n# ${description}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}\n${variable}=${defaultText ?? ''}\n`;
}
