import { portOf } from '../support/processes.ts';
import { createHttpClient } from './http-client.ts';
import type { SystemUnderTest } from './system-under-test.ts';

/** Sum of a counter of all the consumer's processes, over its labels. */
export async function consumerCounter(system: SystemUnderTest, name: string): Promise<number> {
  const sums = await Promise.all(system.pidsOf('consumer').map(async (pid) => sumOf(name, await scrape(portOf(pid)))));
  return sums.reduce((total, sum) => total + sum, 0);
}

async function scrape(port: number): Promise<string> {
  const http = createHttpClient(`http://127.0.0.1:${port}`);
  try {
    return (await http.send({ method: 'GET', path: '/metrics' })).toString();
  } finally {
    http.close();
  }
}

/** Sum of a metric over its labels in Prometheus' text format. Pure. @throws when the text does not know it */
export function sumOf(name: string, text: string): number {
  if (!text.includes(`# TYPE ${name} `)) throw new Error(`there is no metric ${name}`);
  const lines = text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}
