-- The call by which it was done; null for what was no call, and for rows from before.
alter table audit_log add column request_method text, add column request_url text;
