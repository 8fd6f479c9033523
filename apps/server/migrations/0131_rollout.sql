-- Program packages and rollouts (domain 2.12, FSM K), and the command that starts an update.

create table program_package (
  id bigint generated always as identity primary key,
  kind varchar(12) not null check (kind in ('FIRMWARE', 'CONFIG', 'KEYWORD_PACK', 'VOICE_PROMPT')),
  model_id bigint not null references device_model (id),
  release varchar(32) not null,
  notes varchar(500),
  file_id bigint not null references file (id),
  file_name varchar(255) not null,
  size bigint not null,
  sha256 varchar(64) not null,
  signature varchar(88) not null,
  created_by bigint references users (id),
  created_at timestamptz not null default now(),
  constraint program_package_release_key unique (model_id, kind, release)
);
comment on table program_package is '升级包';

create table rollout (
  id bigint generated always as identity primary key,
  name varchar(64) not null,
  package_id bigint not null references program_package (id),
  kind varchar(12) not null check (kind in ('FIRMWARE', 'CONFIG', 'KEYWORD_PACK', 'VOICE_PROMPT')),
  model_id bigint not null references device_model (id),
  state varchar(10) not null default 'DRAFT'
    check (state in ('DRAFT', 'APPROVED', 'RING', 'PAUSED', 'COMPLETED', 'HALTED')),
  ring integer not null default 0 check (ring >= 0 and ring <= 4),
  max_bad_pct double precision not null check (max_bad_pct >= 0 and max_bad_pct <= 100),
  reason varchar(200),
  approved_by bigint references users (id),
  started_at timestamptz,
  ended_at timestamptz,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  constraint rollout_approver check (approved_by is null or approved_by is distinct from creator)
);
comment on table rollout is '升级发布';
create unique index rollout_open_key on rollout (model_id, kind) where state in ('DRAFT', 'APPROVED', 'RING', 'PAUSED');

create table rollout_device (
  id bigint generated always as identity primary key,
  rollout_id bigint not null references rollout (id) on delete cascade,
  device_id bigint not null references device (id) on delete cascade,
  school_id bigint references school (id),
  dept_id bigint not null references dept (id),
  ring integer not null,
  state varchar(12) not null default 'QUEUED' check (state in ('QUEUED', 'INITIATED', 'DOWNLOADING', 'DOWNLOADED',
    'VERIFIED', 'UPDATING', 'UPDATED', 'FAILED', 'ROLLED_BACK')),
  percent integer,
  attempts integer not null default 0,
  error varchar(200),
  changed_at timestamptz not null default now(),
  constraint rollout_device_key unique (rollout_id, device_id)
);
comment on table rollout_device is '升级设备';
create index rollout_device_state on rollout_device (rollout_id, state, ring);
create index rollout_device_device on rollout_device (device_id);

alter table device_command drop constraint device_command_type_check;
alter table device_command add constraint device_command_type_check check (type in ('PLAY_TTS', 'TALK_START',
  'TALK_STOP', 'SIREN', 'LED', 'RESET', 'REBOOT', 'SELF_TEST', 'SET_CONFIG', 'TIME_SYNC', 'LISTEN', 'UPDATE'));
alter table device_model drop constraint device_model_command_schema_check;
alter table device_model add constraint device_model_command_schema_check check (
  jsonb_typeof(command_schema) = 'object' and length(command_schema::text) <= 16384
  and command_schema - array['PLAY_TTS', 'TALK_START', 'TALK_STOP', 'SIREN', 'LED', 'RESET', 'REBOOT', 'SELF_TEST',
    'SET_CONFIG', 'TIME_SYNC', 'LISTEN', 'UPDATE'] = '{}');
