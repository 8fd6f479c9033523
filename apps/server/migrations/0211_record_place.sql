-- An open record takes a further press only at its own place (decision 063), so the key of a record names school and place.
-- Records of a whole school, and those that end by themselves with the condition of the device, keep their keys. Closed
-- records are rewritten too: a reviewer may send one back, and a lead may open one again.
update warn_record
set dedup_key = regexp_replace(dedup_key, '\|([A-Z_]+)$',
  '@' || coalesce(school_id::text, '') || '/' || coalesce(place_id::text, '') || '|\1')
where dedup_key ~ '^(device|zone):.*\|[A-Z_]+$';

update warn_record
set dedup_key = regexp_replace(dedup_key, '\|([A-Z_]+\|[0-9]+)$',
  '@' || coalesce(school_id::text, '') || '/' || coalesce(place_id::text, '') || '|\1')
from warn_rule
where warn_rule.id = warn_record.rule_id and not warn_rule.auto_recover
  and dedup_key ~ '^(device|zone):.*\|[A-Z_]+\|[0-9]+$';

create index warn_record_open_device on warn_record (device_id, class, mode, id) where open;
create index warn_record_linked on warn_record (linked_record_id) where linked_record_id is not null;

-- A skew is known for the boot in which it was measured. The clock at the boot shows whether the clock was set since.
alter table device_state add column skew_boot bigint, add column boot_clock_ms bigint;
comment on column device_state.skew_boot is '测得时钟偏差时的启动序号';
comment on column device_state.boot_clock_ms is '按测得时的设备时钟推算的启动时刻（UTC 毫秒）';
