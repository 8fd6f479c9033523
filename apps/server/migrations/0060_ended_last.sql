-- When a record last ceased to be open: resolved_at is a milestone and keeps the first time, so that of two records of
-- a key the one that was reopened and resolved again was taken for the older one.
alter table warn_record add column ended_at timestamptz;
update warn_record set ended_at = coalesce((
  select at from warn_log
  where warn_record.epoch > 1 and record_id = warn_record.id and to_state = 'RESOLVED' and from_state <> 'RESOLVED'
  order by no desc limit 1
), resolved_at, closed_at)
where not open;
drop index warn_record_dedup;
create index warn_record_dedup on warn_record (dedup_key, mode, open desc, ended_at desc nulls first);
