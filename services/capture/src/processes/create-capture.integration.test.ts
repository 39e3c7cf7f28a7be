import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ConfigError } from '@millrace/runtime/config.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { isRunning } from '@millrace/runtime/testing/is-running.ts';
import { readCaptureConfig } from '../config.ts';
import { endProcesses, spawnCapture, startAndSend } from '../test/capture-processes.ts';

afterEach(endProcesses);

const requestsOf = async (url: string): Promise<number> =>
  Number(
    /millrace_capture_requests_total\{status="200".*\} (\d+)/.exec(await (await fetch(`${url}/metrics`)).text())?.[1] ??
      0,
  );

// One that is killed, and a port that is taken: create-capture.full.test.ts.
describe('several capture processes on one port', () => {
  test('all take part, and operators are answered for all of them by the first process', async () => {
    const { url, operationsUrl, send, workers, stored } = await startAndSend(2);
    for (let count = 0; count < 20; count++) expect(await send()).toBe(200);
    expect(await workers()).toHaveLength(2);
    expect([await requestsOf(operationsUrl), await requestsOf(operationsUrl)]).toEqual([20, 20]);
    for (const each of [url, operationsUrl])
      expect(await (await fetch(`${each}/_readiness`)).json()).toEqual({ status: 'ready' });
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    expect(await stored()).toHaveLength(20);
  });

  test('when the first process is killed, its workers end too', async () => {
    const { child, workers } = await startAndSend(2);
    const pids = await workers();
    child.kill('SIGKILL');
    await eventually(() => expect(pids.filter(isRunning)).toEqual([]));
  });

  test('a worker that cannot start ends them all, with a fault', async () => {
    const child = spawnCapture('nowhere', '0', 2);
    expect((await once(child, 'exit'))[0]).toBe(1);
  });
});

test('on a log in a folder there is one process, and the error gives the reason', () => {
  const environment = { DATABASE_URL: 'postgres://a@b/c', EVENT_LOG_DIR: 'x', CAPTURE_PROCESSES: '2' };
  expect(() => readCaptureConfig(environment)).toThrow(ConfigError);
  expect(() => readCaptureConfig(environment)).toThrow('CAPTURE_PROCESSES must be 1 unless KAFKA_BROKERS is set');
  expect(readCaptureConfig({ ...environment, KAFKA_BROKERS: 'k:9092' }).processes).toBe(2);
});
