-- How many projects an organization may have, where that is not what the setting says; null: the setting.
ALTER TABLE organizations ADD COLUMN projects_max INTEGER;
