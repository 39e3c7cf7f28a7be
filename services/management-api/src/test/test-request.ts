import type { Express } from 'express';
import request from 'supertest';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Fields of replies' bodies that tests look into one by one. Which of them a reply has is for the test to know. */
export interface ReplyBody {
  code: string;
  detail: string;
  attr: string | null;
  id: string;
  name: string;
  query: unknown;
  is_active: boolean;
  last_executed_at: string | null;
  current_version_id: string;
  created_by: unknown;
  results: unknown[][];
  warnings: unknown[];
  hasMore: boolean;
  limit: number;
  offset: number;
  not_ready: Record<string, string>;
}

/** A reply, typed where supertest leaves its body open. */
export interface Reply<Body = ReplyBody> {
  status: number;
  headers: Record<string, string>;
  text: string;
  body: Body;
}

/** A request that is sent when it is awaited. */
export interface Sending<Body = ReplyBody> extends PromiseLike<Reply<Body>> {
  send(body: string | object | undefined): Sending<Body>;
  set(header: string, value: string): Sending<Body>;
  /** Keeps a body that is no text. */
  buffer(all: boolean): Sending<Body>;
}

/** Sends requests to an app that need not listen, or by its URL to one that does: connections stay open then. */
export function requestTo<Body = ReplyBody>(app: Express | string, method: Method, path: string): Sending<Body> {
  return request(app)[method](path);
}
