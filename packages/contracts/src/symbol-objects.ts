/** Folders of the object storage for symbol sets: uploads as clients sent them, and what the consumer compiled of each, under the same name. */
export const symbolFolders = { uploads: 'symbolsets', indexes: 'symbolindexes' } as const;

/** Key of the index of an upload. Pure. */
export const symbolIndexKey = (uploadKey: string): string => uploadKey.replace(/^[^/]*/, symbolFolders.indexes);
