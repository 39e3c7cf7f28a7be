import { expect } from '@jest/globals';
import type { ManagementApi } from '../app.ts';
import type { Seed, TestApi } from './test-api.ts';

/** 250,013 rows of 300 characters: more than sockets and buffers take. */
export const wide = "SELECT number AS n, repeat('x', 300) AS filler FROM numbers(250013)";

let made = 0;

/** Saves an endpoint; returns its path. */
export async function save(api: TestApi, { key }: Seed, projectId: number, sql = wide): Promise<string> {
  const name = `w${made++}`;
  expect(
    (
      await api
        .as(key)
        .send('post', `/api/projects/${projectId}/endpoints`)
        .send({ name, query: { kind: 'HogQLQuery', query: sql } })
    ).status,
  ).toBe(201);
  return `/api/projects/${projectId}/endpoints/${name}`;
}

/** Runs an endpoint of this process; returns the status, and the code of an error. */
export async function send(
  api: TestApi,
  { key }: Seed,
  path: string,
  query: string,
  from: ManagementApi,
): Promise<[number, string | undefined]> {
  const { status, body } = await api.as(key, from).send<{ code?: string }>('get', `${path}/run${query}`).buffer(true);
  return [status, body.code];
}
