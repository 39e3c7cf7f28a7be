import type { EngineForm } from '../result/template-form.ts';

/** Limits of one query of a user (contract/endpoints 4.6). */
export interface EngineLimits {
  executionSecondsMax: number;
  memoryBytesMax: number;
  resultRowsMax: number;
  resultBytesMax: number;
  readRowsMax: number;
  readBytesMax: number;
  threadsMax: number;
}

/** Limits of one stream, where they are not those of any query. */
export interface StreamLimits {
  /** Most rows of a stream; errors name the number. */
  rowsMax: number;
  /** Most bytes, as sent. */
  bytesMax: number;
  /** Longest stream from start to end, including slow readers. The engine's own time is bounded like any query's. */
  secondsMax: number;
  /** Seconds that a reader may be slower than the minimum rate (`reader-pace.ts`) while another caller is refused a stream. */
  readerSecondsMax: number;
}

/**
 * Bytes of a response that wait in the engine's memory for its end; without it every response, however small, goes
 * through a file.
 */
const responseBufferBytes = 1_048_576;
/**
 * The nice value of the threads of all queries but short ones: beside those, and beside everything else on the machine,
 * they get a tenth of a core's time, and all of it when nothing else runs. ClickHouse needs CAP_SYS_NICE for it, and
 * else does as if it were 0.
 */
const niceOfLong = 10;

/** The usual form of a whole response. */
export const compactForm: EngineForm = { engineFormat: 'JSONCompact', settings: {} };

/** Settings that go along with a query, as ClickHouse names them. */
type EngineSettings = Record<string, string | number>;

export interface SettingsOfQueries {
  /** Settings of a query whose response is returned whole. */
  ofRun(isShort: boolean, form: EngineForm): EngineSettings;
  /** Settings of a stream, which fails with more than `rowsMax` rows. */
  ofStream(rowsMax: number, form: EngineForm): EngineSettings;
}

export function settingsOfQueries(limits: EngineLimits, streams: StreamLimits): SettingsOfQueries {
  const short = settingsOf(limits);
  const long = { ...short, os_threads_nice_value_query: niceOfLong };
  const streamed = { ...long, ...streamSettingsOf(streams) };
  return {
    ofRun(isShort, form) {
      const settings = isShort ? short : long;
      // The same object each time, so that its text in the URL is built once.
      return form === compactForm ? settings : { ...settings, ...form.settings };
    },
    ofStream: (rowsMax, form) => ({ ...streamed, max_result_rows: String(rowsMax), ...form.settings }),
  };
}

/** Closed list: each of these may be set by the `tenant` user, up to the maxima of its profile, or is what that profile says. */
function settingsOf(limits: EngineLimits): EngineSettings {
  return {
    max_execution_time: limits.executionSecondsMax,
    max_memory_usage: String(limits.memoryBytesMax),
    max_result_rows: String(limits.resultRowsMax + 1), // one more row shows whether there are more
    max_result_bytes: String(limits.resultBytesMax),
    max_rows_to_read: String(limits.readRowsMax),
    max_bytes_to_read: String(limits.readBytesMax),
    max_threads: limits.threadsMax,
    wait_end_of_query: 1, // an error that comes late still has its status, and no half result is sent
    buffer_size: responseBufferBytes,
    date_time_output_format: 'iso',
    output_format_json_quote_64bit_integers: 0,
    output_format_json_quote_denormals: 0,
    cancel_http_readonly_queries_on_client_close: 1,
    // No change to a server whose row policies read the token out of a header, and refused by one with the users document of before.
    allow_get_client_http_header: 1,
  };
}

/** Settings of streams, in place of those of runs. */
function streamSettingsOf({ bytesMax, secondsMax }: StreamLimits): EngineSettings {
  return {
    max_execution_time: secondsMax, // waiting for its reader is time to the engine
    max_result_bytes: String(bytesMax),
    wait_end_of_query: 0, // what fails before `buffer_size` bytes still has its status
  };
}
