import { basename } from 'node:path';
import { sendRequest } from '../support/api.ts';
import { storedEvents } from '../support/stored-events.ts';
import type { Local } from '../support/system.ts';
import type { ReadableFrame } from './expected-stacks.ts';

interface StoredFrame {
  raw_id: string;
  resolved_name?: string;
  source?: string;
  line?: number;
}

interface StoredException {
  type: string;
  value: string;
  mechanism: { handled?: boolean; type: string };
  stacktrace?: { type: string; frames: StoredFrame[] };
}

interface SourceLine {
  number: number;
  line: string;
}

interface Context {
  before: SourceLine[];
  line: SourceLine;
  after: SourceLine[];
}

/** An `$exception` event as queries see it. */
export interface StoredCrash {
  scenario: string;
  way: string;
  /** Rows with its uuid. */
  count: number;
  issueId: unknown;
  exceptions: StoredException[];
}

/** All `$exception` events whose property `run` is this. */
export async function storedCrashes(local: Local, run: string): Promise<StoredCrash[]> {
  const events = await storedEvents(local, run);
  return events
    .filter(({ event }) => event === '$exception')
    .map(({ count, properties }) => ({
      scenario: String(properties['scenario']),
      way: String(properties['way']),
      count,
      issueId: properties['$exception_issue_id'],
      exceptions: properties['$exception_list'] as StoredException[],
    }));
}

/** Frames that are not the shop's: those of engines, of the page and of the program that makes it fail. */
const foreign = /^<anonymous>|^node:|\/page\.js$|\/node-program\.mjs$|record-python\.py$/;

/** Frames of the shop in the stack of an exception, the crash first, with the lines that the table of frames has of them. */
export async function readableFrames(local: Local, { stacktrace }: StoredException): Promise<ReadableFrame[]> {
  const own = (stacktrace?.frames ?? []).filter(({ source }) => !foreign.test(source ?? '<anonymous>'));
  const contexts = await contextsOf(local, own);
  return own
    .map(({ raw_id: id, resolved_name: name, source = '', line }): ReadableFrame => {
      const context = contexts.get(id);
      return [
        `${name} ${basename(source)}:${line}`,
        context !== undefined && context.line.number === line ? context.line.line : 'no line',
      ];
    })
    .reverse();
}

async function contextsOf(local: Local, frames: readonly StoredFrame[]): Promise<Map<string, Context>> {
  const path = `/api/projects/${local.projectId}/error_tracking/stack_frames/batch_get`;
  const rawIds = frames.map(({ raw_id: id }) => id);
  const { body } = await sendRequest<{ results: { raw_id: string; context: Context }[] }>(local, 'POST', path, {
    raw_ids: rawIds,
  });
  return new Map(body.results.map(({ raw_id: id, context }) => [id, context]));
}
