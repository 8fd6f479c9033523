-- Maintenance of devices: their stages and history, commands, button tests.

alter table device add column suspended_until timestamptz;
alter table device add column lifecycle_reason varchar(200);

alter table school_device add check (plan_x between 0 and 1);
alter table school_device add check (plan_y between 0 and 1);

-- Each stage that a device went through; machine-written, in the transaction of the change.
create table device_log (
  id bigint generated always as identity primary key,
  device_id bigint not null references device (id) on delete cascade,
  at timestamptz not null default now(),
  user_id bigint references users (id),
  verb varchar(20) not null,
  from_state varchar(20) check (from_state in ('IN_STOCK', 'ALLOCATED', 'INSTALLING', 'COMMISSIONING', 'IN_SERVICE',
    'UNDER_REPAIR', 'SUSPENDED', 'LOST', 'RETIRED')),
  to_state varchar(20) not null check (to_state in ('IN_STOCK', 'ALLOCATED', 'INSTALLING', 'COMMISSIONING', 'IN_SERVICE',
    'UNDER_REPAIR', 'SUSPENDED', 'LOST', 'RETIRED')),
  reason varchar(200)
);
create index device_log_device on device_log (device_id, id);

-- What people ask of a device; `device_outbox` carries it there, replies come back by `command_id`.
create table device_command (
  id bigint generated always as identity primary key,
  device_id bigint not null references device (id) on delete cascade,
  command_id varchar(40) not null constraint device_command_key unique,
  type varchar(20) not null check (type in ('PLAY_TTS', 'TALK_START', 'TALK_STOP', 'SIREN', 'LED', 'RESET', 'REBOOT',
    'SELF_TEST', 'SET_CONFIG', 'TIME_SYNC', 'LISTEN')),
  payload jsonb not null default '{}',
  reason varchar(200),
  state varchar(10) not null default 'CREATED'
    check (state in ('CREATED', 'ACCEPTED', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
  result jsonb,
  requested_by bigint references users (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  sent_at timestamptz,
  accepted_at timestamptz,
  finished_at timestamptz
);
create index device_command_device on device_command (device_id, id desc);

-- When the gateway sent a command: its outbox row may be gone by the time anybody asks.
create function note_command_sent() returns trigger language plpgsql as $$
begin
  update device_command set sent_at = now() where command_id = old.key and sent_at is null;
  return null;
end $$;
create trigger device_outbox_command_sent after update of sent_at on device_outbox
  for each row when (new.channel = 'cmd' and new.sent_at is not null) execute function note_command_sent();
create trigger device_outbox_command_gone after delete on device_outbox
  for each row when (old.channel = 'cmd' and (old.sent_at is not null or old.expires_at > now()))
  execute function note_command_sent();

-- Quarterly button tests (domain 2.12, P): a window of one school, a result for each of its devices.
create table test_plan (
  id bigint generated always as identity primary key,
  school_id bigint not null references school (id),
  window_from timestamptz not null,
  window_to timestamptz not null,
  note varchar(200),
  station_told_at timestamptz,
  station_told_by bigint references users (id),
  closed_at timestamptz,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  check (window_to > window_from)
);
comment on table test_plan is '按钮测试计划';
create index test_plan_school on test_plan (school_id, window_from);

create table test_result (
  id bigint generated always as identity primary key,
  plan_id bigint not null references test_plan (id) on delete cascade,
  school_id bigint not null references school (id),
  device_id bigint not null references device (id),
  school_device_id bigint not null references school_device (id),
  result varchar(15) not null default 'PENDING'
    check (result in ('PENDING', 'PASSED', 'NOT_PRESSED', 'NOT_RECEIVED')),
  at timestamptz,
  by_user_id bigint references users (id),
  constraint test_result_key unique (plan_id, device_id)
);
create index test_result_device on test_result (device_id);

-- The screens' words; entries that people renamed keep their names.
update menu set name = '设备库', name_en = 'Device store' where component = 'device/index' and name = '设备台账';
update menu set name_en = 'Models' where component = 'device/model/index' and name_en = 'Device models';
