-- A layout holds texts of users, among them a NUL or half a surrogate pair. JSONB refuses these, and so do functions that read JSON.
ALTER TABLE "materializations" ALTER COLUMN "layout" TYPE TEXT;
