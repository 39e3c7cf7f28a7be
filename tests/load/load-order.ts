/** What the load generator is told to send. */
export interface LoadOrder {
  port: number;
  path: '/i/v0/e/' | '/batch/';
  token: string;
  /** Requests in all, shared by the connections. */
  requests: number;
  /** Events of a request; 1 means the form of a single event. */
  eventsPerRequest: number;
  connections: number;
  persons: number;
}

/** What it answers when the last reply has come. */
export interface LoadResult {
  seconds: number;
  /** Of the generator itself. */
  cpuSeconds: number;
}
