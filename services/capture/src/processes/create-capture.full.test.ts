import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { endProcesses, spawnCapture, startAndSend } from '../test/capture-processes.ts';

afterEach(endProcesses);

describe('several capture processes on one port', () => {
  test('one that is killed is replaced, the others go on, and nothing acknowledged is lost', async () => {
    const { url, operationsUrl, send, workers, stored, acknowledged } = await startAndSend(2);
    for (let count = 0; count < 10; count++) await send();
    const [victim] = await workers();
    process.kill(victim ?? 0, 'SIGKILL');
    await eventually(async () =>
      expect(await (await fetch(`${operationsUrl}/_readiness`)).text()).toMatch(
        /"process [12]":"(does not run|is starting)/,
      ),
    );
    await eventually(async () => expect(await workers()).toHaveLength(3));
    await eventually(async () =>
      expect((await fetch(`${url}/_readiness`, { headers: { connection: 'close' } })).status).toBe(200),
    );
    await eventually(async () => expect((await fetch(`${operationsUrl}/_readiness`)).status).toBe(200));
    for (let count = 0; count < 10; count++) expect(await send()).toBe(200);
    expect(new Set(await stored())).toEqual(new Set(acknowledged));
  });

  test("operators' port belongs to the first process: when it is taken, nothing starts", async () => {
    const { operationsUrl } = await startAndSend(2);
    const child = spawnCapture('nowhere', '0', 2, 300, new URL(operationsUrl).port);
    expect((await once(child, 'exit'))[0]).toBe(1);
    expect((await fetch(`${operationsUrl}/_readiness`)).status).toBe(200);
  });
});
