-- How long the call had taken when its row was written; null for what was no call, and for rows from before.
alter table audit_log add column duration_ms integer;
