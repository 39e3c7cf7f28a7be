// A process of its own that turns into a ClickHouse server until a signal comes. Arguments: the library, the configuration
// file. The call blocks the main thread for good, on purpose: ClickHouse checks the bounds of the thread's own stack, so it
// must not run on a thread that a binding made.
import { DataType, load, open } from 'ffi-rs';

const [library, configFile] = process.argv.slice(2);
if (library === undefined || configFile === undefined)
  throw new Error('usage: clickhouse-child.ts <library> <config file>');

open({ library: 'clickhouse', path: library });

// The second statement keeps the server up: it reads a pipe whose other end is ours and never says anything, which costs
// nothing. (Standard input will not do: Node makes it a socket, and sockets cannot be opened by name.)
const statements = `SYSTEM START LISTEN HTTP; INSERT INTO FUNCTION null('x String') FROM INFILE '/proc/self/fd/${silentPipe()}' FORMAT LineAsString`;
const commandLine = ['clickhouse', `--config-file=${configFile}`, '--log-level=warning', '--query', statements];

load({
  library: 'clickhouse',
  funcName: 'chdb_query_cmdline',
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [commandLine.length, commandLine],
});
process.stderr.write('clickhouse ended\n');

function silentPipe(): number {
  const ends = Buffer.alloc(8);
  const made = load({
    library: 'clickhouse',
    funcName: 'pipe',
    retType: DataType.I32,
    paramsType: [DataType.U8Array],
    paramsValue: [ends],
  });
  if (made !== 0) throw new Error('no pipe could be made');
  return ends.readInt32LE(0);
}
