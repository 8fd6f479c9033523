-- Procedures (domain 2.3): response plans and work procedures with immutable versions, and their runs.

create table procedure (
  id bigint generated always as identity primary key,
  kind varchar(10) not null check (kind in ('RESPONSE', 'WORK')),
  name varchar(64) not null,
  name_en varchar(64) not null,
  class varchar(20) check (class in
    ('PANIC', 'VOICE', 'BULLY', 'INTRUSION', 'MEDICAL', 'FIRE', 'DEVICE_HEALTH', 'SECURITY_DUTY')),
  levels integer[] not null default '{}',
  place_kinds text[] not null default '{}',
  work varchar(10) check (work in ('INSTALL', 'ACCEPT', 'INSPECT', 'BATTERY', 'REPAIR', 'RETIRE')),
  steps jsonb not null default '[]',
  status varchar(10) not null default 'DRAFT' check (status in ('DRAFT', 'PUBLISHED', 'RETIRED')),
  version_no integer,
  changed boolean not null default true,
  edited_by bigint references users (id),
  published_at timestamptz,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  constraint procedure_name_key unique (kind, name),
  constraint procedure_subject check ((kind = 'RESPONSE') = (class is not null) and (kind = 'WORK') = (work is not null)),
  check ((status = 'DRAFT') = (version_no is null))
);
comment on table procedure is '规程';

-- What was published; the role of the server cannot change or delete it.
create table procedure_version (
  id bigint generated always as identity primary key,
  procedure_id bigint not null references procedure (id),
  no integer not null,
  kind varchar(10) not null check (kind in ('RESPONSE', 'WORK')),
  name varchar(64) not null,
  name_en varchar(64) not null,
  class varchar(20) check (class in
    ('PANIC', 'VOICE', 'BULLY', 'INTRUSION', 'MEDICAL', 'FIRE', 'DEVICE_HEALTH', 'SECURITY_DUTY')),
  levels integer[] not null default '{}',
  place_kinds text[] not null default '{}',
  work varchar(10) check (work in ('INSTALL', 'ACCEPT', 'INSPECT', 'BATTERY', 'REPAIR', 'RETIRE')),
  steps jsonb not null,
  drafted_by bigint references users (id),
  published_by bigint references users (id),
  published_at timestamptz not null default now(),
  constraint procedure_version_no_key unique (procedure_id, no),
  constraint procedure_version_publisher check (published_by is null or published_by is distinct from drafted_by)
);
comment on table procedure_version is '规程版本';

create table procedure_run (
  id bigint generated always as identity primary key,
  kind varchar(10) not null check (kind in ('RESPONSE', 'WORK')),
  procedure_id bigint not null references procedure (id),
  version_id bigint not null references procedure_version (id),
  record_id bigint references warn_record (id),
  device_id bigint references device (id),
  order_id bigint references maintenance_order (id),
  school_id bigint references school (id),
  dept_id bigint not null references dept (id),
  state varchar(10) not null default 'RUNNING' check (state in ('RUNNING', 'DONE', 'FAILED', 'ABORTED')),
  reason varchar(200),
  started_by bigint references users (id),
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  version integer not null default 1,
  check ((kind = 'RESPONSE') = (record_id is not null) and (kind = 'WORK') = (device_id is not null)),
  check ((state = 'RUNNING') = (ended_at is null))
);
comment on table procedure_run is '规程执行';
-- An alarm has one checklist.
create unique index procedure_run_record_key on procedure_run (record_id) where record_id is not null;
-- A device has one open run of a procedure.
create unique index procedure_run_device_key on procedure_run (device_id, procedure_id) where state = 'RUNNING' and device_id is not null;
create index procedure_run_procedure on procedure_run (procedure_id, started_at desc);
create index procedure_run_device on procedure_run (device_id, started_at desc) where device_id is not null;
create index procedure_run_order on procedure_run (order_id) where order_id is not null;
create index procedure_run_school on procedure_run (school_id, started_at desc);

create table procedure_run_step (
  id bigint generated always as identity primary key,
  run_id bigint not null references procedure_run (id) on delete cascade,
  no integer not null,
  state varchar(10) not null check (state in ('DONE', 'SKIPPED', 'FAILED')),
  user_id bigint references users (id),
  user_name varchar(64) not null,
  at timestamptz not null default now(),
  reading double precision,
  scan varchar(100),
  note varchar(500),
  constraint procedure_run_step_key unique (run_id, no)
);
comment on table procedure_run_step is '规程执行步骤';
