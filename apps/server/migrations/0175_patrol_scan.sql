-- A scan is repeated within its round: another round may use the same key.
alter table patrol_scan drop constraint patrol_scan_step_key_key;
alter table patrol_scan add constraint patrol_scan_step_key unique (run_id, step_key);

-- A point that was removed from its plan still takes the scans that phones made before.
alter table patrol_point add column removed_at timestamptz;

-- A search for orders to issue looks at the earlier orders about each subject.
create index supervise_order_subject on supervise_order (kind, subject_type, subject_id, issued_at)
  where subject_id is not null;
