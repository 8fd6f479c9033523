-- Listening and talking through a device: a session that ends by itself, and commands on the record they belong to.
alter table device_command
  add column record_id bigint references warn_record (id) on delete set null,
  add column stop_at timestamptz,
  add column stopped_at timestamptz,
  add constraint device_command_audio_check check (
    stop_at is null or type in ('LISTEN', 'TALK_START') and coalesce(length(reason), 0) > 0);
comment on column device_command.record_id is '下发时该设备未结的警情';
comment on column device_command.stop_at is '监听或对讲自动停止的时间；其他命令为空';
comment on column device_command.stopped_at is '监听或对讲结束的时间';
create index device_command_record on device_command (record_id) where record_id is not null;
-- One session of a device at a time.
create unique index device_command_audio_key on device_command (device_id) where stop_at is not null and stopped_at is null;

-- The number of devices of each school, to sort schools by it.
create index school_device_open_school on school_device (school_id) where valid_to is null;
