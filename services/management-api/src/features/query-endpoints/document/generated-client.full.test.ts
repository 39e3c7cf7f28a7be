import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

const run = promisify(execFile);

/** Types made by openapi-typescript, called through openapi-fetch: what people do with the document. */
describe('a client that is generated from the document', () => {
  const modules = join(import.meta.dirname, '../../../../node_modules');
  let api: TestApi;
  let acme: Seed;
  let base: string;
  let folder: string;
  beforeAll(async () => {
    api = await startTestApi();
    acme = await api.seed('Acme');
    base = `/api/projects/${acme.projectId}/endpoints`;
    folder = mkdtempSync(join(tmpdir(), 'millrace-client-'));
    symlinkSync(modules, join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const variables = {
      a: { code_name: 'least', type: 'Number' },
      b: { code_name: 'word', type: 'String', value: 'w' },
    };
    const query = {
      kind: 'HogQLQuery',
      query: 'SELECT {variables.least} AS least, {variables.word} AS word',
      variables,
    };
    expect((await api.as(acme.key).send('post', base).send({ name: 'generated', query })).status).toBe(201);
    writeFileSync(
      join(folder, 'document.json'),
      (await api.as(acme.key).send('get', `${base}/generated/openapi.json`)).text,
    );
    await run(
      process.execPath,
      [
        join(modules, 'openapi-typescript/bin/cli.js'),
        'document.json',
        '-o',
        'document.ts',
        '--default-non-nullable=false',
      ],
      { cwd: folder },
    );
  });
  afterAll(async () => {
    await api?.stop();
    rmSync(folder, { recursive: true });
  });

  const client = (variables: string): string => `
    import createClient from 'openapi-fetch';
    import type { paths } from './document.ts';
    const client = createClient<paths>({ baseUrl: '${api.api.url}', headers: { authorization: 'Bearer ${acme.key}' } });
    const { data, error } = await client.POST('${base}/generated/run', { body: { variables: ${variables} } });
    if (data === undefined) throw new Error(JSON.stringify(error));
    const rows: (number | string | null)[][] = data.results;
    console.log(JSON.stringify([rows, data.hasMore]));`;

  async function compile(variables: string): Promise<string> {
    writeFileSync(join(folder, 'client.ts'), client(variables));
    const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
    const options =
      '--noEmit --strict --target es2023 --module nodenext --allowImportingTsExtensions --skipLibCheck --lib es2023,dom client.ts'.split(
        ' ',
      );
    return await run(process.execPath, [tsc, ...options], { cwd: folder }).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
  }

  test('compiles, and runs', async () => {
    expect(await compile('{ least: 5 }')).toBe('');
    const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', 'client.ts'], {
      cwd: folder,
    });
    expect(JSON.parse(stdout)).toEqual([[[5, 'w']], false]);
  });

  test('does not compile with a variable of another type, or without one that must be given', async () => {
    for (const variables of ["{ least: 'five' }", '{}'])
      expect([variables, await compile(variables)]).toEqual([
        variables,
        expect.stringMatching(/^client\.ts\(\d+,\d+\): error TS2/),
      ]);
  });
});
