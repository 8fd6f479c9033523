-- Lists of the logs find their page and count in an index alone, newest first: what limits a row to its reader, and what
-- is most asked for, stands beside the time. The old ones go when the new ones stand, so that lists are read meanwhile.
create index login_log_list on login_log (at, id) include (dept_id, user_id, type, result);
create index audit_log_list on audit_log (at, id) include (dept_id, user_id, action);

-- Few among many, and what somebody looks for who looks into sign-ins.
create index login_log_refused on login_log (at, id) include (dept_id, user_id, type) where result <> 'SUCCESS';

-- Own rows are seen wherever they belong: with these and those by department a small sight reads only what is in it.
create index login_log_user on login_log (user_id, at);
create index audit_log_user on audit_log (user_id, at);

-- Looked for by its number alone, too.
create index audit_log_subject_id on audit_log (subject_id, at);

drop index login_log_at, audit_log_at, audit_log_subject;
