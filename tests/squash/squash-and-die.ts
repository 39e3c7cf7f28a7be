import { squashPersonOverrides } from '@millrace/consumer/admin';

/** Orders of the parent: the squash's options, and where this process dies. */
interface Order {
  clickhouse: { url: string; user: string; password: string };
  postgresUrl: string;
  dieAt: string;
}

const { dieAt, ...options } = JSON.parse(process.argv[2] ?? '') as Order;
await squashPersonOverrides({
  ...options,
  ageMs: 0,
  settleMs: 0,
  signal: new AbortController().signal,
  onProgress: () => undefined,
  failpoint: (place) => {
    if (place === dieAt) process.kill(process.pid, 'SIGKILL');
  },
});
