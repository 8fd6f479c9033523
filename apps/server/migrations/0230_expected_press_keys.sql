-- The record of an expected press keeps the key of the LIVE alarm that people may make of it (decision 067). The column is
-- wider for what expected the press.
alter table warn_record alter column dedup_key type varchar(160);

update warn_record as record set dedup_key = changed.key
from (
  select expected.id, substring(expected.dedup_key from '^((?:test|installation):[0-9]+)') || '/' || case
      when rule.dedup_by = 'SCHOOL' and expected.school_id is not null then 'school:' || expected.school_id
      else coalesce(
        'zone:' || expected.device_id || '/' || case when rule.dedup_by = 'ZONE' then (
          select zone from signal where signal.record_id = expected.id order by signal.id limit 1) end,
        'device:' || expected.device_id
      ) || '@' || coalesce(expected.school_id::text, '') || '/' || coalesce(expected.place_id::text, '')
    end || '|' || expected.class as key
  from warn_record as expected left join warn_rule as rule on rule.id = expected.rule_id
  where expected.dedup_key ~ '^(test:[0-9]+/)?installation:[0-9]+\|'
) as changed
where record.id = changed.id;

-- Those that people made LIVE take that key, unless an open alarm has it.
update warn_record as record set dedup_key = changed.key
from (
  select id, key, row_number() over (partition by key, open order by id) as n
  from (
    select id, open, regexp_replace(dedup_key, '^[a-z]+:[0-9]+/', '') as key from warn_record
    where mode = 'LIVE' and dedup_key ~ '^(test|installation):'
  ) as converted
) as changed
where record.id = changed.id and (not record.open or changed.n = 1 and not exists (
  select from warn_record as other
  where other.dedup_key = changed.key and other.mode = 'LIVE' and other.open and other.id <> record.id));
