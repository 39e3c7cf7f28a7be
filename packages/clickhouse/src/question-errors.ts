/** The answer has more bytes than the question allows. */
export class AnswerTooLargeError extends Error {
  override name = 'AnswerTooLargeError';
  constructor(bytesMax: number) {
    super(`the answer has more than ${bytesMax} bytes`);
  }
}

/** The values of the question are longer, or more, than ClickHouse takes; nothing was sent. */
export class QuestionTooLargeError extends Error {
  override name = 'QuestionTooLargeError';
}

/** The deadline of the question passed, or its waits were too long. */
export class AnswerTooLateError extends Error {
  override name = 'AnswerTooLateError';
}
