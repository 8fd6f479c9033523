-- Permissions that whoever opens a file must hold at that moment: a sheet lasts longer than the right to it.
alter table file add column needs text[] not null default '{}';
-- By which rights sheets were made so far was not kept: these end now.
update file set expires_at = now() where purpose = 'EXPORT';
