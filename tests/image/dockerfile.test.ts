import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/launcher.ts';
import { isSent } from './build-context.ts';
import { parseDockerfile } from './dockerfile.ts';

test('a Dockerfile is read as its stages, with comments away and lines joined', () => {
  const text = `# A comment.
ARG NODE_IMAGE=node:24
FROM \${NODE_IMAGE} AS base
WORKDIR /millrace

FROM base
# Another.
RUN one \\
  && two
CMD ["node", "main.ts"]
`;
  expect(parseDockerfile(text)).toEqual([
    { name: 'base', from: 'node:24', instructions: [{ name: 'WORKDIR', text: '/millrace' }] },
    {
      name: null,
      from: 'base',
      instructions: [
        { name: 'RUN', text: 'one && two' },
        { name: 'CMD', text: '["node", "main.ts"]' },
      ],
    },
  ]);
});

test('what could not be carried out is an error, not passed over', () => {
  expect(() => parseDockerfile('FROM base\nADD https://example.com/x /x')).toThrow('ADD https://example.com/x /x');
});

test.each([
  ['package.json', true],
  ['README.md', false],
  ['services/capture/src/main.ts', true],
  ['services/capture/src/app.test.ts', false],
  ['services/capture/src/test/helper.ts', false],
  ['infra/cli/src/main.ts', true],
  ['infra/kafka/package.json', true],
  ['infra/kafka/src/main.ts', false],
  ['packages/a/node_modules/b/index.js', false],
])('%s is sent to the build: %s', (path, sent) => {
  const ignore = `# Comment
*
!package.json
!services
!packages
!infra/*/package.json
!infra/cli

**/node_modules
**/*.test.ts
**/test
`;
  expect(isSent(path, ignore)).toBe(sent);
});

test('the commands that docs and the platform screen give for the image of everything fit it', () => {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const last = parseDockerfile(read('infra/docker/all-in-one/Dockerfile')).at(-1)?.instructions ?? [];
  const said = (name: string): string => last.find((instruction) => instruction.name === name)?.text ?? '';
  for (const file of ['docs/production.md', 'scripts/platform.mjs']) {
    const [run = ''] =
      /docker run .*--init [^]*? millrace$/m.exec(
        read(file)
          .replaceAll(/\\\n\s*/g, '')
          .replaceAll('`;', ''),
      ) ?? [];
    expect([file, run]).toEqual([file, expect.stringContaining('--stop-timeout 15 ')]);
    const [, from, to] = /--publish 127\.0\.0\.1:(\d+)-(\d+):\1-\2 /.exec(run) ?? [];
    expect(`${from} ${to}`).toBe(said('EXPOSE'));
    expect(/--volume \w+:(\S+)/.exec(run)?.[1]).toBe(said('VOLUME'));
  }
});
