-- 1. Orders opened by an overdue button test.
alter table maintenance_order drop constraint maintenance_order_cause_check;
alter table maintenance_order add constraint maintenance_order_cause_check
  check (cause in ('FAULT', 'LOW_BATTERY', 'OFFLINE', 'TEST_FAILED', 'TEST_OVERDUE', 'READINESS', 'MANUAL'));

-- 2. The log says in the language of its reader that a device was replaced and that a cause has ended.
alter table maintenance_log drop constraint maintenance_log_verb_check;
alter table maintenance_log add constraint maintenance_log_verb_check check (verb in
  ('arrive', 'finish', 'verify', 'assign', 'reopen', 'note', 'cancel', 'create', 'exchange', 'recover'));
update maintenance_log set verb = 'exchange', note = substr(note, length('换新设备 ') + 1)
  where verb = 'note' and note ~ '^换新设备 \S+ → \S+$';

-- 3. The search for faults that last reads records of devices, also those that a person has closed.
create index warn_record_fault on warn_record (device_id)
  where code in ('FAULT', 'SELF_TEST_FAILED') and mode = 'LIVE' and condition = 'ACTIVE';
