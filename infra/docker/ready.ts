// The containers' health check: exit code 0 when the service whose operators' port this is, in this container, says that it is ready.
const [port] = process.argv.slice(2);
const reply = await fetch(`http://127.0.0.1:${port}/_readiness`, { signal: AbortSignal.timeout(4_000) });
process.stdout.write(`${reply.status} ${(await reply.text()).slice(0, 500)}\n`);
process.exitCode = reply.ok ? 0 : 1;
