import type { Command } from 'commander';
import { parseEnd, parseIds, parseList } from '../option-parsers.ts';
import { onAdmin } from '../run-command.ts';

interface CreateOptions {
  user: string;
  scopes: string[];
  projects?: number[];
  organizations?: string[];
  /** Milliseconds since 1970. */
  expires?: number;
}

/** `keys create`, `keys list`, `keys revoke` */
export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('personal API keys');
  keys
    .command('create')
    .description('prints the key once: only its hash is stored')
    .requiredOption('--user <email>', 'email address of its owner')
    .requiredOption('--scopes <scopes>', 'scopes separated by commas, or * for all', parseList)
    .option('--projects <ids>', 'limit it to these projects, separated by commas', parseIds)
    .option('--organizations <ids>', 'limit it to these organizations, separated by commas', parseList)
    .option('--expires <time>', 'the day or time, in UTC, when it expires', parseEnd)
    .action(onAdmin<CreateOptions>(create));
  keys.command('list').description('all keys, without their values').action(onAdmin(list));
  keys
    .command('revoke')
    .description('ends a key at once')
    .argument('<id>', 'id of the key, as "keys list" shows it')
    .action(
      onAdmin(async (admin, _, [id = '']) => {
        const json = await admin.revokeKey({ id });
        const tokens = json.runTokens.map(
          (token) => `  ${token.mask_value}  ${token.label}: endpoint ${token.endpoint} of project ${token.project_id}`,
        );
        const left = tokens.length === 0 ? '' : `\nRun tokens that were made with it still work:\n${tokens.join('\n')}`;
        return { json, text: `Revoked key ${id} of ${json.email}.${left}` };
      }),
    );
}

type Work<O> = Parameters<typeof onAdmin<O>>[0];

const create: Work<CreateOptions> = async (admin, { user, scopes, projects, organizations, expires }) => {
  const limits = { ...(projects ? { projects } : {}), ...(organizations ? { organizations } : {}) };
  await admin.checkKeyLimits({ email: user, ...limits });
  const json = await admin.createKey({
    email: user,
    scopes,
    ...limits,
    ...(expires === undefined ? {} : { expiresAt: new Date(expires) }),
  });
  return {
    json,
    text: `${json.key}\n\nThis is the only time the key is shown. It acts as ${json.email}. Its id is ${json.id}, its scopes: ${json.scopes.join(', ')}.`,
  };
};

const list: Work<object> = async (admin) => {
  const json = await admin.listKeys();
  const lines = json.map((key) =>
    [
      key.id,
      key.maskValue,
      key.email,
      key.label,
      key.scopes.join(','),
      key.lastUsedAt ?? 'never used',
      ...(key.expiresAt === null ? [] : [`until ${key.expiresAt}`]),
    ].join('  '),
  );
  return { json, text: lines.length === 0 ? 'There are no keys.' : lines.join('\n') };
};
