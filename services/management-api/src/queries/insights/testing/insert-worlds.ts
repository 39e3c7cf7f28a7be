import type { TestTenant } from '../../../test/tenant.ts';
import { rowsOfWorld, type World } from './world.ts';

/** Inserts all worlds at once, each as a project. */
export async function insertWorlds(
  tenant: TestTenant,
  worlds: readonly { teamId: number; world: World }[],
): Promise<void> {
  const tables: Record<string, object[]> = {};
  for (const { teamId, world } of worlds)
    for (const [table, rows] of Object.entries(rowsOfWorld(teamId, world)))
      tables[table] = [...(tables[table] ?? []), ...rows];
  await tenant.insert(tables);
}
