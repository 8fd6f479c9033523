-- Rollouts follow the device: its school and department are read from the device. A rollback reaches each device that may
-- have the package, and is repeated until the device reports it.

drop index if exists rollout_device_school;
alter table rollout_device drop column school_id;
alter table rollout_device drop column dept_id;
alter table rollout_device add column rollback_attempts integer not null default 0;
alter table rollout_device add column rollback_sent_at timestamptz;
alter table rollout add column rollback_at timestamptz;
