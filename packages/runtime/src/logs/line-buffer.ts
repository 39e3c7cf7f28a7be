import { writeSync } from 'node:fs';

const charsTogether = 8_192;
const waitMs = 100;
/** Most bytes that wait for a reader that takes nothing; further lines are lost, and counted. */
const waitingCharsMax = 4_000_000;
const leavingMsMax = 1_000;

/**
 * Collects lines of a log for at most 100 ms and writes them together. Lines that are left are written when the process
 * ends, unless it is killed. A reader that is slow holds up only the end of the process, for 1 s at most; one that is
 * gone holds up nothing. That is why it is not pino's own `destination`: its last flush tries a broken pipe for ever.
 */
export class LineBuffer {
  readonly #fd: number;
  #waiting = '';
  /** Rest of lines that were written in part. */
  #rest: Buffer = Buffer.alloc(0);
  #isStuck = false;
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(fd: number) {
    this.#fd = fd;
    process.on('exit', () => this.#leave());
  }

  /** A line with its end. */
  write(line: string): void {
    if (this.#waiting.length > waitingCharsMax) this.#lost += 1;
    else this.#waiting += line;
    this.#timer ??= setTimeout(() => this.#flush(), waitMs).unref();
    if (!this.#isStuck && this.#waiting.length >= charsTogether) this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#isStuck = !this.#send();
    this.#timer = this.#isStuck ? setTimeout(() => this.#flush(), waitMs).unref() : undefined;
  }

  /** Writes all that the reader takes. False: there is more. */
  #send(): boolean {
    if (this.#rest.length === 0) this.#rest = this.#take();
    while (this.#rest.length > 0) {
      try {
        this.#rest = this.#rest.subarray(writeSync(this.#fd, this.#rest));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false;
        // Nobody reads any more, and there is nowhere else to say it.
        this.#rest = Buffer.alloc(0);
      }
      if (this.#rest.length === 0) this.#rest = this.#take();
    }
    return true;
  }

  #take(): Buffer {
    const lost =
      this.#lost === 0
        ? ''
        : `${JSON.stringify({ level: 'warn', msg: 'lines of this log were lost: nobody took them', lost: this.#lost })}\n`;
    const lines = Buffer.from(this.#waiting + lost);
    this.#waiting = '';
    this.#lost = 0;
    return lines;
  }

  #leave(): void {
    const until = performance.now() + leavingMsMax;
    while (!this.#send() && performance.now() < until) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
}
