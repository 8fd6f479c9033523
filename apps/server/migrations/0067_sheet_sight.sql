-- What whoever opens a finished sheet must still see: the departments and schools that its rows were chosen by.
alter table file add column sight jsonb;
-- What those see who made sheets so far was not kept: these end now.
update file set expires_at = now() where purpose = 'EXPORT';
