-- A list of alarms sorted by level or state reads its time window from the index alone.
drop index warn_record_first_at;
create index warn_record_first_at on warn_record (first_at desc, id desc) include (level, state);
