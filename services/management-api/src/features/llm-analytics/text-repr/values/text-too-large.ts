/** Most UTF-16 units of a rendered text, and of all that it is made of: 128 Mi. */
export const textUnitsMax = 128 * 1024 * 1024;

/** The text of the data would be larger than 128 Mi characters, so it is not made: indentation can multiply its size. */
export class TextTooLarge extends Error {
  constructor() {
    super(`The text would be longer than ${textUnitsMax} characters.`);
    this.name = 'TextTooLarge';
  }
}
