import { createPool, type Pool } from '@millrace/postgres/pool.ts';
import { fillTables } from '@millrace/testkit/generated-organization.ts';
import { sendRequest } from '../../support/api.ts';
import type { Local } from '../../support/system.ts';
import { newProject } from '../management/runs-of-project.ts';

/** Queues but the large one, and items, reviews and definitions of a project. */
export const rowsOf = { queues: 49, items: 100_000, reviews: 100_000, definitions: 100_000 };

export interface ReviewedProject {
  /** Path of its routes, `/api/projects/…/llm_analytics`. */
  base: string;
  /** A queue with half of the items. */
  queueId: string;
  /** A definition of numbers from 0 to 5, by which a fifth of the reviews is scored. */
  definitionId: string;
}

/** Makes a project with very many items, reviews and definitions, as they are after VACUUM. */
export async function makeReviewedProject(local: Local): Promise<ReviewedProject> {
  const projectId = await newProject(local, 'Reviews');
  const base = `/api/projects/${projectId}/llm_analytics`;
  const make = async <Body>(path: string, body: object): Promise<Body> => {
    const made = await sendRequest<Body>(local, 'POST', `${base}/${path}/`, body);
    if (made.status !== 201) throw new Error(`${path}: ${JSON.stringify(made.body)}`);
    return made.body;
  };
  const definition = await make<{ id: string; current_version_id: string }>('score_definitions', {
    name: 'Quality',
    kind: 'numeric',
    config: { min: 0, max: 5, step: 0.5 },
  });
  const queue = await make<{ id: string }>('review_queues', { name: 'Large' });
  const options = { applicationName: 'bench', max: 1, statementTimeoutMs: 0, onError: () => undefined };
  const pool = createPool(local.postgresUrl, options);
  await fillTables(pool, async () => {
    await fillQueues(pool, projectId, queue.id);
    await fillReviews(pool, projectId, definition);
    await fillDefinitions(pool, projectId);
  });
  await pool.end();
  return { base, queueId: queue.id, definitionId: definition.id };
}

/** Items begin with the oldest; each twentieth row is deleted beside them. */
async function fillQueues(pool: Pool, projectId: number, largeQueue: string): Promise<void> {
  await pool.query(
    `INSERT INTO review_queues (id, project_id, name, created_by_id)
     SELECT gen_random_uuid(), $1, 'Queue ' || n, u.id FROM generate_series(1, $2::integer) n, (SELECT min(id) AS id FROM users) u`,
    [projectId, rowsOf.queues],
  );
  await pool.query(
    `INSERT INTO review_queue_items (id, project_id, queue_id, trace_id, created_by_id, created_at, updated_at, deleted_at)
     SELECT gen_random_uuid(), $1, CASE WHEN n % 2 = 0 THEN $2 ELSE queues.ids[1 + n % cardinality(queues.ids)] END, 'trace-' || n, u.id,
       now() - n * interval '1 second', now() - n * 7919 % 100003 * interval '1 second', CASE WHEN n > $3 THEN now() END
     FROM generate_series(1, $3::integer * 21 / 20) n, (SELECT min(id) AS id FROM users) u,
       (SELECT array_agg(id) AS ids FROM review_queues WHERE project_id = $1 AND id <> $2) queues`,
    [projectId, largeQueue, rowsOf.items],
  );
}

async function fillReviews(
  pool: Pool,
  projectId: number,
  { id, current_version_id: version }: { id: string; current_version_id: string },
): Promise<void> {
  await pool.query(
    `INSERT INTO trace_reviews (id, project_id, trace_id, comment, created_by_id, reviewed_by_id, created_at, updated_at, deleted_at)
     SELECT gen_random_uuid(), $1, 'reviewed-' || n, CASE WHEN n % 2 = 0 THEN 'Comment ' || md5(n::text) END, u.id, u.id,
       now() - n * interval '1 minute', now() - n * 7919 % 100003 * interval '1 minute', CASE WHEN n > $2 THEN now() END
     FROM generate_series(1, $2::integer * 21 / 20) n, (SELECT min(id) AS id FROM users) u`,
    [projectId, rowsOf.reviews],
  );
  await pool.query(
    `INSERT INTO trace_scores (id, review_id, definition_id, version_id, numeric_value)
     SELECT gen_random_uuid(), id, $2, $3, 4.5 FROM trace_reviews WHERE project_id = $1 AND hashtext(trace_id) % 5 = 0`,
    [projectId, id, version],
  );
}

async function fillDefinitions(pool: Pool, projectId: number): Promise<void> {
  await pool.query(
    `INSERT INTO score_definitions (id, project_id, name, description, kind, tags, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'Scorer ' || n * 7919 % 100003, CASE WHEN n % 50 = 0 THEN 'About tone ' || n ELSE '' END,
       CASE n % 3 WHEN 0 THEN 'boolean' ELSE 'numeric' END, CASE WHEN n % 100 = 0 THEN ARRAY['rare'] ELSE ARRAY['usual'] END,
       now() - n * interval '1 minute', now() - n * 7919 % 100003 * interval '1 minute'
     FROM generate_series(1, $2::integer) n`,
    [projectId, rowsOf.definitions],
  );
  await pool.query(
    `INSERT INTO score_definition_versions (id, definition_id, version, config)
     SELECT gen_random_uuid(), d.id, 1, '{}' FROM score_definitions d
     WHERE d.project_id = $1 AND NOT EXISTS (SELECT FROM score_definition_versions v WHERE v.definition_id = d.id)`,
    [projectId],
  );
}
