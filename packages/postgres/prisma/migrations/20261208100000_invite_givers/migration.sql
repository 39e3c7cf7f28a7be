-- An invite that combines what somebody else gave ends with that somebody's right to give it, as the one before did.
ALTER TABLE organization_invites ADD COLUMN given_by_ids INTEGER[] DEFAULT ARRAY[]::INTEGER[];
