/** The release that this is, as every package.json here and CHANGELOG.md call it (a test compares them). */
export const release = '0.2.0';
