-- Supervision of schools whose last recorded drill is too long ago (domain 2.10, 2.12 O).
alter table supervise_order drop constraint supervise_order_kind_check;
alter table supervise_order add constraint supervise_order_kind_check check (kind in
  ('ALARM_OVERDUE', 'FALSE_ALARM_HIGH', 'DEVICE_UNREADY', 'HAZARD', 'DUTY_ABSENT', 'BULLY_OVERDUE', 'DRILL_OVERDUE', 'MANUAL'));

create index warn_record_drill on warn_record (school_id, first_at) where mode = 'DRILL';
