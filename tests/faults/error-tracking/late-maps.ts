import { whileLateMapsRest } from '@millrace/consumer/admin';
import { delay } from '@millrace/runtime/clock.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { withPrisma } from '../rig/projects.ts';
import type { Rig } from '../rig/rig.ts';
import type { Stage } from '../stage/scenario.ts';

const lockedMsMax = 60_000;
const overMsMax = 120_000;
/** Longest wait for the next step of the job: a start of the consumer, a connection to ClickHouse, and its own interval. */
const stepMsMax = 30_000;

/** Does the work while no consumer resolves stored exceptions anew. @throws when one does for a minute */
export async function withoutLateMaps({ postgresUrl }: Rig, work: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + lockedMsMax;
  const worked = async (): Promise<boolean> =>
    (await whileLateMapsRest(postgresUrl, () => work().then(() => true))) === true;
  while (!(await worked())) {
    if (Date.now() > deadline) throw new Error('a consumer resolves stored exceptions anew, and does not end');
    await delay(50);
  }
}

/**
 * Hurts the system in the middle of resolving stored exceptions anew, each time at another step of it, until nothing waits any more; all harms in
 * turn, and each at most `times` times.
 */
export async function hurtLateMaps(
  stage: Stage,
  harms: readonly ((stage: Stage) => Promise<void>)[],
  times: number,
): Promise<void> {
  for (let number = 0; number < harms.length * times; number++) {
    if (!(await reached(stage, 1 + (number % statementsOfPage)))) break;
    await harms[number % harms.length]?.(stage);
    stage.faulted();
  }
  await eventually(
    async () => {
      const waiting = await hurry(stage.rig);
      if (waiting > 0) throw new Error(`${waiting} late maps and passes of them wait still`);
    },
    { deadlineMs: overMsMax, intervalMs: 500 },
  );
}

/** Statements that name the table of late events: it is cleared, filled, read by the update, and cleared. */
const statementsOfPage = 4;

/** Waits for that many statements of a page on their way to ClickHouse. False: nothing waits any more. @throws when neither comes in time */
async function reached({ rig, pause }: Stage, statements: number): Promise<boolean> {
  const { line } = rig.clickhouse;
  const { promise, resolve } = Promise.withResolvers<void>();
  let seen = 0;
  line.onRequest = (bytes) => {
    if (bytes.includes('late_events') && ++seen === statements) resolve();
  };
  try {
    for (const deadline = Date.now() + stepMsMax; seen < statements; await Promise.race([promise, pause(200)])) {
      if ((await hurry(rig)) === 0) return false;
      if (Date.now() > deadline) throw new Error(`late maps wait, and nothing is done for ${stepMsMax / 1_000} s`);
    }
    return true;
  } finally {
    line.onRequest = null;
  }
}

/** Lets the time pass for which late maps, and passes of them, are to wait. Answers how many there are. */
async function hurry({ postgresUrl }: Rig): Promise<number> {
  return await withPrisma(postgresUrl, async (prisma) => {
    const now = new Date();
    const { count: maps } = await prisma.lateMap.updateMany({ data: { dueAt: now } });
    const { count: passes } = await prisma.lateMapPass.updateMany({ data: { turnAt: now } });
    return maps + passes;
  });
}
