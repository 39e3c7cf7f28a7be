// The containers' health check: exit code 0 when each service whose operators' port is named, in this container, says that it is ready.
const replies = await Promise.all(
  process.argv.slice(2).map(async (port) => {
    const reply = await fetch(`http://127.0.0.1:${port}/_readiness`, { signal: AbortSignal.timeout(4_000) });
    process.stdout.write(`${reply.status} ${(await reply.text()).slice(0, 500)}\n`);
    return reply.ok;
  }),
);
process.exitCode = replies.every(Boolean) ? 0 : 1;
